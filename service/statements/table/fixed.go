package table

import "strings"

// fixedField is a field of texts whose fields begin at fixed offsets: the characters from the
// offset from up to the offset to. It is zero if the texts have no such fields.
type fixedField struct{ from, to int }

const (
	// mostFixed is the number of texts from which fixed offsets are inferred, and widestFixed the
	// largest offset, in characters.
	mostFixed   = 400
	widestFixed = 120
	// leastFixed is the number of texts below which equal offsets may be a coincidence.
	leastFixed = 3
)

// nameFieldOf returns the field that has the name in texts such as
//
//	S ODUYA             SALARY OCT         BBP
//	BRAMLEY FOODS PLC   INV KW-202610      BGC
//
// Fields begin at the same offset in nearly all texts, in most of them after at least two blanks.
// The name is in the first field that isn't only the kind of the payment.
func nameFieldOf(texts []string) fixedField {
	if len(texts) < leastFixed {
		return fixedField{}
	}
	var begins, padded [widestFixed]int
	all := make([][]rune, len(texts))
	for i, text := range texts {
		all[i] = []rune(text)
		for at := 1; at < min(len(all[i]), widestFixed); at++ {
			if all[i][at] == ' ' || all[i][at-1] != ' ' {
				continue
			}
			begins[at]++
			if at > 1 && all[i][at-2] == ' ' {
				padded[at]++
			}
		}
	}
	from := 0
	for at := range begins {
		if begins[at]*10 < len(texts)*8 || padded[at]*2 < len(texts) {
			continue
		}
		if field := (fixedField{from, at}); field.hasNames(all) {
			return field
		}
		from = at
	}
	return fixedField{}
}

// hasNames reports whether most texts have something other than the kind of a payment in the field,
// and whether the field is padded to its width: its contents are of different lengths.
func (f fixedField) hasNames(texts [][]rune) bool {
	names, lengths := 0, map[int]bool{}
	for _, text := range texts {
		if content := f.of(text); content != "" {
			names += boolean(!isMethod(content))
			lengths[len(content)] = true
		}
	}
	return names*2 > len(texts) && len(lengths) > 1
}

// in returns the content of the field in a text, or the whole text if it has no such field.
func (f fixedField) in(text string) string {
	if f.to == 0 {
		return text
	}
	if content := f.of([]rune(text)); content != "" {
		return content
	}
	return text
}

func (f fixedField) of(text []rune) string {
	if len(text) <= f.from {
		return ""
	}
	return strings.TrimSpace(string(text[f.from:min(f.to, len(text))]))
}
