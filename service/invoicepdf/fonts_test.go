package invoicepdf_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"

	"tarmac/service/invoicepdf"
	"tarmac/service/invoicing"
)

// eastAsian returns an invoice between companies of Japan, China and Korea.
func eastAsian() invoicepdf.Document {
	d := sample(invoicing.Sent, 3)
	d.Seller.Name = "ハーバー＆パイン株式会社"
	d.Invoice.RecipientName = "東京展示会サービス株式会社 Ltd."
	d.Invoice.Description = "本請求書は、二〇二六年十一月分のプラットフォーム利用料" +
		"（サブスクリプション）に関するものです。お支払いは期日までに" +
		"「ハーバー＆パイン株式会社」の口座へお振り込みください。\n" +
		"上海智能科技有限公司，十一月。주식회사 하늘소프트 2026년 " +
		"11월 플랫폼 구독료입니다. 감사합니다."
	d.Invoice.LineItems[0].Description = "プラットフォーム利用料 Łódź"
	d.Invoice.LineItems[1].Description = "上海平台服务费"
	d.Invoice.LineItems[2].Description = "한국어 항목 설명이 아주 길어서 " +
		"여러 줄에 걸쳐 나누어져야 합니다 정말로 그렇습니다"
	return d
}

// described returns an invoice with the given description.
func described(text string) invoicepdf.Document {
	d := sample(invoicing.Sent, 1)
	d.Invoice.Description = text
	return d
}

func TestChineseJapaneseAndKoreanAreDrawn(t *testing.T) {
	p := readPages(t, render(t, eastAsian()))[0]
	for _, want := range []string{
		"ハーバー＆パイン株式会社", "東京展示会サービス株式会社", "上海平台服务费",
		"나누어져야", "Łódź",
	} {
		if !strings.Contains(p.all(), want) {
			t.Errorf("the page does not say %q:\n%s", want, p.all())
		}
	}
}

// Japanese lines are filled, and in a mixed line the second font starts where the first ends.
func TestLinesOfTwoFontsAreMeasuredInBoth(t *testing.T) {
	p := readPages(t, render(t, described(strings.Repeat("株式会社、", 25)+" Łódź 株式")))[0]
	var lines []written
	for _, w := range p.texts {
		if strings.Contains(w.text, "株式") {
			lines = append(lines, w)
		}
	}
	if len(lines) != 4 {
		t.Fatalf("%d pieces: %+v", len(lines), lines)
	}
	// A line of 492 points has room for 51 characters of 9.5 points.
	if full := []rune(lines[0].text); len(full) < 50 || len(full) > 51 || strings.HasPrefix(lines[1].text, "、") {
		t.Errorf("%d characters are on the first line, and the second begins with %.3q", len(full), lines[1].text)
	}
	latin, after := lines[2].x+9.5*float64(len([]rune(lines[2].text))), lines[3].x
	if between := after - latin; between < 20 || between > 45 {
		t.Errorf("there are %.1f points for %q between %+v and %+v", between, " Łódź ", lines[2], lines[3])
	}
}

// Consecutive code points in one font take the library time that grows with their cube, so
// they are separated.
func TestAnInvoiceThatEnumeratesUnicodeIsRenderedInTime(t *testing.T) {
	d := sample(invoicing.Sent, 100)
	want, next := "", rune(0x4e00)
	for i := range d.Invoice.LineItems {
		var b strings.Builder
		for range 200 {
			b.WriteRune(next)
			next++
		}
		d.Invoice.LineItems[i].Description = b.String()
		want += b.String()
	}
	var all strings.Builder
	for _, p := range readPages(t, render(t, d)) {
		for _, w := range p.texts {
			if strings.ContainsFunc(w.text, func(r rune) bool { return r >= 0x4e00 && r < 0xa000 }) {
				all.WriteString(w.text)
			}
		}
	}
	if all.String() != want {
		t.Errorf("%d bytes of %d are on the pages in their order", all.Len(), len(want))
	}
}

