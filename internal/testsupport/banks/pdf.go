package banks

import (
	"bytes"
	"testing"

	"codeberg.org/go-pdf/fpdf"
)

// PDF returns a PDF of one page with attached files, given as names and contents in turns.
func PDF(t testing.TB, attached ...string) []byte {
	t.Helper()
	document := fpdf.New("P", "mm", "A4", "")
	document.AddPage()
	var files []fpdf.Attachment
	for i := 0; i < len(attached); i += 2 {
		files = append(files, fpdf.Attachment{Filename: attached[i], Content: []byte(attached[i+1])})
	}
	document.SetAttachments(files)
	var b bytes.Buffer
	if err := document.Output(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
