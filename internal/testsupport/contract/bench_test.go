package contract

import (
	"bytes"
	"testing"
)

// Every response of every test is checked, so checking a full page must be quick.
func BenchmarkCheckFullPage(b *testing.B) {
	c := Load(b)
	x := example(b, c, "listTransactions", "page")
	first := bytes.Index(x.body, []byte(`{"amount`))
	end := first + bytes.IndexByte(x.body[first:], '}') + 1
	row := x.body[first:end]
	rows := bytes.Repeat(append(bytes.Clone(row), ','), 199)
	x.body = bytes.Replace(x.body, x.body[first:bytes.LastIndex(x.body, []byte(`],"next`))], append(rows, row...), 1)
	for b.Loop() {
		if err := c.check(x); err != nil {
			b.Fatal(err)
		}
	}
}