func TestTheErrorOfAnUnreadableInvoiceNamesItsCharactersAndScripts(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"hieroglyph 𓀀", `no font has "𓀀" (U+13000)`},
		{"go 🚀 and 🚀 and 👍", `no font has "🚀" (U+1F680) and "👍" (U+1F44D)`},
		{"rare \U00020bb7", `no font has "𠮷" (U+20BB7)`},
		{"private \ue000\ue001", `no font has U+E000 and U+E001`},
		{"unassigned \u0a0d", `no font has U+0A0D`},
		{"not text \xff", `no font has U+FFFD`},
		{
			"ꀀꀁꀂꀃꀄꀅꀆꀇ",
			`no font has "ꀀ" (U+A000), "ꀁ" (U+A001), "ꀂ" (U+A002), "ꀃ" (U+A003), "ꀄ" (U+A004) and 3 more`,
		},
		{"mark \u0e34", `no font has U+0E34`},
		{"नमस्ते", "Devanagari letters cannot be joined"},
		{"நன்றி ខ្មែរ", "Tamil and Khmer letters cannot be joined"},
		{"Pashto ټول", "Arabic letters cannot be joined"},
		{"नम 🚀", `no font has "🚀" (U+1F680), and Devanagari letters cannot be joined`},
	} {
		d := described("fine")
		where := []*string{&d.Seller.Name, &d.Seller.Email, &d.Invoice.RecipientName, &d.Invoice.RecipientEmail,
			&d.Invoice.Description, &d.Invoice.LineItems[0].Description, &d.Invoice.LineItems[0].Quantity}
		for i, field := range where {
			fine := *field
			*field = test.text

			pdf, err := invoicepdf.Render(d)

			*field = fine
			unreadable := new(invoicepdf.Unreadable)
			if !errors.As(err, &unreadable) || unreadable.Error() != test.want || pdf != nil {
				t.Errorf("field %d of %q: %d bytes and %v; want %s", i, test.text, len(pdf), err, test.want)
			}
		}
	}
}

func TestAnOperatorsFontIsUsedBeforeTheEmbeddedFallback(t *testing.T) {
	cherokee := invoicepdf.FontOf(t, map[rune]rune{'Ꭰ': 'A', '株': 'Q'})
	d := described("Ꭰ 株式")
	if _, err := invoicepdf.Render(d); err == nil {
		t.Fatal("a font that was not given has Cherokee")
	}

	pdf, err := invoicepdf.Render(d, cherokee)

	if err != nil {
		t.Fatal(err)
	}
	var pieces []string
	for _, w := range readPages(t, pdf)[0].texts {
		if strings.ContainsAny(w.text, "Ꭰ株式") {
			pieces = append(pieces, w.text)
		}
	}
	if got := strings.Join(pieces, "|"); got != "Ꭰ|株|式" {
		t.Errorf("the text is drawn as %s; 株 is in the font that was given and 式 in the embedded one", got)
	}
}

func TestAFileThatIsNotATrueTypeFontIsRefusedWithTheReason(t *testing.T) {
	restricted := invoicepdf.Changed(t, dejavusans.TTF, "OS/2", func(table []byte) { table[8], table[9] = 0, 2 })
	for name, test := range map[string]struct {
		file []byte
		want string
	}{
		"empty": {nil, "it is not a TrueType font (.ttf)"},
		"text":  {[]byte("hello, world"), "it is not a TrueType font (.ttf)"},
		"CFF": {[]byte("OTTO\x00\x0b"),
			"it has CFF outlines (OpenType, .otf); a font with TrueType outlines (.ttf) is needed"},
		"collection": {[]byte("ttcf\x00\x01"), "it is a collection of fonts (.ttc); a single TrueType font (.ttf) is needed"},
		"web font":   {[]byte("wOF2\x00\x01"), "it is a web font (WOFF); a TrueType font (.ttf) is needed"},
		"too large":  {make([]byte, invoicepdf.MaxFontSize+1), "it is larger than 32 MB"},
		"cut":        {dejavusans.TTF[:len(dejavusans.TTF)/2], "it is not a whole TrueType font"},
		"no outlines": {bytes.Replace(
			dejavusans.TTF, []byte("glyf"), []byte("glyx"), 1,
		), `its table "glyf" is missing or too short`},
		"may not be used": {restricted, "its licence does not allow parts of it to be embedded in documents"},
		"no Unicode table": {invoicepdf.Changed(t, dejavusans.TTF, "cmap", func(table []byte) { clear(table) }),
			"it has no table of Unicode characters in format 4"},
	} {
		if font, err := invoicepdf.ParseFont(test.file); err == nil || !strings.Contains(err.Error(), test.want) ||
			font != nil {
			t.Errorf("%s: %v; want %q", name, err, test.want)
		}
	}
}

// Debian's larger font of the same family has characters of rare names.
func TestAFontOfTheSystemCanBeUsed(t *testing.T) {
	const path = "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"
	ttf, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if os.Getenv("TARMAC_REQUIRE_FONTS") == "1" {
			t.Fatalf("%s is missing; install the package fonts-droid-fallback", path)
		}
		t.Skipf("SKIPPED: %s is missing; the package fonts-droid-fallback has it", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	font, err := invoicepdf.ParseFont(ttf)
	if err != nil {
		t.Fatal(err)
	}
	d := described("㐂寿司")
	if _, err := invoicepdf.Render(d); err == nil {
		t.Error("the embedded font has 㐂, and the test proves nothing")
	}
	pdf, err := invoicepdf.Render(d, font)
	if err != nil {
		t.Fatal(err)
	}
	if !readPages(t, pdf)[0].has("㐂寿司") {
		t.Error("the page does not say 㐂寿司")
	}
}
