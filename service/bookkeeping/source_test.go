package bookkeeping_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
)

// growing is a file that gets longer each time it is read from its start.
type growing struct {
	*bytes.Reader
	content []byte
}

func (g *growing) Seek(offset int64, whence int) (int64, error) {
	if offset == 0 && whence == io.SeekStart {
		g.content = append(g.content, '\n')
		g.Reader = bytes.NewReader(g.content)
	}
	return g.Reader.Seek(offset, whence)
}

func TestAFileThatChangesWhileItIsReadIsRefused(t *testing.T) {
	b := newBooks(t)
	content := []byte(september.ofx())
	file := bookkeeping.Source{Name: "a.qfx", Content: &growing{bytes.NewReader(content), content}}

	report, err := b.Import(t.Context(), []bookkeeping.Source{file}, bookkeeping.Options{})

	if err != nil || report.Import != "" || !strings.Contains(report.Files[0].Error, "changed while it was read") {
		t.Errorf("the report is %+v, %v", report, err)
	}
	checkLedger(t, b)
}
