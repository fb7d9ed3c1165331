// Package workbook reads Excel workbooks (.xlsx) and writes their sheets as CSV, for the readers of
// tables. Formulas count with the values that the workbook stores for them. Macros, links and
// everything else outside the cells are ignored.
package workbook

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/elements"
)

// MaxSize is the largest size of a workbook in bytes.
const MaxSize = 20 << 20

const (
	maxParts   = 2000      // files in the archive
	maxSheets  = 64        // sheets that are looked at
	maxText    = 32 << 20  // bytes of a sheet as CSV, and of all shared texts
	maxTexts   = 1_000_000 // shared texts
	maxColumns = 200       // of a sheet
	maxStyles  = 100_000
	maxLinks   = 10_000 // from a part to others
)

// ErrNoWorkbook is the error for a file that is not a workbook of this form.
var ErrNoWorkbook = errors.New("is no Excel workbook (.xlsx) that can be read")

// tooLarge says which limit a workbook exceeds, and what to do.
func tooLarge(limit string) error {
	return bank.Errorf(0, "is a workbook with more than %s: save the sheet as CSV, and import that", limit)
}

// Workbook is an open workbook.
type Workbook struct {
	budget   *bank.Budget
	parts    map[string]*zip.File
	sheets   []string // names of the parts of the visible sheets, in their order
	texts    []string // texts that cells share
	dates    []form   // what the numbers of cells of a style are, by style
	from1904 bool     // dates are counted from 1904
}

// Open opens a workbook. Content is the whole file.
func Open(b *bank.Budget, content []byte) (*Workbook, error) {
	if len(content) > MaxSize {
		return nil, tooLarge("20 MB")
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil || len(archive.File) > maxParts {
		return nil, ErrNoWorkbook
	}
	w := &Workbook{budget: b, parts: map[string]*zip.File{}}
	for _, f := range archive.File {
		w.parts[f.Name] = f
	}
	links, err := w.links("_rels/.rels")
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		if path.Base(l.kind) == "officeDocument" {
			return w, w.open(l.target)
		}
	}
	return nil, ErrNoWorkbook
}

// Sheets returns the number of visible sheets.
func (w *Workbook) Sheets() int { return len(w.sheets) }

// link says which part another part refers to by an id.
type link struct{ id, kind, target string }

// links returns the links in a part, whose targets become names of parts.
func (w *Workbook) links(name string) (all []link, err error) {
	err = w.read(name, func(_ *elements.Reader, tag elements.Tag) error {
		if tag.End || string(tag.Name) != "Relationship" {
			return nil
		}
		if len(all) == maxLinks {
			return tooLarge(fmt.Sprintf("%d links", maxLinks))
		}
		l := link{tag.Attribute("Id"), tag.Attribute("Type"), tag.Attribute("Target")}
		if target, absolute := strings.CutPrefix(l.target, "/"); absolute {
			l.target = target
		} else {
			l.target = path.Join(path.Dir(path.Dir(name)), l.target)
		}
		all = append(all, l)
		return nil
	})
	return all, err
}

// open reads the list of sheets, the shared texts and the styles.
func (w *Workbook) open(name string) error {
	links, err := w.links(path.Join(path.Dir(name), "_rels", path.Base(name)+".rels"))
	if err != nil {
		return err
	}
	var texts, styles string
	sheets := map[string]string{}
	for _, l := range links {
		switch path.Base(l.kind) {
		case "sharedStrings":
			texts = l.target
		case "styles":
			styles = l.target
		case "worksheet":
			sheets[l.id] = l.target
		}
	}
	err = w.read(name, func(_ *elements.Reader, tag elements.Tag) error {
		switch {
		case tag.End:
		case string(tag.Name) == "workbookPr":
			from1904 := tag.Attribute("date1904")
			w.from1904 = from1904 == "1" || from1904 == "true"
		case string(tag.Name) == "sheet":
			part := sheets[tag.Attribute("id")]
			shown := part != "" && tag.Attribute("state") == "" && !slices.Contains(w.sheets, part)
			if shown && len(w.sheets) < maxSheets {
				w.sheets = append(w.sheets, part)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := w.readStyles(styles); err != nil {
		return err
	}
	return w.readTexts(texts)
}

// read passes the tags of a part of XML to take.
func (w *Workbook) read(name string, take func(*elements.Reader, elements.Tag) error) error {
	part := w.parts[name]
	if part == nil {
		return ErrNoWorkbook
	}
	content, err := part.Open()
	if err != nil {
		return ErrNoWorkbook
	}
	defer content.Close()
	in := elements.NewReader(w.budget, w.budget.Unpacked(content))
	for {
		tag, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(in, tag)
		}
		if err != nil {
			return damaged(name, err)
		}
	}
}

// damaged says in which part of a workbook an error is, unless it is one of a limit.
func damaged(part string, err error) error {
	var refused *bank.Error
	switch {
	case errors.As(err, &refused) && refused.Place == 0,
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("is a damaged workbook (%s): %w", path.Base(part), err)
}

// readTexts reads the texts that cells share.
func (w *Workbook) readTexts(name string) error {
	if name == "" {
		return nil
	}
	size, text := 0, text{}
	return w.read(name, func(in *elements.Reader, tag elements.Tag) error {
		text.take(in, tag)
		if !tag.End || string(tag.Name) != "si" {
			return nil
		}
		one := text.end()
		switch size += len(one); {
		case size > maxText:
			return tooLarge("32 MB of text")
		case len(w.texts) == maxTexts:
			return tooLarge(fmt.Sprintf("%d shared texts", maxTexts))
		}
		w.texts = append(w.texts, one)
		return nil
	})
}

// text joins the elements t of a text, without how it is read aloud (rPh).
type text struct {
	all   strings.Builder
	aloud int
}

func (t *text) take(in *elements.Reader, tag elements.Tag) {
	switch {
	case string(tag.Name) == "rPh" && tag.End:
		t.aloud--
	case string(tag.Name) == "rPh":
		t.aloud++
	case string(tag.Name) == "t" && tag.End && t.aloud == 0:
		t.all.WriteString(in.Text())
	}
}

// end returns the text and begins another.
func (t *text) end() string {
	defer t.all.Reset()
	return t.all.String()
}
