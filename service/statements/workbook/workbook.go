// Package workbook reads Excel workbooks (.xlsx) and writes their sheets as CSV, for the readers of
// tables. Formulas count with the values that the workbook stores for them. Macros, links and
// everything else outside the cells are ignored.
package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// MaxSize is the largest size of a workbook in bytes.
const MaxSize = 20 << 20

const (
	maxPart    = 100 << 20 // bytes of an unpacked part of a workbook
	maxParts   = 2000      // files in the archive
	maxSheets  = 64        // sheets that are looked at
	maxText    = 64 << 20  // bytes of a sheet as CSV, and of all shared texts
	maxColumns = 200       // of a sheet
	maxStyles  = 100_000
)

// ErrNoWorkbook is the error for a file that is not a workbook of this form.
var ErrNoWorkbook = errors.New("is no Excel workbook (.xlsx) that can be read")

// limitError says which limit a workbook exceeds, and what to do. It is no damage.
type limitError struct{ limit string }

func (e *limitError) Error() string {
	return "is a workbook with more than " + e.limit + ": save the sheet as CSV, and import that"
}

// Workbook is an open workbook.
type Workbook struct {
	parts    map[string]*zip.File
	sheets   []string // names of the parts of the visible sheets, in their order
	texts    []string // texts that cells share
	dates    []form   // what the numbers of cells of a style are, by style
	from1904 bool     // dates are counted from 1904
}

// Open opens a workbook. Content is the whole file.
func Open(content []byte) (*Workbook, error) {
	if len(content) > MaxSize {
		return nil, &limitError{"20 MB"}
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil || len(archive.File) > maxParts {
		return nil, ErrNoWorkbook
	}
	w := &Workbook{parts: map[string]*zip.File{}}
	for _, f := range archive.File {
		w.parts[f.Name] = f
	}
	links, err := w.links("_rels/.rels")
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		if path.Base(l.Type) == "officeDocument" {
			return w, w.open(l.Target)
		}
	}
	return nil, ErrNoWorkbook
}

// Sheets returns the number of visible sheets.
func (w *Workbook) Sheets() int { return len(w.sheets) }

// link says which part another part refers to by an id.
type link struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// links returns the links in a part, whose targets become names of parts.
func (w *Workbook) links(name string) ([]link, error) {
	var all struct {
		Links []link `xml:"Relationship"`
	}
	if err := w.decode(name, &all); err != nil {
		return nil, err
	}
	for i := range all.Links {
		if l := &all.Links[i]; strings.HasPrefix(l.Target, "/") {
			l.Target = l.Target[1:]
		} else {
			l.Target = path.Join(path.Dir(path.Dir(name)), l.Target)
		}
	}
	return all.Links, nil
}

// open reads the list of sheets, the shared texts and the styles.
func (w *Workbook) open(name string) error {
	var book struct {
		Properties struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.decode(name, &book); err != nil {
		return err
	}
	w.from1904 = book.Properties.From1904 == "1" || book.Properties.From1904 == "true"
	links, err := w.links(path.Join(path.Dir(name), "_rels", path.Base(name)+".rels"))
	if err != nil {
		return err
	}
	var texts, styles string
	sheets := map[string]string{}
	for _, l := range links {
		switch path.Base(l.Type) {
		case "sharedStrings":
			texts = l.Target
		case "styles":
			styles = l.Target
		case "worksheet":
			sheets[l.ID] = l.Target
		}
	}
	for _, sheet := range book.Sheets {
		for _, a := range sheet.Attrs {
			part := sheets[a.Value]
			if a.Name.Local == "id" && part != "" && sheet.State == "" && len(w.sheets) < maxSheets {
				w.sheets = append(w.sheets, part)
			}
		}
	}
	if err := w.readStyles(styles); err != nil {
		return err
	}
	return w.readTexts(texts)
}

// decode decodes a part of XML.
func (w *Workbook) decode(name string, into any) error {
	return w.read(name, func(d *xml.Decoder) error { return d.Decode(into) })
}

// read reads a part of XML, which must not be larger than maxPart.
func (w *Workbook) read(name string, take func(*xml.Decoder) error) error {
	part := w.parts[name]
	if part == nil {
		return ErrNoWorkbook
	}
	if part.UncompressedSize64 > maxPart {
		return &limitError{"100 MB in one part"}
	}
	content, err := part.Open()
	if err != nil {
		return ErrNoWorkbook
	}
	defer content.Close()
	limited := &io.LimitedReader{R: content, N: maxPart + 1} // the size in the archive may be a lie
	err = take(xml.NewDecoder(limited))
	if limited.N <= 0 {
		return &limitError{"100 MB in one part"}
	}
	if large := (*limitError)(nil); errors.As(err, &large) || isCancelled(err) {
		return err
	}
	if err != nil {
		return fmt.Errorf("is a damaged workbook (%s): %w", path.Base(name), err)
	}
	return nil
}

// readTexts reads the texts that cells share.
func (w *Workbook) readTexts(name string) error {
	if name == "" {
		return nil
	}
	size := 0
	return w.read(name, func(d *xml.Decoder) error {
		for {
			token, err := d.RawToken()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "si" {
				text, err := textUntil(d, "si")
				if err != nil {
					return err
				}
				if size += len(text) + len("text"); size > maxText {
					return &limitError{"64 MB of text"}
				}
				w.texts = append(w.texts, text)
			}
		}
	})
}

// textUntil returns the text of the elements t up to the end of an element, without how it is read
// aloud (rPh).
func textUntil(d *xml.Decoder, end string) (string, error) {
	var text strings.Builder
	reading, inText := 0, false
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return "", io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "t"
			if token.Name.Local == "rPh" {
				reading++
			}
		case xml.EndElement:
			inText = false
			switch token.Name.Local {
			case end:
				return text.String(), nil
			case "rPh":
				reading--
			}
		case xml.CharData:
			if inText && reading == 0 {
				text.Write(token)
			}
		}
	}
}
