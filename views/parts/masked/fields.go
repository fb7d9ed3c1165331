package masked

import (
	"strings"

	"tarmac/client/mask"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

// Text returns text with its amounts masked if masking is on. Mask before wrapping: part of an
// amount no longer looks like one.
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

// Fields masks the values of a detail's fields as Text does.
func Fields(looks theme.Theme, fields []table.Field) []table.Field {
	for i := range fields {
		fields[i].Text = Text(looks, fields[i].Text)
	}
	return fields
}
