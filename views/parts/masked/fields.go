package masked

import (
	"tarmac/client/mask"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

// Text masks the amounts in text if the theme hides amounts, and otherwise returns text unchanged.
// Mask a text before wrapping it, because an amount split over two lines is not recognized.
func Text(looks theme.Theme, text string) string {
	if !looks.Masked {
		return text
	}
	return mask.Unpadded(text)
}

// Fields masks the values of all fields in place, as Text does, and returns the same slice.
func Fields(looks theme.Theme, fields []table.Field) []table.Field {
	for i := range fields {
		fields[i].Text = Text(looks, fields[i].Text)
	}
	return fields
}
