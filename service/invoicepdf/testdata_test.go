package invoicepdf

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The tests of --invoice-font use a font with one letter, which the embedded fonts lack.
// TARMAC_UPDATE=1 writes the file again.
func TestTheFontOfOneLetterIsUpToDate(t *testing.T) {
	path := filepath.Join("testdata", "cherokee.ttf")
	font := FontOf(t, map[rune]rune{'Ꭰ': 'A'})
	if os.Getenv("TARMAC_UPDATE") == "1" {
		if err := os.WriteFile(path, font.ttf, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	kept, err := os.ReadFile(path)

	if err != nil || !bytes.Equal(kept, font.ttf) {
		t.Errorf("%s is another font (%v): run this test with TARMAC_UPDATE=1", path, err)
	}
}
