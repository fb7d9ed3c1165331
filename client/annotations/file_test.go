package annotations_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/state"
)

func opened(t *testing.T, dir string) *annotations.File {
	t.Helper()
	f := annotations.NewFile(state.Directory(dir))
	if err := f.Open("org_1"); err != nil {
		t.Fatal(err)
	}
	return f
}

// rewrite replaces the content of the only file of annotations, and returns its path.
func rewrite(t *testing.T, dir, content string) (path string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, annotations.Prefix+"*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return files[0]
}

func categorize(t *testing.T, f *annotations.File, id, category string) (was annotations.Annotation) {
	t.Helper()
	was, err := f.Change(id, func(a *annotations.Annotation) { a.Category = category })
	if err != nil {
		t.Fatal(err)
	}
	return was
}

func TestWhatIsWrittenComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	f := opened(t, dir)

	categorize(t, f, "txn_1", " Reisen & 株式\n")
	_, err := f.Change("txn_1", func(a *annotations.Annotation) { a.Note = "with \"Ada\"" })
	if err != nil {
		t.Fatal(err)
	}

	want := annotations.Set{"txn_1": {Category: "Reisen & 株式", Note: "with \"Ada\""}}
	if got := opened(t, dir).Set(); !maps.Equal(got, want) || !maps.Equal(f.Set(), want) {
		t.Errorf("%q and %q", got, f.Set())
	}
	other := annotations.NewFile(state.Directory(dir))
	if err := other.Open("org_2"); err != nil || len(other.Set()) > 0 {
		t.Errorf("another organization has %v, %v", other.Set(), err)
	}
	if f.Changes() != 3 {
		t.Errorf("%d changes, want the reading and both", f.Changes())
	}
}

func TestWithoutTextsThereIsNoFile(t *testing.T) {
	dir := t.TempDir()
	f := opened(t, dir)
	categorize(t, f, "txn_1", "travel")

	was := categorize(t, f, "txn_1", "  ")

	left, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if was.Category != "travel" || len(f.Set()) > 0 || err != nil || len(left) > 0 {
		t.Errorf("it was %v, and there are %v, %q", was, f.Set(), left)
	}
}

func TestThePersonsCategoryComesBeforeThatOfARule(t *testing.T) {
	f := annotations.InMemory(annotations.Set{"txn_1": {Category: "travel", Note: "Ada"}, "txn_2": {Note: "late"}})
	for _, c := range []struct {
		id, rule string
		want     annotations.Known
	}{
		{"txn_1", "office", annotations.Known{Category: "travel", Origin: annotations.Person, Note: "Ada"}},
		{"txn_2", "office", annotations.Known{Category: "office", Origin: annotations.Rule, Note: "late"}},
		{"txn_2", "", annotations.Known{Note: "late"}},
		{"txn_3", "", annotations.Known{}},
	} {
		if got := f.Of(&apiclient.Transaction{ID: c.id, Category: c.rule}); got != c.want {
			t.Errorf("%s: %+v", c.id, got)
		}
	}
	categorize(t, f, "txn_1", "")
	if got := f.Of(&apiclient.Transaction{ID: "txn_1", Category: "office"}); got.Origin != annotations.Rule {
		t.Errorf("without the person's, it is %+v", got)
	}
}

func TestKnownCategoriesAreListedOnceAndCompleted(t *testing.T) {
	set := annotations.Set{"a": {Category: "travel"}, "b": {Note: "x"}, "c": {Category: "Ämter"}}
	all := set.Categories(slices.Values([]string{"Travel", "", "Taxes", "Taxes"}))

	if !slices.Equal(all, []string{"Taxes", "Travel", "Ämter"}) {
		t.Errorf("%q", all)
	}
	completed := map[string]string{"T": "Taxes", "tr": "Travel", "TRAVEL": "Travel", "x": "", "travelling": ""}
	for typed, want := range completed {
		if got, found := annotations.Complete(all, typed); got != want || found != (want != "") {
			t.Errorf("%s is completed to %q", typed, got)
		}
	}
}

