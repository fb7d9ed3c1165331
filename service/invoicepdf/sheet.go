package invoicepdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"

	"tarmac/internal/termtext"
)

// The page is US Letter: what is billed in US dollars alone is printed where
// that is the paper. Its lines are short enough for A4. Measures are points from
// the top left corner.
const (
	pageWidth  = 612.0
	pageHeight = 792.0
	left       = 60.0
	right      = pageWidth - left
	width      = right - left
	top        = 60.0
	bottom     = pageHeight - 72.0 // of what flows; the page number is below it
	footer     = pageHeight - 42.0 // the baseline of the page number
)

type ink struct{ r, g, b int }

var (
	black = ink{24, 28, 36}
	grey  = ink{104, 112, 124}
	faint = ink{208, 213, 220} // rules
	green = ink{22, 120, 72}
	red   = ink{176, 42, 32}
)

// style is how text is set. The face is "" or "B", as the library names them.
type style struct {
	face string
	size float64
	ink  ink
}

// leading is the height of a line.
func (t style) leading() float64 { return 1.4 * t.size }

var (
	body  = style{"", 9.5, black}
	quiet = style{"", 9, grey}
	label = style{"B", 7.5, grey}
)

// sheet is a document while it is laid out, page after page.
type sheet struct {
	Document
	pdf    *fpdf.Fpdf
	faces  faces
	set    setting // what the open page's text is set in; zero when not known
	y      float64 // where the next line begins
	header func()  // drawn at the top of a further page
	// lacking are characters that no face has: with one of them there is no document.
	lacking []rune
}

// setting is a style in one face.
type setting struct {
	style
	family, variant string
}

// newSheet returns a sheet with its first page open. It fails with *Unreadable.
func newSheet(d Document, fonts []*Font) (*sheet, error) {
	s := &sheet{Document: d, pdf: fpdf.New("P", "pt", "Letter", "")}
	s.pdf.SetAutoPageBreak(false, 0)
	var err error
	if s.faces, err = newFaces(s.pdf, d.texts(), fonts); err != nil {
		return nil, err
	}
	s.open()
	return s, s.pdf.Error()
}

// texts returns all text of the document that its pages show and that is not tarmac's.
func (d Document) texts() []string {
	inv := d.Invoice
	all := []string{d.Seller.Name, d.Seller.Email, inv.RecipientName, inv.RecipientEmail, inv.Description}
	for _, item := range inv.LineItems {
		all = append(all, item.Description, item.Quantity)
	}
	return all
}

// open begins a page: the watermark lies under what is drawn later.
func (s *sheet) open() {
	s.pdf.AddPage()
	s.set, s.y = setting{}, top
	s.watermark()
}

// turn goes on to a further page, which says whose it is.
func (s *sheet) turn() {
	s.open()
	number := s.Invoice.Number()
	if word, _ := mark(s.Invoice.Status); word != "" {
		number += "  ·  " + word
	}
	seller := s.drawable(quiet, termtext.Line(s.Seller.Name))
	s.text(quiet, left, s.y, shorten(seller, width-s.measure(quiet, number)-24, s.in(quiet)))
	s.textRight(quiet, right, s.y, number)
	s.y += 10
	s.rule(faint, left, right)
	s.y += 16
	if s.header != nil {
		s.header()
	}
}

// need turns the page unless h more fits on this one.
func (s *sheet) need(h float64) {
	if s.y+h > bottom {
		s.turn()
	}
}

// number numbers the pages, when it is known how many they are.
func (s *sheet) number() {
	n := s.pdf.PageCount()
	for page := 1; page <= n; page++ {
		s.pdf.SetPage(page)
		s.set = setting{}
		s.textRight(quiet, right, footer, fmt.Sprintf("Page %d of %d", page, n))
		s.text(quiet, left, footer, s.Invoice.Number())
	}
}

// drawable returns clean text in characters that a style's faces have.
func (s *sheet) drawable(t style, text string) string {
	of := s.faces.of(t)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', slices.ContainsFunc(of, func(f face) bool { return f.has(r) }):
			return r
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		s.lacking = append(s.lacking, r)
		return unicode.ReplacementChar
	}, composed(text))
}

// use sets the font that the library draws in.
func (s *sheet) use(t style, f face) {
	if s.set.family != f.family || s.set.variant != f.style || s.set.size != t.size {
		s.pdf.SetFont(f.family, f.style, t.size)
	}
	if s.set.ink != t.ink || s.set.size == 0 {
		s.pdf.SetTextColor(t.ink.r, t.ink.g, t.ink.b)
	}
	s.set = setting{t, f.family, f.style}
}

func (s *sheet) measure(t style, text string) float64 {
	wide := 0.0
	for _, r := range s.faces.runs(t, text) {
		wide += r.width(t.size)
	}
	return wide
}

// in returns how wide text is in a style.
func (s *sheet) in(t style) func(string) float64 {
	return func(text string) float64 { return s.measure(t, text) }
}

// text draws drawable text with its baseline at y.
func (s *sheet) text(t style, x, y float64, text string) {
	if text == "" {
		return
	}
	for _, r := range s.faces.runs(t, visual(text)) {
		s.use(t, r.face)
		s.pdf.Text(x, y, r.text)
		x += r.width(t.size)
	}
}

// textRight is text that ends at x.
func (s *sheet) textRight(t style, x, y float64, text string) {
	s.text(t, x-s.measure(t, text), y, text)
}

// baseline is where a line that begins at y stands.
func baseline(t style, y float64) float64 { return y + t.size }

// column draws lines under each other from y on and returns where they end.
func (s *sheet) column(t style, x, y float64, lines []string) float64 {
	for _, line := range lines {
		s.text(t, x, baseline(t, y), line)
		y += t.leading()
	}
	return y
}

func (s *sheet) rule(c ink, from, to float64) {
	s.pdf.SetDrawColor(c.r, c.g, c.b)
	s.pdf.SetLineWidth(0.75)
	s.pdf.Line(from, s.y, to, s.y)
}
