package command

import (
	"encoding/json"
	"io"
	"time"
)

// WriteJSON prints a value as one line of JSON.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// ExpiryText says in UTC when a token expires. A nil time says that it never does, or that the
// server does not say.
func ExpiryText(at *time.Time) string {
	if at == nil {
		return "never, or the server does not say"
	}
	return at.UTC().Format("2006-01-02T15:04:05Z")
}
