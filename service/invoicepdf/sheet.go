package invoicepdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"

	"tarmac/internal/termtext"
)

// The page is US Letter, because all invoices are in US dollars. Its text also fits A4.
// Positions are in points from the top left corner.
const (
	pageWidth  = 612.0
	pageHeight = 792.0
	left       = 60.0
	right      = pageWidth - left
	width      = right - left
	top        = 60.0
	bottom     = pageHeight - 72.0 // lower end of the text; only the page number is below
	footer     = pageHeight - 42.0 // baseline of the page number
)

type color struct{ r, g, b int }

var (
	black = color{24, 28, 36}
	gray  = color{104, 112, 124}
	faint = color{208, 213, 220} // color of horizontal lines
	green = color{22, 120, 72}
	red   = color{176, 42, 32}
)

// style is a text style. Its face is "" (regular) or "B" (bold), as in the PDF library. Its size is
// in points.
type style struct {
	face  string
	size  float64
	color color
}

// leading returns the distance between two lines of text in points.
func (t style) leading() float64 { return 1.4 * t.size }

var (
	body  = style{"", 9.5, black}
	muted = style{"", 9, gray}
	label = style{"B", 7.5, gray}
)

// sheet draws a document page by page.
type sheet struct {
	Document
	pdf     *fpdf.Fpdf
	faces   faces
	current textStyle // style last set in the PDF library; zero if unknown
	y       float64   // y coordinate of the next line's upper end
	header  func()    // draws column titles at the top of a new page; nil outside the line items
	missing []rune    // characters that no font has; Render fails if there are any
}

// textStyle is a style with the font family and variant that are set in the PDF library.
type textStyle struct {
	style
	family, variant string
}

// newSheet returns a sheet with an empty first page. The error is *Unreadable if no font has a
// character of the document.
func newSheet(d Document, fonts []*Font) (*sheet, error) {
	s := &sheet{Document: d, pdf: fpdf.New("P", "pt", "Letter", "")}
	s.pdf.SetAutoPageBreak(false, 0)
	var err error
	if s.faces, err = newFaces(s.pdf, d.texts(), fonts); err != nil {
		return nil, err
	}
	s.addPage()
	return s, s.pdf.Error()
}

// texts returns all texts of the document that are drawn.
func (d Document) texts() []string {
	inv := d.Invoice
	all := []string{d.Seller.Name, d.Seller.Email, inv.RecipientName, inv.RecipientEmail, inv.Description}
	for _, item := range inv.LineItems {
		all = append(all, item.Description, item.Quantity)
	}
	return all
}

// addPage adds a page and draws its watermark, so that later text is drawn over the watermark.
func (s *sheet) addPage() {
	s.pdf.AddPage()
	s.current, s.y = textStyle{}, top
	s.watermark()
}

// nextPage adds a page after the first, with the seller and the invoice's number at its top.
func (s *sheet) nextPage() {
	s.addPage()
	heading := s.Invoice.Number()
	if word, _ := statusLabel(s.Invoice.Status); word != "" {
		heading += "  ·  " + word
	}
	seller := s.drawable(muted, termtext.Line(s.Seller.Name))
	s.text(muted, left, s.y, shorten(seller, width-s.measure(muted, heading)-24, s.measureIn(muted)))
	s.textRight(muted, right, s.y, heading)
	s.y += 10
	s.rule(faint, left, right)
	s.y += 16
	if s.header != nil {
		s.header()
	}
}

// ensureSpace adds a page unless the current one has h points left.
func (s *sheet) ensureSpace(h float64) {
	if s.y+h > bottom {
		s.nextPage()
	}
}

// numberPages draws the page numbers. It is called last, because they contain the number of pages.
func (s *sheet) numberPages() {
	n := s.pdf.PageCount()
	for page := 1; page <= n; page++ {
		s.pdf.SetPage(page)
		s.current = textStyle{}
		s.textRight(muted, right, footer, fmt.Sprintf("Page %d of %d", page, n))
		s.text(muted, left, footer, s.Invoice.Number())
	}
}

// drawable normalizes text and replaces characters that no font of the style has. It adds those
// characters to s.missing.
func (s *sheet) drawable(t style, text string) string {
	of := s.faces.forStyle(t)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', slices.ContainsFunc(of, func(f face) bool { return f.has(r) }):
			return r
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		s.missing = append(s.missing, r)
		return unicode.ReplacementChar
	}, normalize(text))
}

// setStyle sets the PDF library's font and text color, if they differ from the current ones.
func (s *sheet) setStyle(t style, f face) {
	if s.current.family != f.family || s.current.variant != f.style || s.current.size != t.size {
		s.pdf.SetFont(f.family, f.style, t.size)
	}
	if s.current.color != t.color || s.current.size == 0 {
		s.pdf.SetTextColor(t.color.r, t.color.g, t.color.b)
	}
	s.current = textStyle{t, f.family, f.style}
}

func (s *sheet) measure(t style, text string) float64 {
	wide := 0.0
	for _, r := range s.faces.runs(t, text) {
		wide += r.width(t.size)
	}
	return wide
}

// measureIn returns a function that measures text in the style t, in points.
func (s *sheet) measureIn(t style) func(string) float64 {
	return func(text string) float64 { return s.measure(t, text) }
}

// text draws a line with its baseline at y. The text must come from drawable.
func (s *sheet) text(t style, x, y float64, text string) {
	if text == "" {
		return
	}
	for _, r := range s.faces.runs(t, visualOrder(text)) {
		s.setStyle(t, r.face)
		s.pdf.Text(x, y, r.text)
		x += r.width(t.size)
	}
}

// textRight draws a line that ends at x. The text must come from drawable.
func (s *sheet) textRight(t style, x, y float64, text string) {
	s.text(t, x-s.measure(t, text), y, text)
}

// baseline returns the y of the baseline of a line of text whose upper end is at y.
func baseline(t style, y float64) float64 { return y + t.size }

// column draws lines of text below each other, the first with its upper end at y. It returns the y
// of the lower end of the last.
func (s *sheet) column(t style, x, y float64, lines []string) float64 {
	for _, line := range lines {
		s.text(t, x, baseline(t, y), line)
		y += t.leading()
	}
	return y
}

func (s *sheet) rule(c color, from, to float64) {
	s.pdf.SetDrawColor(c.r, c.g, c.b)
	s.pdf.SetLineWidth(0.75)
	s.pdf.Line(from, s.y, to, s.y)
}
