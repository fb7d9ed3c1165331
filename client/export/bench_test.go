package export_test

import (
	"path/filepath"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/export"
)

func page() []apiclient.Transaction {
	var page []apiclient.Transaction
	for range 67 {
		page = append(page, rows()...)
	}
	return page[:200]
}

// BenchmarkPage writes a page of 200 transactions.
func BenchmarkPage(b *testing.B) {
	for _, name := range []string{"a.csv", "a.json"} {
		b.Run(name, func(b *testing.B) {
			f, err := export.Create(filepath.Join(b.TempDir(), name), "USD", nil)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Discard()
			page := page()
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Add(page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
