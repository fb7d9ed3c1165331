package draft_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/client/draft"
	"tarmac/client/state"
	"tarmac/internal/privatefile"
)

var now = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func sample(text string) draft.Draft {
	return draft.Draft{
		Key: "k-1", SavedAt: now, RecipientName: text, RecipientEmail: "a@b.example", Description: text, DueDate: "net 3",
		Notes: text,
		Lines: []draft.Line{{Description: text, Quantity: "1.", UnitPrice: "1,2"}, {}},
	}
}

func TestADraftComesBackAsItWasTyped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	want := sample("Łukasz \"株式会社\"\u2028 \\ half a line")
	want.SentAt = now.Add(-time.Minute)
	if err := draft.NewStore(state.Directory(dir)).Save("org_1", 1, want); err != nil {
		t.Fatal(err)
	}
	got, err := draft.NewStore(state.Directory(dir)).Load("org_1", now)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := draft.NewStore(state.Directory(dir)).Load("org_2", now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another organization's draft: %v", err)
	}
}

func TestOnlyItsOwnerCanReadADraft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	dir := filepath.Join(t.TempDir(), "drafts")
	if err := draft.NewStore(state.Directory(dir)).Save("org_1", 1, sample("x")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "proposal-org_1.json"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestDraftsAreRemovedOnce(t *testing.T) {
	s := draft.NewStore(state.Directory(t.TempDir()))
	if err := s.Discard("org_1", 1); err != nil {
		t.Errorf("there is nothing to remove: %v", err)
	}
	if err := errors.Join(s.Save("org_1", 2, sample("x")), s.Discard("org_1", 3)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("org_1", now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was discarded: %v", err)
	}
}

// Concurrent saves and discards leave the result of the last turn.
func TestTheLastDecisionStays(t *testing.T) {
	for _, last := range []string{"saved", "discarded"} {
		s := draft.NewStore(state.Directory(t.TempDir()))
		var all sync.WaitGroup
		const turns = 40
		for turn := uint64(1); turn <= turns; turn++ {
			all.Go(func() {
				var err error
				if turn == turns && last == "discarded" {
					err = s.Discard("org_1", turn)
				} else {
					err = s.Save("org_1", turn, sample(strings.Repeat("x", int(turn))))
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		got, err := s.Load("org_1", now)
		if last == "saved" && (err != nil || len(got.Notes) != turns) {
			t.Errorf("a draft of turn %d stayed, %v", len(got.Notes), err)
		}
		if last == "discarded" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a discarded draft came back: %v", err)
		}
	}
}

func TestWhatIsNoDraftIsSetAside(t *testing.T) {
	for content, want := range map[string]error{
		"":                               draft.ErrCorrupt,
		"{":                              draft.ErrCorrupt,
		"[]":                             draft.ErrCorrupt,
		"\x00\x00\x00\x00":               draft.ErrCorrupt,
		`{"version":0}`:                  draft.ErrCorrupt,
		`{"key":"k"}`:                    draft.ErrCorrupt,
		`{"version":1,"lines":7}`:        draft.ErrCorrupt,
		`{"version":2,"lines":7}`:        draft.ErrNewer,
		`{"version":99,"key":{"a":1}}`:   draft.ErrNewer,
		strings.Repeat(" ", 5<<20):       draft.ErrCorrupt,
		`{"version":1,"key":"k"} {"a":1`: draft.ErrCorrupt,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "proposal-org_1.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s := draft.NewStore(state.Directory(dir))
		_, err := s.Load("org_1", now)
		var aside *draft.RenamedError
		if !errors.As(err, &aside) || !errors.Is(err, want) {
			t.Errorf("%.30q: %v", content, err)
			continue
		}
		if kept, err := os.ReadFile(aside.Path); err != nil || string(kept) != content {
			t.Errorf("%.30q is not kept at %s: %v", content, aside.Path, err)
		}
		if err := s.Save("org_1", 1, sample("anew")); err != nil {
			t.Error(err)
		}
		if got, err := s.Load("org_1", now); err != nil || got.Notes != "anew" {
			t.Errorf("after it was set aside: %v, %v", got, err)
		}
	}
}

func TestADirectoryInADraftsPlaceIsSetAside(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "proposal-org_1.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := draft.NewStore(state.Directory(dir)).Load("org_1", now); !errors.Is(err, draft.ErrCorrupt) {
		t.Errorf("%v", err)
	}
}

func TestAFailureToSaveLeavesTheDraftThatWasThere(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("no directory is closed to this user")
	}
	dir := t.TempDir()
	s := draft.NewStore(state.Directory(dir))
	if err := s.Save("org_1", 1, sample("first")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if err := s.Save("org_1", 2, sample("second")); err == nil {
		t.Error("it was saved into a closed directory")
	}
	if got, err := s.Load("org_1", now); err != nil || got.Notes != "first" {
		t.Errorf("%v, %v", got, err)
	}
}

// Organizations never share a file, and no id leaves the directory.
func TestEveryOrganizationHasAFileOfItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "drafts")
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringOfN(rapid.RuneFrom([]rune("ab/\\.%0:* \x00é")), 0, 12, -1), 2, 2,
			rapid.ID).
			Draw(t, "ids")
		for i, id := range ids {
			if err := draft.NewStore(state.Directory(dir)).Save(id, 1, sample(ids[i])); err != nil {
				t.Fatalf("%q: %v", id, err)
			}
		}
		for _, id := range ids {
			if got, err := draft.NewStore(state.Directory(dir)).Load(id, now); err != nil ||
				got.Notes != strings.ToValidUTF8(id, "") {
				t.Fatalf("%q holds %q, %v", id, got.Notes, err)
			}
			if err := draft.NewStore(state.Directory(dir)).Discard(id, 1); err != nil {
				t.Fatal(err)
			}
		}
	})
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 1 {
		t.Errorf("beside the directory: %v, %v", left, err)
	}
}

