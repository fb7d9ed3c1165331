package einvoice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"tarmac/service/statements/bank"
)

// ErrNotAttached means that a PDF has no electronic invoice attached.
var ErrNotAttached = errors.New("has no electronic invoice attached")

// attachedNames are the names, in lower case, that Factur-X, ZUGFeRD and XRechnung give to an
// invoice that is attached to a PDF.
var attachedNames = []string{"factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml"}

// Limits of what is read of a PDF. Few bytes can stand for many in each of its streams, so the
// limit of one is maxUnpacked divided by their number, but at least leastUnpacked. The streams of
// several objects may be the same bytes, so that a PDF could make the library read its size many
// times: maxRead limits them together.
const (
	maxUnpacked   = 256 << 20
	leastUnpacked = 64 << 10
	maxRead       = 256 << 20
	maxObjects    = 5_000
	maxNodes      = 10_000 // of the tree of attached files, and the files; a hostile tree may contain itself
	longestRead   = 20 * time.Second
)

// instead says what to do with a PDF that is beyond a limit.
const instead = ": import its lines as CSV or OFX"

// IsPDF reports whether a file that begins with head is a PDF.
func IsPDF(head []byte) bool { return bytes.HasPrefix(head, []byte("%PDF-")) }

// Attached returns the electronic invoice that is attached to a PDF (Factur-X, ZUGFeRD, XRechnung).
// It returns ErrNotAttached if there is none, and a *bank.Error for a PDF that cannot be read.
func Attached(ctx context.Context, content []byte) (invoice []byte, err error) {
	if len(content) > MaxSize {
		return nil, bank.Errorf(0, "is larger than 20 MB, the largest electronic invoice that is read")
	}
	if bytes.Count(content, []byte(" obj")) > maxObjects {
		return nil, bank.Errorf(0, "is a PDF of more than %d parts, which no invoice has"+instead, maxObjects)
	}
	invoice, err = within(ctx, longestRead, func(ctx context.Context) ([]byte, error) { return attached(ctx, content) })
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, ErrNotAttached) || errors.Is(err, errSeveral):
		return invoice, err
	}
	return nil, refusal(err)
}

// refusal returns what to say of a PDF that could not be read.
func refusal(err error) error {
	switch {
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return bank.Errorf(0, "is a PDF with a password: save it without one, and import that")
	case errors.Is(err, context.DeadlineExceeded):
		return bank.Errorf(0, "is a PDF that takes longer than %d s to read"+instead, longestRead/time.Second)
	case isBeyondLimit(err):
		return bank.Errorf(0, "is a PDF that is larger inside than any invoice"+instead)
	}
	return bank.Errorf(0, "is a damaged PDF: get it again from whom it comes")
}

// isBeyondLimit reports whether a limit ended the reading of a PDF, which need not be damaged.
func isBeyondLimit(err error) bool {
	return errors.Is(err, errTooMuch) || errors.Is(err, errEndless) || errors.Is(err, filter.ErrDecodeLimitExceeded)
}

