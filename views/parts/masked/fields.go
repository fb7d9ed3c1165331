package masked

import (
	"strings"

	"tarmac/client/mask"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

// Text returns text with its amounts masked if the theme hides amounts. Call it before wrapping the
// text, because parts of a wrapped amount are not recognized.
func Text(looks theme.Theme, text string) string {
	if !looks.Masked {
		return text
	}
	lines := strings.Split(mask.Text(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Fields applies Text to the values of all fields, in place, and returns fields.
func Fields(looks theme.Theme, fields []table.Field) []table.Field {
	for i := range fields {
		fields[i].Text = Text(looks, fields[i].Text)
	}
	return fields
}
