package invoices_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/views"
)

func TestADocumentIsSavedAndSaysWhere(t *testing.T) {
	d := open(t, 3)
	d.press("s")
	path := filepath.Join(d.dir, "INV-9.pdf")
	if got, err := os.ReadFile(path); err != nil || string(got) != d.server.document {
		t.Errorf("the file holds %q: %v", got, err)
	}
	d.server.document = "%PDF-1.7 changed"
	d.press("s", "s")
	want := []string{
		"saved INV-9.pdf in " + d.dir + ", 8 bytes",
		"saved INV-9 (2).pdf in " + d.dir + ", 16 bytes",
		"already saved: INV-9 (2).pdf in " + d.dir,
	}
	if !slices.Equal(d.said, want) {
		t.Errorf("said\n%q, want\n%q", d.said, want)
	}
	d.server.name = ""
	d.press("s")
	if _, err := os.Stat(filepath.Join(d.dir, "INV-000003.pdf")); err != nil {
		t.Errorf("a document without a name is not saved by the invoice's number: %v", err)
	}
}

func TestOneDocumentIsFetchedAtATime(t *testing.T) {
	d := open(t, 3)
	cmd := d.Update(press("s"))
	d.shows("saving the PDF of INV-000003…")
	if d.helpLists("s") {
		t.Error("p is offered while a document is on its way")
	}
	d.press("s")
	if n := len(d.server.requests); n != 1 {
		t.Errorf("asked %q", d.server.requests)
	}
	d.run(cmd)
	d.hides("saving the PDF")
	if !d.helpLists("s") {
		t.Error("p is not offered again")
	}
}

func TestADocumentThatCannotBeSavedIsSaid(t *testing.T) {
	d := open(t, 3)
	d.server.fail = &apiclient.Error{Status: 422, Message: "currency is not USD"}
	d.press("s")
	d.server.fail = nil
	if err := os.Remove(d.dir); err != nil {
		t.Fatal(err)
	}
	d.press("s")
	if len(d.said) != 2 || d.said[0] != "PDF of INV-000003 not saved: currency is not USD" ||
		!strings.HasPrefix(d.said[1], "PDF of INV-000003 not saved: "+d.dir+": ") {
		t.Errorf("said %q", d.said)
	}
	if !d.helpLists("s") {
		t.Error("p is not offered again")
	}
}

// The line of the notice is short, so it must begin with the characters that the PDF cannot show.
func TestWhatAPageCannotShowIsNamedFirst(t *testing.T) {
	d := open(t, 3)
	d.server.fail = &apiclient.Error{
		Status:  422,
		Message: `this invoice cannot be rendered as a PDF: no font has "🚀" (U+1F680)`,
	}

	d.press("s")

	if want := `PDF of INV-000003 not saved: no font has "🚀" (U+1F680)`; len(d.said) != 1 || d.said[0] != want {
		t.Errorf("said %q, want %q", d.said, want)
	}
}

func TestADocumentIsOpenedWhereThereIsSomethingToOpenItWith(t *testing.T) {
	d := open(t, 3)
	if d.helpLists("o") {
		t.Error("o is offered with nothing to open a document")
	}
	d.press("o")
	if len(d.server.requests) != 1 {
		t.Errorf("asked %q", d.server.requests)
	}
	var opened []string
	var fails error
	d = open(t, 3, func(o *views.Env) {
		o.Open = func(path string) error { opened = append(opened, path); return fails }
	})
	d.press("o")
	fails = errors.New("xdg-open: exit status 3")
	d.press("o")
	path := filepath.Join(d.dir, "INV-9.pdf")
	if !slices.Equal(opened, []string{path, path}) {
		t.Errorf("opened %q", opened)
	}
	if want := path + " could not be opened: xdg-open: exit status 3"; !slices.Contains(d.said, want) {
		t.Errorf("said %q, not %q", d.said, want)
	}
}