// within returns what do returns, or an error when the context has ended or the time is over. It
// does not wait for do then, as the library heeds its context only between its steps.
func within(ctx context.Context, most time.Duration, do func(context.Context) ([]byte, error)) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	type result struct {
		content []byte
		err     error
	}
	done := make(chan result, 1)
	go func() {
		content, err := do(ctx)
		done <- result{content, err}
	}()
	select {
	case r := <-done:
		return r.content, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func attached(ctx context.Context, content []byte) (invoice []byte, err error) {
	defer func() {
		if failure := recover(); failure != nil { // the library panics at some damage
			err = fmt.Errorf("reading a PDF: %v", failure)
		}
	}()
	// The library needs no endstream to find a stream.
	limit := int64(max(leastUnpacked, maxUnpacked/(1+bytes.Count(content, []byte("stream")))))
	limit = min(limit, MaxSize)
	reader := &boundedReader{bytes.NewReader(content), ctx, maxRead}
	file, err := pdfcpu.ReadWithContext(ctx, reader, configuration(limit))
	if err != nil {
		return nil, err
	}
	finder := finder{table: file.XRefTable, left: maxNodes}
	if err := finder.searchCatalog(ctx); err != nil {
		return nil, err
	}
	for _, stream := range finder.found {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch err := stream.DecodeWithLimit(limit); {
		case err != nil:
			return nil, err
		case invoice != nil && !bytes.Equal(invoice, stream.Content):
			return nil, errSeveral
		}
		invoice = stream.Content
	}
	if len(finder.found) == 0 {
		return nil, ErrNotAttached
	}
	return invoice, nil
}

var (
	errTooMuch = errors.New("more bytes are read of a PDF than maxRead")
	errEndless = errors.New("a PDF has more attached files than maxNodes")
)

// boundedReader reads until its context ends, and up to left bytes altogether.
type boundedReader struct {
	*bytes.Reader
	ctx  context.Context
	left int
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	n, err := r.Reader.Read(p)
	if r.left -= n; r.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}

// errSeveral means that nobody can say which invoice a PDF stands for.
var errSeveral = bank.Errorf(0, "is a PDF with several electronic invoices: import them one by one, as XML")

// finder looks for invoices among the attached files.
type finder struct {
	table *model.XRefTable
	left  int                 // nodes of the tree and files that may still be read
	found []*types.StreamDict // contents of files with the name of an invoice
}

func (f *finder) searchCatalog(ctx context.Context) error {
	catalog, err := f.table.Catalog()
	if err != nil {
		return err
	}
	names, err := f.dict(catalog, "Names")
	if err != nil {
		return err
	}
	files, err := f.dict(names, "EmbeddedFiles")
	if err != nil {
		return err
	}
	return f.searchNode(ctx, files)
}

// searchNode looks in a node of the tree of names: at the files in it, then in the nodes below.
func (f *finder) searchNode(ctx context.Context, node types.Dict) error {
	if err := f.count(ctx); err != nil {
		return err
	}
	names, err := f.array(node, "Names")
	if err != nil {
		return err
	}
	for i := 1; i < len(names); i += 2 { // each name is followed by its file
		if err := f.count(ctx); err != nil {
			return err
		}
		if err := f.searchFile(names[i]); err != nil {
			return err
		}
	}
	kids, err := f.array(node, "Kids")
	if err != nil {
		return err
	}
	for _, kid := range kids {
		below, err := f.table.DereferenceDict(kid)
		if err != nil {
			return err
		}
		if err := f.searchNode(ctx, below); err != nil {
			return err
		}
	}
	return nil
}

// count counts a node or a file. It returns an error if there are too many, or the context has
// ended.
func (f *finder) count(ctx context.Context) error {
	if f.left--; f.left < 0 {
		return errEndless
	}
	return ctx.Err()
}

func (f *finder) searchFile(file types.Object) error {
	attachment, err := f.table.DereferenceDict(file)
	if err != nil || !f.isInvoice(attachment) {
		return err
	}
	contents, err := f.dict(attachment, "EF")
	if err != nil {
		return err
	}
	for _, key := range fileKeys {
		if content, found := contents.Find(key); found {
			stream, _, err := f.table.DereferenceStreamDict(content)
			if err == nil && stream != nil {
				f.found = append(f.found, stream)
			}
			return err
		}
	}
	return nil
}

// fileKeys are the keys of an attached file's name, and of its content.
var fileKeys = []string{"UF", "F"}

func (f *finder) isInvoice(attachment types.Dict) bool {
	return slices.ContainsFunc(fileKeys, func(key string) bool {
		name, found := attachment.Find(key)
		if !found {
			return false
		}
		text, err := f.table.DereferenceStringOrHexLiteral(name, model.V10, nil)
		return err == nil && slices.Contains(attachedNames, strings.ToLower(text))
	})
}

// dict and array return what a dictionary has under key, or nothing.
func (f *finder) dict(of types.Dict, key string) (types.Dict, error) {
	value, found := of.Find(key)
	if !found {
		return nil, nil
	}
	return f.table.DereferenceDict(value)
}

func (f *finder) array(of types.Dict, key string) (types.Array, error) {
	value, found := of.Find(key)
	if !found {
		return nil, nil
	}
	return f.table.DereferenceArray(value)
}

// configuration keeps the library from reading or writing its own settings and fonts in the user's
// directory, which its default does.
func configuration(limit int64) *model.Configuration {
	limits := model.DefaultResourceLimits()
	limits.MaxStreamBytes, limits.MaxDecodeBytes = MaxSize, limit
	limits.MaxObjectCount, limits.MaxXRefEntries, limits.MaxObjectStreamCount = maxObjects, maxObjects, maxObjects
	limits.MaxObjectStreamFirst = min(limits.MaxObjectStreamFirst, limit)
	return &model.Configuration{Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true, Limits: limits}
}