func TestServersWithTheSameOrganizationHaveDraftsOfTheirOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "drafts")
	one, other := draft.OrgKey("https://a.example", "org_1"), draft.OrgKey("https://b.example", "org_1")
	s := draft.NewStore(state.Directory(dir))
	if err := s.Save(one, 1, sample("one")); err != nil {
		t.Fatal(err)
	}
	if _, beside, err := draft.NewStore(state.Directory(dir)).Open(other, now); !errors.Is(err, fs.ErrNotExist) ||
		beside {
		t.Errorf("the other server has %v, beside one: %v", err, beside)
	}
	if d, _, err := draft.NewStore(state.Directory(dir)).Open(one, now); err != nil || d.Notes != "one" {
		t.Errorf("%q, %v", d.Notes, err)
	}
}

// Older versions stored drafts under the organization's id alone.
func TestADraftFromBeforeIsTakenOverOnceAndFromNobodyWhoHasIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "drafts")
	before := draft.NewStore(state.Directory(dir))
	if _, _, err := before.Open("org_1", now); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if err := before.Save("org_1", 1, sample("from before")); err != nil {
		t.Fatal(err)
	}
	one, other := draft.OrgKey("https://a.example", "org_1"), draft.OrgKey("https://b.example", "org_1")
	if runtime.GOOS != "windows" && runtime.GOOS != "plan9" {
		early := draft.NewStore(state.Directory(dir))
		if d, _, err := early.Open(one, now); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it took %q, %v from a program that has it", d.Notes, err)
		}
		if err := early.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	s := draft.NewStore(state.Directory(dir))
	if d, _, err := s.Open(one, now); err != nil || d.Notes != "from before" {
		t.Fatalf("%q, %v", d.Notes, err)
	}
	if err := s.Save(one, 1, sample("and on")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("org_1", now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still where it was: %v", err)
	}
	if d, _, err := draft.NewStore(state.Directory(dir)).Open(other, now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the other server has it too: %q, %v", d.Notes, err)
	}
}

// A directory that others can write to would let them change a draft's recipient.
func TestADirectoryThatOthersCanWriteToKeepsNoDrafts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("directories have no modes")
	}
	dir := t.TempDir()
	s := draft.NewStore(state.Directory(dir))
	if err := s.Save("org_1", 1, sample("x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("org_1", now); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("it is read: %v", err)
	}
	if _, _, err := s.Open("org_1", now); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("it is opened: %v", err)
	}
	if err := s.Save("org_1", 2, sample("y")); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("it is saved: %v", err)
	}
}

func TestADraftIsReadWhereNothingCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := draft.NewStore(state.Directory(dir)).Save("org_1", 1, sample("x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".proposal-org_1.lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := draft.NewStore(state.Directory(dir))
	defer s.Close()
	if d, beside, err := s.Open("org_1", now); err != nil || beside || d.Notes != "x" {
		t.Errorf("%+v, %v, %v", d, beside, err)
	}
}

func TestADraftThatCannotBeReadIsNotWrittenOver(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("no file is closed to this user")
	}
	dir := t.TempDir()
	s := draft.NewStore(state.Directory(dir))
	if err := s.Save("org_1", 1, sample("first")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "proposal-org_1.json"), 0); err != nil {
		t.Fatal(err)
	}
	_, err := s.Load("org_1", now)
	var aside *draft.RenamedError
	if !errors.As(err, &aside) {
		t.Fatal(err)
	}
	if err := errors.Join(s.Save("org_1", 2, sample("second")), os.Chmod(aside.Path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(aside.Path); err != nil || !strings.Contains(string(content), "first") {
		t.Errorf("%s, %v", content, err)
	}
}

func TestADirectoryThatCannotBeMadeIsNamedWithWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	store := draft.NewStore(state.Directory(filepath.Join(file, "tarmac")))

	_, _, err := store.Open("org_1", time.Now())

	before, after := "drafts cannot be kept: "+file, "; choose another directory with XDG_STATE_HOME"
	if err == nil || !strings.HasPrefix(err.Error(), before) || !strings.HasSuffix(err.Error(), after) {
		t.Errorf("%v, want %s…%s", err, before, after)
	}
}