func TestTextsThatCannotBeKeptAreRefused(t *testing.T) {
	f := opened(t, t.TempDir())
	long := func(a *annotations.Annotation) { a.Category = strings.Repeat("ä", annotations.MaxCategory+1) }
	note := func(a *annotations.Annotation) { a.Note = strings.Repeat("n", annotations.MaxNote+1) }
	for what, change := range map[string]func(*annotations.Annotation){"a category": long, "a note": note} {
		if _, err := f.Change("txn_1", change); err == nil || !strings.HasPrefix(err.Error(), what+" has at most") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, id := range []string{"", strings.Repeat("x", 300), "a\x1b[31mb"} {
		if _, err := f.Change(id, func(a *annotations.Annotation) { a.Note = "x" }); err == nil {
			t.Errorf("the id %.10q is accepted", id)
		}
	}
	if len(f.Set()) > 0 {
		t.Errorf("%v", f.Set())
	}
}

func TestAllAnnotationsTogetherAreBounded(t *testing.T) {
	dir := t.TempDir()
	f := opened(t, dir)
	categorize(t, f, "txn_1", "travel")
	var all []string
	for i := range 340 {
		all = append(all, fmt.Sprintf(`"txn_%d":{"note":"%s"}`, i, strings.Repeat("株", annotations.MaxNote)))
	}
	content := `{"version":1,"transactions":{` + strings.Join(all, ",") + `}}`
	rewrite(t, dir, content)

	written := len(all)
	var err error
	for ; err == nil && written < 400; written++ {
		_, err = f.Change(fmt.Sprint("txn_", written), func(a *annotations.Annotation) {
			a.Note = strings.Repeat("株", annotations.MaxNote)
		})
	}

	if got := len(opened(t, dir).Set()); !errors.Is(err, annotations.ErrFull) || got != written-1 || got <= len(all) {
		t.Errorf("%d are kept, of %d, %v", got, written, err)
	}
}

func TestAnUnreadFileIsNeverOverwritten(t *testing.T) {
	const secret = "severance"
	for name, c := range map[string]struct{ content, want string }{
		"damaged":       {`{"version":1,"transactions":{"` + secret, "damaged"},
		"another shape": {`["` + secret + `"]`, "damaged"},
		"no version":    {`{"transactions":{}}`, "damaged"},
		"newer":         {`{"version":2,"transactions":{"` + secret + `":{}}}`, "newer version"},
		"too large":     {strings.Repeat(secret, 100_000), "larger than"},
	} {
		dir := t.TempDir()
		f := opened(t, dir)
		categorize(t, f, "txn_1", "travel")
		path := rewrite(t, dir, c.content)

		late := annotations.NewFile(state.Directory(dir))
		err := late.Open("org_1")
		_, changed := late.Change("txn_2", func(a *annotations.Annotation) { a.Note = "x" })
		_, again := f.Change("txn_2", func(a *annotations.Annotation) { a.Note = "x" })

		for _, err := range []error{err, again} {
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if content, _ := os.ReadFile(path); string(content) != c.content || changed == nil {
			t.Errorf("%s: it was overwritten, %v", name, changed)
		}
		if n, err := annotations.Check(state.Directory(dir)); n != 1 || err == nil {
			t.Errorf("%s: the check finds %d files, %v", name, n, err)
		}
	}
}

func TestAfterAFailedOpenTheEarlierFileIsNotChangedEither(t *testing.T) {
	dir := t.TempDir()
	f := opened(t, dir)
	categorize(t, f, "txn_1", "travel")
	rewrite(t, dir, "damaged")
	if err := f.Open("org_1"); !errors.Is(err, annotations.ErrDamaged) {
		t.Fatal(err)
	}
	rewrite(t, dir, `{"version":1}`)

	_, err := f.Change("txn_1", func(a *annotations.Annotation) { a.Note = "x" })

	if !errors.Is(err, annotations.ErrDamaged) {
		t.Error(err)
	}
}

func TestTextsFromTheFileAreCleanedAndBounded(t *testing.T) {
	dir := t.TempDir()
	f := opened(t, dir)
	categorize(t, f, "txn_1", "travel")
	content := `{"version":1,"transactions":{"txn_1":{"category":"a\u001b]52;c;x\u0007b\u202e","note":"x\ny"},` +
		`"txn_2":{"note":"` + strings.Repeat("n", 501) + `"},"\u001b[31m":{"note":"x"},"txn_3":{"note":" "}}}`
	rewrite(t, dir, content)

	got := opened(t, dir).Set()

	if a := got["txn_1"]; len(got) != 1 || strings.ContainsAny(a.Category+a.Note, "\x1b\x07\n\u202e") || a.Note != "x y" {
		t.Errorf("%q", got)
	}
}

// Several dashboards may be open at once: each keeps what the others have written.
func TestConcurrentProgramsLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for program := range 4 {
		f := opened(t, dir)
		group.Go(func() {
			for n := range 10 {
				_, err := f.Change(fmt.Sprintf("txn_%d_%d", program, n), func(a *annotations.Annotation) { a.Note = "x" })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := opened(t, dir).Set(); len(got) != 40 {
		t.Errorf("%d of 40 are there", len(got))
	}
}

func TestBeforeItIsReadNothingCanBeChanged(t *testing.T) {
	f := annotations.NewFile(state.Directory(t.TempDir()))
	_, err := f.Change("txn_1", func(a *annotations.Annotation) { a.Note = "x" })
	if !errors.Is(err, annotations.ErrUnread) {
		t.Error(err)
	}
}
