package export_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/export"
)

func sheet() export.Sheet {
	at, tries := time.Date(2026, 10, 5, 14, 2, 0, 0, time.FixedZone("", 3600)), int64(3)
	return export.Sheet{
		Names: []string{"name", "total_cents", "tries", "sent_at", "data"}, Amounts: []string{"total_cents"},
		Rows: [][]any{
			{"=1+1", apiclient.NewAmount(123456, "USD"), &tries, &at, json.RawMessage(`{"a": "b,c"}`)},
			{"", apiclient.UnknownAmount("USD"), (*int64)(nil), (*time.Time)(nil), json.RawMessage(nil)},
		},
	}
}

func TestASheetIsWrittenInBothFormats(t *testing.T) {
	for name, want := range map[string]string{
		"a.csv": "name,total_cents,total,tries,sent_at,data\r\n'=1+1,123456,1234.56,3,2026-10-05T13:02:00Z,\"{\"\"a\"\": \"\"b,c\"\"}\"\r\n,—,—,,,\r\n",
		"a.json": "[\n" + `{"name":"=1+1","total_cents":123456,"tries":3,"sent_at":"2026-10-05T13:02:00Z","data":{"a":"b,c"}},` + "\n" +
			`{"name":null,"total_cents":null,"tries":null,"sent_at":null,"data":null}` + "\n]\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		at, err := export.Write(t.Context(), path, sheet())
		if err != nil || at != path {
			t.Fatalf("%s: %s, %v", name, at, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s holds\n%s\nnot\n%s(%v)", name, got, want, err)
		}
	}
}

// A script that reads the file finds the same columns, however many rows there are; a
// number of the server's own that is called cents stays what it is.
func TestColumnsAreTheSameWithoutRows(t *testing.T) {
	names := []string{"id", "total_cents", "fee_cents"}
	for _, c := range []struct {
		rows      [][]any
		csv, json string
	}{
		{nil, "id,total_cents,total,fee_cents\r\n", "[\n]\n"},
		{[][]any{{"a", apiclient.UnknownAmount("USD"), "12"}}, "id,total_cents,total,fee_cents\r\na,—,—,12\r\n", "[\n" + `{"id":"a","total_cents":null,"fee_cents":"12"}` + "\n]\n"},
		{[][]any{{"a", apiclient.NewAmount(5, "USD"), ""}}, "id,total_cents,total,fee_cents\r\na,5,0.05,\r\n", "[\n" + `{"id":"a","total_cents":5,"fee_cents":null}` + "\n]\n"},
	} {
		for name, want := range map[string]string{"a.csv": c.csv, "a.json": c.json} {
			path, err := export.Write(t.Context(), filepath.Join(t.TempDir(), name), export.Sheet{Names: names, Amounts: names[1:2], Rows: c.rows})
			if got, _ := os.ReadFile(path); err != nil || string(got) != want {
				t.Errorf("%s holds\n%s\nnot\n%s(%v)", name, got, want, err)
			}
		}
	}
}

func TestASheetThatCannotBeWrittenLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	broken := sheet()
	broken.Rows[0][4] = json.RawMessage("{")
	if at, err := export.Write(t.Context(), filepath.Join(dir, "a.json"), broken); err == nil {
		t.Errorf("it became %s", at)
	}
	undeclared := sheet()
	undeclared.Amounts = nil
	if at, err := export.Write(t.Context(), filepath.Join(dir, "a.csv"), undeclared); err == nil {
		t.Errorf("whole units called cents became %s", at)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := export.Write(t.Context(), filepath.Join(dir, "b.csv"), sheet()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := export.Write(over, filepath.Join(dir, "c.csv"), sheet()); !errors.Is(err, context.Canceled) {
		t.Errorf("one that was left: %v", err)
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the directory holds %q", got)
	}
}
