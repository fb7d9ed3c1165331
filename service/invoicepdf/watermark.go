package invoicepdf

import "tarmac/service/invoicing"

// point is a place in a letter: heights from 0 at its top to 1 at its foot.
type point struct{ x, y float64 }

// letters are the watermark's, as strokes. It is drawn rather than written:
// turned text lies across the lines and mixes with them when they are copied or
// searched. What it says is also said in words.
var letters = map[rune][][]point{
	'A': {{{0, 1}, {.35, 0}, {.7, 1}}, {{.12, .66}, {.58, .66}}},
	'D': {{{0, 0}, {.3, 0}, {.5, .08}, {.62, .26}, {.66, .5}, {.62, .74}, {.5, .92}, {.3, 1}, {0, 1}, {0, 0}, {.3, 0}}},
	'F': {{{0, 1}, {0, 0}, {.56, 0}}, {{0, .5}, {.46, .5}}},
	'I': {{{0, 0}, {0, 1}}},
	'O': {{
		{.38, 0}, {.58, .07}, {.71, .26}, {.76, .5}, {.71, .74}, {.58, .93}, {.38, 1},
		{.18, .93}, {.05, .74}, {0, .5}, {.05, .26}, {.18, .07}, {.38, 0}, {.58, .07},
	}},
	'R': {{{0, 1}, {0, 0}, {.38, 0}, {.54, .08}, {.6, .27}, {.54, .46}, {.38, .54}, {0, .54}}, {{.34, .54}, {.64, 1}}},
	'T': {{{0, 0}, {.64, 0}}, {{.32, 0}, {.32, 1}}},
	'V': {{{0, 0}, {.35, 1}, {.7, 0}}},
}

// watermark marks a page that is no demand for money, pale and under its text.
func (s *sheet) watermark() {
	const (
		size   = 108.0 // of a letter
		weight = 0.17  // of a stroke, in sizes
		apart  = 0.32  // of letters, in sizes
		turned = 52    // degrees
	)
	var pale ink
	switch s.Invoice.Status {
	case invoicing.Draft:
		pale = ink{238, 240, 243}
	case invoicing.Voided:
		pale = ink{250, 232, 230}
	default:
		return
	}
	word, _ := mark(s.Invoice.Status)
	long := -apart
	for _, letter := range word {
		long += breadth(letter) + apart
	}
	const middleX, middleY = pageWidth / 2, pageHeight / 2
	x, y := middleX-long*size/2, middleY-size/2.0

	s.pdf.SetDrawColor(pale.r, pale.g, pale.b)
	s.pdf.SetLineWidth(weight * size)
	s.pdf.SetLineJoinStyle("round")
	s.pdf.TransformBegin()
	s.pdf.TransformRotate(turned, middleX, middleY)
	for _, letter := range word {
		for _, stroke := range letters[letter] {
			s.pdf.MoveTo(x+stroke[0].x*size, y+stroke[0].y*size)
			for _, p := range stroke[1:] {
				s.pdf.LineTo(x+p.x*size, y+p.y*size)
			}
			s.pdf.DrawPath("D")
		}
		x += (breadth(letter) + apart) * size
	}
	s.pdf.TransformEnd()
	s.pdf.SetLineJoinStyle("miter")
}

// breadth returns how broad a letter is.
func breadth(letter rune) float64 {
	widest := 0.0
	for _, stroke := range letters[letter] {
		for _, p := range stroke {
			widest = max(widest, p.x)
		}
	}
	return widest
}
