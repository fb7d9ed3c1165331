package einvoice

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// ErrNotAttached means that a PDF has no electronic invoice attached.
var ErrNotAttached = errors.New("has no electronic invoice attached")

// attachedNames are the names, in lower case, that Factur-X, ZUGFeRD and XRechnung give to an
// invoice that is attached to a PDF.
var attachedNames = []string{"factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"}

// maxNodes is the largest number of attached files and of nodes in their tree, which may contain
// itself in a hostile PDF.
const maxNodes = 10_000

// instead says what to do with a PDF that is beyond a limit.
const instead = ": import its lines as CSV or OFX"

// Errors of PDFs.
var (
	errDamaged   = bank.Errorf(0, "is a damaged PDF: get it again from whom it comes")
	errEncrypted = bank.Errorf(0, "is an encrypted PDF, even if it opens without a password: get the invoice as XML, "+
		"or import a copy without encryption (qpdf --decrypt FILE COPY)")
	errTooMuch = bank.Errorf(0, "is a PDF that is larger inside than any invoice"+instead)
	// errSeveral means that a PDF doesn't say which invoice it stands for.
	errSeveral = bank.Errorf(0, "is a PDF with several electronic invoices: import them one by one, as XML")
)

// IsPDF reports whether a file that begins with head is a PDF.
func IsPDF(head []byte) bool { return bytes.HasPrefix(head, []byte("%PDF-")) }

// Attached returns the electronic invoice that is attached to a PDF (Factur-X, ZUGFeRD, XRechnung).
// It returns ErrNotAttached if there is none, and a *bank.Error for a PDF that cannot be read.
func Attached(b *bank.Budget, content []byte) (invoice []byte, err error) {
	if len(content) > MaxSize {
		return nil, bank.Errorf(0, "is larger than 20 MB, the largest electronic invoice that is read")
	}
	file, err := openPDF(b, content)
	if err != nil {
		return nil, err
	}
	finder := finder{pdf: file, left: maxNodes}
	names := file.dict(file.dict(file.root)["Names"])
	if err := finder.search(file.dict(names["EmbeddedFiles"])); err != nil {
		return nil, err
	}
	for _, found := range finder.found {
		one, err := file.unpack(found)
		switch {
		case err != nil:
			return nil, err
		case invoice != nil && !bytes.Equal(invoice, one):
			return nil, errSeveral
		}
		invoice = one
	}
	if len(finder.found) == 0 {
		return nil, ErrNotAttached
	}
	return invoice, nil
}

// finder looks for invoices among the attached files.
type finder struct {
	pdf   *pdf
	left  int      // nodes of the tree and files that may still be read
	found []stream // different contents of files with the name of an invoice
}

// search looks in a node of the tree of names: at the files in it, then in the nodes below.
func (f *finder) search(node dict) error {
	names, kids := f.pdf.array(node["Names"]), f.pdf.array(node["Kids"])
	if f.left -= 1 + len(names)/2; f.left < 0 {
		return errTooMuch
	}
	for i := 1; i < len(names); i += 2 { // each name is followed by its file
		f.add(f.pdf.dict(names[i]))
	}
	for _, kid := range kids {
		if err := f.search(f.pdf.dict(kid)); err != nil {
			return err
		}
	}
	return nil
}

// fileKeys are the keys of an attached file's name, and of its content.
var fileKeys = []string{"UF", "F"}

// add adds the content of an attached file that is an invoice by its name.
func (f *finder) add(file dict) {
	named := slices.ContainsFunc(fileKeys, func(key string) bool {
		name, _ := f.pdf.resolve(file[key]).(text)
		return slices.Contains(attachedNames, strings.ToLower(string(name)))
	})
	contents := f.pdf.dict(file["EF"])
	for _, key := range fileKeys {
		content, ok := f.pdf.resolve(contents[key]).(stream)
		same := func(other stream) bool { return other.start == content.start }
		if named && ok && !slices.ContainsFunc(f.found, same) {
			f.found = append(f.found, content)
			return
		}
	}
}
