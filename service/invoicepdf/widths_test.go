package invoicepdf

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"

	"tarmac/service/invoicing"
)

// The library packs the widths of used characters into ranges. A wrong width would displace
// all text after the character.
func TestTheFileHasTheFontsWidths(t *testing.T) {
	covered, err := newCoverage(dejavusans.TTF)
	if err != nil {
		t.Fatal(err)
	}
	advance := advances(t)
	var all []rune
	for r := rune('!'); r < 0x2800; r++ {
		if covered.has(r) && normalize(string(r)) == string(r) && unshapableScript(r) == "" &&
			bidiClass(r) == bidiClass('a') {
			all = append(all, r)
		}
	}
	// Steps of different sizes, for ranges and gaps of different lengths.
	for step := 1; step <= 5; step++ {
		var text []rune
		for i := 0; i < len(all); i += step {
			text = append(text, all[i])
		}
		pdf, err := Render(
			Document{Invoice: invoicing.Invoice{Currency: "USD", Status: invoicing.Sent, Description: string(text)}},
		)
		if err != nil {
			t.Fatal(err)
		}
		widths := readWidths(t, string(pdf))
		for _, r := range text {
			if got, want := widths[r], advance(r); got != want {
				t.Errorf("%q (%U) is %d wide in the file, %d in the font", r, r, got, want)
			}
		}
	}
}

// advances returns a function for the widths of the regular face, in thousandths of the size.
func advances(t *testing.T) func(rune) int {
	t.Helper()
	hhea, _ := fontTable(dejavusans.TTF, "hhea")
	hmtx, _ := fontTable(dejavusans.TTF, "hmtx")
	head, ok := fontTable(dejavusans.TTF, "head")
	covered, err := newCoverage(dejavusans.TTF)
	if !ok || err != nil {
		t.Fatal("the font cannot be read")
	}
	last, em := int(u16(hhea[34:]))-1, float64(u16(head[18:]))
	return func(r rune) int {
		return int(math.Round(float64(u16(hmtx[4*min(last, int(covered.glyph(r))):])) * 1000 / em))
	}
}

var widthRange = regexp.MustCompile(`(\d+) (?:\[([^]]*)\]|(\d+) (\d+))`)

// readWidths parses the width array of the first font.
func readWidths(t testing.TB, pdf string) map[rune]int {
	t.Helper()
	_, array, ok := strings.Cut(pdf, "/W [")
	array, _, ended := strings.Cut(array, " ]\n/CIDToGIDMap")
	if !ok || !ended {
		t.Fatal("no array of widths")
	}
	widths := map[rune]int{}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, found := range widthRange.FindAllStringSubmatch(array, -1) {
		first := number(found[1])
		if found[3] != "" {
			for r := first; r <= number(found[3]); r++ {
				widths[rune(r)] = number(found[4])
			}
			continue
		}
		for i, w := range strings.Fields(found[2]) {
			widths[rune(first+i)] = number(w)
		}
	}
	return widths
}
