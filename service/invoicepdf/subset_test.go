package invoicepdf

import (
	"bytes"
	"errors"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"pgregory.net/rapid"
)

// drawing returns the outlines of a glyph and its components, independent of their numbers.
func drawing(f *Font, glyph int) []byte {
	outline := bytes.Clone(f.outline(glyph))
	components, _ := componentsOf(outline)
	var parts []byte
	for _, c := range components {
		outline[c.at], outline[c.at+1] = 0, 0
		parts = append(parts, drawing(f, int(c.glyph))...)
	}
	// Outlines may end with padding.
	return append(bytes.TrimRight(outline, "\x00"), parts...)
}

func TestASubsetDrawsItsCharactersAsTheFontDoes(t *testing.T) {
	b, err := embeddedFonts()
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*Font{"DejaVu": b.regular, "bold": b.bold, "Droid": b.fallback} {
		t.Run(name, func(t *testing.T) {
			var all []rune
			for r := rune(1); r < 0xffff; r++ {
				if f.has(r) {
					all = append(all, r)
				}
			}
			rapid.Check(t, func(rt *rapid.T) {
				characters := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, 60, rapid.ID[rune]).Draw(rt, "characters")

				part, err := ParseFont(f.subset(characters))

				if err != nil {
					rt.Fatal(err)
				}
				for _, r := range characters {
					whole, here := int(f.glyph(r)), int(part.glyph(r))
					if !part.has(r) || !bytes.Equal(drawing(f, whole), drawing(part, here)) {
						rt.Errorf("%U is drawn in another way", r)
					}
					advance, bearing := f.metrics(whole)
					if a, s := part.metrics(here); a != advance || s != bearing {
						rt.Errorf("%U is %d wide, %d in the font", r, a, advance)
					}
				}
			})
		})
	}
}

func TestASubsetOfAllCharactersIsComplete(t *testing.T) {
	b, err := embeddedFonts()
	if err != nil {
		t.Fatal(err)
	}
	var all []rune
	for r := rune(1); r < 0xffff; r++ {
		if b.fallback.has(r) {
			all = append(all, r)
		}
	}

	part, err := ParseFont(b.fallback.subset(all))

	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if !part.has(r) {
			t.Fatalf("%U is missing of %d characters", r, len(all))
		}
	}
}

func FuzzParseFont(f *testing.F) {
	dejavu, err := ParseFont(dejavusans.TTF)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(dejavu.subset([]rune("Aé")))
	f.Add(dejavusans.TTF[:4000])
	f.Fuzz(func(t *testing.T, ttf []byte) {
		font, err := ParseFont(ttf)
		if err != nil {
			return
		}
		var all []rune
		for r := rune(1); r < 0xffff && len(all) < 500; r++ {
			if font.has(r) {
				all = append(all, r)
			}
		}
		if _, err := ParseFont(font.subset(all)); err != nil {
			t.Errorf("a part of the font is none: %v", err)
		}
		d := Document{}
		d.Invoice.Currency, d.Invoice.Description = "USD", string(all[:min(20, len(all))])
		if _, err := Render(d, font); err != nil {
			if refused := new(Unreadable); !errors.As(err, &refused) {
				t.Error(err)
			}
		}
	})
}
