package export_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/internal/civil"
)

func rows() []apiclient.Transaction {
	return []apiclient.Transaction{
		{
			ID: "tx_1", Date: civil.MustParse("2026-10-05"), Direction: apiclient.Outflow,
			Amount:    apiclient.NewAmount(123_456_789, "USD"),
			Reporting: apiclient.NewAmount(123_456_789, "USD"),
			USD:       apiclient.NewAmount(123_456_789, "USD"), CounterpartyName: "=HYPERLINK(\"http://x\")",
			Memo: "a, \"b\"", Source: "svc", SourceLabel: "Service", HasReceipt: true,
		},
		{
			ID: "tx_2", Date: civil.MustParse("2026-10-04"), Direction: apiclient.Inflow,
			Amount:           apiclient.NewAmount(1500, "JPY"),
			CounterpartyName: "株式会社", Reference: "-7", Source: "linked_bank", SourceLabel: "Linked bank",
		},
		{
			ID: "tx_3", Date: civil.MustParse("2026-10-03"), Direction: apiclient.Inflow,
			Amount: apiclient.UnknownAmount("EUR"), Memo: " +1", Source: "svc",
		},
	}
}

// write exports rows and returns the path.
func write(t testing.TB, path string) string {
	t.Helper()
	f, err := export.Create(path, "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows() {
		if err := f.Add([]apiclient.Transaction{r}); err != nil {
			t.Fatal(err)
		}
	}
	at, err := f.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestASpreadsheetGetsFiguresAndNoFormulas(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "a.csv"))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(records) != 4 {
		t.Fatalf("%v, %v", records, err)
	}
	for i, want := range []string{
		"id|date|direction|amount_cents|amount|amount_known|currency|amount_usd_cents|amount_usd|usd_known|" +
			"counterparty_name|memo|method|reference|has_receipt|source|source_label|logo_url",
		`tx_1|2026-10-05|outflow|123456789|1234567.89|true|USD|123456789|1234567.89|true|'=HYPERLINK("http://x")|a, ` +
			`"b"|||true|svc|Service|`,
		"tx_2|2026-10-04|inflow|1500|1500|true|JPY|—|—|false|株式会社|||'-7|false|linked_bank|Linked bank|",
		"tx_3|2026-10-03|inflow|—|—|false|EUR|—|—|false||' +1|||false|svc||",
	} {
		if got := strings.Join(records[i], "|"); got != want {
			t.Errorf("line %d is\n%s\nnot\n%s", i, got, want)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestJSONHasTheFieldsOfTheAPIAndNullForTheUnknown(t *testing.T) {
	text, err := os.ReadFile(write(t, filepath.Join(t.TempDir(), "a.JSON")))
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 3 {
		t.Fatalf("%s: %v", text, err)
	}
	if got[0]["amount_cents"] != 123456789.0 || got[0]["counterparty_name"] != "=HYPERLINK(\"http://x\")" {
		t.Errorf("%v", got[0])
	}
	if v, there := got[2]["amount_cents"]; v != nil || !there || got[2]["amount_known"] != false ||
		got[1]["amount_usd_cents"] != nil || got[2]["method"] != nil {
		t.Errorf("%v", got[2])
	}
	f, err := export.Create(filepath.Join(t.TempDir(), "empty.json"), "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	path, err := f.Commit()
	if text, err2 := os.ReadFile(path); err != nil || err2 != nil || json.Unmarshal(text, &got) != nil || len(got) != 0 {
		t.Errorf("an empty export is %q, %v", text, err)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	f, err := export.Create(path, "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	at, err := f.Commit()
	if err != nil || at != filepath.Join(dir, "a (2).csv") {
		t.Errorf("exported to %s, %v", at, err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("%s holds %q", path, text)
	}
	if _, err := export.Create(path, "USD", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("the directory holds %q", got)
	}
}

func TestWhatIsGivenUpLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := export.Create(filepath.Join(dir, "a.csv"), "USD", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Add(rows()); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("the directory holds %q", got)
	}
	if err := f.Add(rows()); err == nil {
		t.Error("rows were added to what was given up")
	}
	if path, err := f.Commit(); err == nil {
		t.Errorf("what was given up became %s", path)
	}
	for _, name := range []string{"a.txt", "a", "missing/a.csv"} {
		if _, err := export.Create(filepath.Join(dir, name), "USD", nil); err == nil {
			t.Errorf("%s was begun", name)
		}
	}
	var at *fs.PathError
	if _, err := export.Create(filepath.Join(dir, "missing", "a.csv"), "USD", nil); !errors.As(err, &at) ||
		at.Path != filepath.Join(dir, "missing") {
		t.Errorf("what is wrong with the directory is said of %v", at)
	}
}

func TestOnlyOldRemainsAreSwept(t *testing.T) {
	dir := t.TempDir()
	old, young := filepath.Join(dir, ".tarmac-export-1.part"), filepath.Join(dir, ".tarmac-export-2.part")
	other := filepath.Join(dir, "3.part")
	for _, path := range []string{old, young, other} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{old, other} {
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "a.csv"))
	if got := strings.Join(files(t, dir), " "); got != ".tarmac-export-2.part 3.part a.csv" {
		t.Errorf("the directory holds %s", got)
	}
}

// A program killed in the middle leaves no file with the final name.
func TestAKilledExportLeavesNoFileOfTheName(t *testing.T) {
	if path := os.Getenv("TARMAC_TEST_EXPORT"); path != "" {
		f, err := export.Create(path, "USD", nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			if err := f.Add(rows()); err != nil {
				t.Fatal(err)
			}
			if n == 10_000 {
				_, _ = os.Stdout.WriteString("written\n")
			}
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	cmd := exec.Command(os.Args[0], "-test.run=^TestAKilledExportLeavesNoFileOfTheName$")
	cmd.Env = append(os.Environ(), "TARMAC_TEST_EXPORT="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "written"; {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there: %v", path, err)
	}
	if write(t, path) != path {
		t.Error("the name is not free")
	}
}
