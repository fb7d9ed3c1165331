package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/views"
)

// openSaving returns a dashboard that saves drafts and filters in a directory.
func openSaving(t *testing.T, directory string) *dashboard {
	t.Helper()
	d := open(t, healthy())
	d.options.Drafts = state.Directory(directory)
	at := d.profiles("saving")
	at["saving"].api = d.api
	d.drain(d.switchTo(at["saving"].Profile))
	return d
}

// filterFile returns the path of the only file of saved filters in a directory, or "" if there is
// none.
func filterFile(t *testing.T, directory string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(directory, "filters-*.json"))
	if err != nil || len(found) > 1 {
		t.Fatal(found, err)
	}
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

func TestFiltersOutliveTheSession(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "d", "/")
	d.press("r", "e", "n", "t", "enter")
	d.press("6", "/")
	d.press("p", "a", "i", "d", "enter")
	d.after(time.Second)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	next := openSaving(t, directory)

	next.shows("filters of your last session: Transactions, Events", "filter: Transactions, Events")
	next.press("4")
	next.shows("[money in]", `["rent"]`)
	next.press("6")
	next.shows(`["paid"]`)
}

// A filter set just before the end is saved too.
func TestFiltersAreSavedWhenTheProgramEnds(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "d")

	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	openSaving(t, directory).shows("filter: Transactions")
}

func TestRemovedFiltersLeaveNoFile(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "d")
	d.after(time.Second)
	if filterFile(t, directory) == "" {
		t.Fatal("the filter is not saved")
	}

	d.press("X")
	d.after(time.Second)

	if left := filterFile(t, directory); left != "" {
		t.Errorf("%s is left", left)
	}
}

// What another page shows in Transactions does not replace the user's own filter.
func TestAFilterOfAnotherPageIsNotSaved(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "d")
	d.drain(views.Go(views.Transactions, views.TransactionsTarget{
		Direction: apiclient.Outflow, From: civil.MustParse("2026-10-01"), To: civil.MustParse("2026-10-31"),
	}))
	d.shows("[money out]")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	next := openSaving(t, directory)
	next.press("4")

	next.shows("[money in]")
	if strings.Contains(next.text(), "2026-10-01") {
		t.Error("the dates are restored")
	}
}

// A filter typed while the file is read wins.
func TestAFilterTypedAtOnceIsKept(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "d")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filterFile(t, directory))
	if err != nil || !strings.Contains(string(file), "inflow") {
		t.Fatalf("%s, %v", file, err)
	}

	late := open(t, healthy())
	late.session.drafts = state.Directory(directory)
	late.press("4", "d", "d")
	late.drain(late.session.readFilters())

	late.shows("[money out]")
}

// A file that cannot be used is said once, is left as it is, and does not stop the program.
func TestAFilterFileThatCannotBeReadIsLeftAlone(t *testing.T) {
	for name, content := range map[string]string{"damaged": "{", "newer": `{"version":2}`, "empty": ""} {
		directory := filepath.Join(t.TempDir(), "state")
		d := openSaving(t, directory)
		d.press("4", "d")
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		file := filterFile(t, directory)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}

		next := openSaving(t, directory)
		next.shows("! saved filters could not be read, new ones are kept until you quit")
		next.after(time.Minute)
		next.press("4", "d")
		next.after(time.Second)
		if strings.Contains(next.text(), "saved filters") {
			t.Errorf("%s: it is said twice", name)
		}
		if err := next.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != content {
			t.Errorf("%s: the file is %q, %v", name, now, err)
		}
	}
}

func TestFiltersThatCannotBeSavedAreSaidOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	directory := filepath.Join(file, "state")
	d := openSaving(t, directory)
	if err := os.WriteFile(file, nil, 0o600); err != nil { // the directory can no longer be created
		t.Fatal(err)
	}

	d.press("4", "d")
	d.after(time.Second)
	d.shows("! filters could not be saved, they are kept until you quit")
	d.after(time.Minute)
	d.press("d")
	d.after(time.Second)

	if strings.Contains(d.text(), "could not be saved") {
		t.Error("it is said twice")
	}
	if err := d.Close(); err != nil {
		t.Errorf("the program fails: %v", err)
	}
}

func TestATemporaryServersFiltersAreNotSaved(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := open(t, healthy())
	d.options.Drafts = state.Directory(directory)
	d.drain(d.begin(Connection{Client: d.clientOf(d.api), Profile: "demo", Temporary: true}))

	d.press("4", "d")
	d.after(time.Second)

	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(directory); err == nil {
		t.Error("something was saved")
	}
}
