package invoicepdf

import "tarmac/service/invoicing"

// point is a position in a letter of the watermark, from the letter's upper left corner. The unit
// is the height of a letter.
type point struct{ x, y float64 }

// letters holds the strokes of the watermark's letters. The watermark is drawn as strokes and not
// as text: rotated text would mix with the other lines when they are copied or searched. The page
// also shows the status as text.
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

// watermark draws the status of a draft or voided invoice across the page, in a pale color.
func (s *sheet) watermark() {
	const (
		size   = 108.0 // height of a letter, in points
		weight = 0.17  // width of a stroke, in letter heights
		gap    = 0.32  // space between letters, in letter heights
		angle  = 52    // degrees
	)
	var paleColor color
	switch s.Invoice.Status {
	case invoicing.Draft:
		paleColor = color{238, 240, 243}
	case invoicing.Voided:
		paleColor = color{250, 232, 230}
	default:
		return
	}
	word, _ := statusLabel(s.Invoice.Status)
	length := -gap
	for _, letter := range word {
		length += letterWidth(letter) + gap
	}
	const middleX, middleY = pageWidth / 2, pageHeight / 2
	x, y := middleX-length*size/2, middleY-size/2.0

	s.pdf.SetDrawColor(paleColor.r, paleColor.g, paleColor.b)
	s.pdf.SetLineWidth(weight * size)
	s.pdf.SetLineJoinStyle("round")
	s.pdf.TransformBegin()
	s.pdf.TransformRotate(angle, middleX, middleY)
	for _, letter := range word {
		for _, stroke := range letters[letter] {
			s.pdf.MoveTo(x+stroke[0].x*size, y+stroke[0].y*size)
			for _, p := range stroke[1:] {
				s.pdf.LineTo(x+p.x*size, y+p.y*size)
			}
			s.pdf.DrawPath("D")
		}
		x += (letterWidth(letter) + gap) * size
	}
	s.pdf.TransformEnd()
	s.pdf.SetLineJoinStyle("miter")
}

// letterWidth returns the width of a letter, in letter heights.
func letterWidth(letter rune) float64 {
	widest := 0.0
	for _, stroke := range letters[letter] {
		for _, p := range stroke {
			widest = max(widest, p.x)
		}
	}
	return widest
}
