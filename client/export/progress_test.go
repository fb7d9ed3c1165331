package export_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/export"
)

// ledger serves the rows of the other tests in pages of two.
func ledger(q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	all := rows()
	page := &apiclient.TransactionPage{Summary: apiclient.Summary{Currency: "USD", Count: int64(len(all))}}
	if q.Cursor == "" {
		page.Data, page.NextCursor = all[:2], "second"
		return page, nil
	}
	page.Data = all[2:]
	return page, nil
}

func TestAnExportAddsPageAfterPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.csv")
	f, err := export.Create(path, "USD", nil)
	if err != nil {
		t.Fatal(err)
	}

	first, more, err := f.AddPage(export.Progress{}, ledger)
	if err != nil || !more || first.Rows != 2 || first.Total != 3 {
		t.Fatalf("after the first page: %+v, more %v, %v", first, more, err)
	}
	all, more, err := f.AddPage(first, ledger)
	if err != nil || more || all.Exported() != "3 transactions" {
		t.Fatalf("after the last page: %+v, more %v, %v", all, more, err)
	}
	if _, err := f.Commit(); err != nil {
		t.Fatal(err)
	}

	content, err := os.ReadFile(path)
	if err != nil || strings.Count(string(content), "\n") != 4 {
		t.Errorf("the file is\n%s%v", content, err)
	}
}

func TestARowThatCannotBeReadIsCountedAndLeftOut(t *testing.T) {
	f, err := export.Create(filepath.Join(t.TempDir(), "all.csv"), "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()

	p, _, err := f.AddPage(export.Progress{},
		func(apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
			return &apiclient.TransactionPage{
				Data: []apiclient.Transaction{rows()[0], {ID: "tx_9", Unreadable: &apiclient.ContractError{}}},
			}, nil
		})

	if err != nil || p.Rows != 2 || p.Unreadable != 1 || !strings.HasPrefix(p.Exported(), "1 transaction (") {
		t.Errorf("%+v says %q, %v", p, p.Exported(), err)
	}
}

func TestAFailedPageIsFetchedAgain(t *testing.T) {
	f, err := export.Create(filepath.Join(t.TempDir(), "all.csv"), "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	down := errors.New("down")

	p, more, err := f.AddPage(export.Progress{},
		func(apiclient.TransactionQuery) (*apiclient.TransactionPage, error) { return nil, down })
	if !errors.Is(err, down) || !more || p != (export.Progress{}) {
		t.Fatalf("%+v, more %v, %v", p, more, err)
	}

	if p, _, err = f.AddPage(p, ledger); err != nil || p.Rows != 2 {
		t.Errorf("the second try: %+v, %v", p, err)
	}
}

func TestAFileThatCannotBeWrittenIsAFileError(t *testing.T) {
	f, err := export.Create(filepath.Join(t.TempDir(), "all.csv"), "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Discard()

	_, _, err = f.AddPage(export.Progress{}, ledger)

	if broken := (*export.FileError)(nil); !errors.As(err, &broken) {
		t.Errorf("the error is %v", err)
	}
}
