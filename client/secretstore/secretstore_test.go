package secretstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"tarmac/apiclient"
	"tarmac/client/secretstore"
)

// bus is an environment with a session bus.
func bus(name string) string {
	return map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}[name]
}

// hung is a keyring that never responds.
type hung struct{ asked chan struct{} }

func (h hung) wait() error {
	h.asked <- struct{}{}
	select {}
}
func (h hung) Get(string) (string, error) { return "", h.wait() }
func (h hung) Set(string, string) error   { return h.wait() }
func (h hung) Delete(string) error        { return h.wait() }

func newStore(t testing.TB, k secretstore.Keyring) *secretstore.Store {
	t.Helper()
	patience := time.Hour
	if _, never := k.(hung); never {
		patience = time.Millisecond
	}
	return secretstore.New(
		secretstore.Options{Keyring: k, Directory: filepath.Join(t.TempDir(), "tokens"), Timeout: patience},
	)
}

func tokenOf(t testing.TB, s *secretstore.Store, profile string) (string, secretstore.Location) {
	t.Helper()
	token, place, err := s.Get(profile)
	if err != nil {
		t.Fatalf("%s: %v", profile, err)
	}
	return token.Reveal(), place
}

func TestTokensAreKeptInTheKeyring(t *testing.T) {
	keyring.MockInit()
	dir := t.TempDir()
	s := secretstore.New(secretstore.Options{Keyring: secretstore.System(bus), Directory: dir})
	if err := s.CheckKeyring(); err != nil {
		t.Fatal(err)
	}
	for profile, token := range map[string]apiclient.Token{"acme": "svc_org_acme", "north": "svc_org_north"} {
		if place, err := s.Put(profile, token); err != nil || place.File != "" || place.String() != "the system keyring" {
			t.Fatalf("%s: %+v, %v", profile, place, err)
		}
	}
	if token, place := tokenOf(t, s, "acme"); token != "svc_org_acme" || place.File != "" {
		t.Errorf("%q in %s", token, place)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("files were made: %v, %v", entries, err)
	}
	if err := s.Delete("acme"); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Get("acme"); !errors.Is(err, secretstore.ErrNone) || errors.Is(err, secretstore.ErrNoKeyring) {
		t.Errorf("after it was deleted: %v", err)
	}
	if err := s.Delete("acme"); !errors.Is(err, secretstore.ErrNone) {
		t.Errorf("deleted twice: %v", err)
	}
	if token, _ := tokenOf(t, s, "north"); token != "svc_org_north" {
		t.Errorf("the other is %q", token)
	}
}

func TestTokensAreKeptInFilesWhereNoKeyringAnswers(t *testing.T) {
	asked := make(chan struct{}, 10)
	keyring.MockInitWithError(errors.New("the \x1b[31mcollection\nis locked"))
	for name, c := range map[string]struct {
		keyring secretstore.Keyring
		reason  string
	}{
		"none":    {nil, "no keyring answers: there is none"},
		"failing": {secretstore.System(bus), "no keyring answers: the collection is locked"},
		"hung":    {hung{asked}, "no keyring answers within 1ms"},
	} {
		s := newStore(t, c.keyring)
		place, err := s.Put("acme", "svc_org_acme")
		if err != nil || place.Reason == nil || place.Reason.Error() != c.reason ||
			place.File != filepath.Join(s.Directory(), "acme") {
			t.Errorf("%s: %+v, %v", name, place, err)
			continue
		}
		if info, err := os.Stat(place.File); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		if token, from := tokenOf(t, s, "acme"); token != "svc_org_acme" || from.File != place.File {
			t.Errorf("%s: %q in %s", name, token, from)
		}
		if err := s.Delete("acme"); errors.Is(err, secretstore.ErrNone) ||
			errors.Is(err, secretstore.ErrNoKeyring) != (c.keyring != nil) {
			t.Errorf("%s: deleting: %v", name, err)
		}
		if err := s.Delete("acme"); !errors.Is(err, secretstore.ErrNone) ||
			errors.Is(err, secretstore.ErrNoKeyring) != (c.keyring != nil) {
			t.Errorf("%s: deleting twice: %v", name, err)
		}
		if _, _, err := s.Get("acme"); !errors.Is(err, secretstore.ErrNone) || !errors.Is(err, secretstore.ErrNoKeyring) {
			t.Errorf("%s: after it was deleted: %v", name, err)
		}
	}
	if len(asked) != 1 {
		t.Errorf("the keyring that hangs was asked %d times", len(asked))
	}
}

// Once the keyring responds again, the next token goes there and the file is deleted.
func TestAKeyringThatCameBackTakesOver(t *testing.T) {
	keyring.MockInit()
	dir := t.TempDir()
	without := secretstore.New(secretstore.Options{Directory: dir})
	if _, err := without.Put("acme", "svc_org_old"); err != nil {
		t.Fatal(err)
	}
	with := secretstore.New(secretstore.Options{Keyring: secretstore.System(bus), Directory: dir})
	if token, place := tokenOf(t, with, "acme"); token != "svc_org_old" || place.File == "" {
		t.Errorf("before: %q in %s", token, place)
	}
	if _, err := with.Put("acme", "svc_org_new"); err != nil {
		t.Fatal(err)
	}
	if token, place := tokenOf(t, with, "acme"); token != "svc_org_new" || place.File != "" {
		t.Errorf("after: %q in %s", token, place)
	}
	if _, _, err := without.Get("acme"); !errors.Is(err, secretstore.ErrNone) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestATokenFileThatOthersCanReadIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes there")
	}
	s := newStore(t, nil)
	place, err := s.Put("acme", "svc_org_acme")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(place.File, 0o640); err != nil {
		t.Fatal(err)
	}
	token, _, err := s.Get("acme")
	if err == nil || token != "" || !strings.Contains(err.Error(), "chmod 600 "+place.File) ||
		errors.Is(err, secretstore.ErrNone) {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNoTokenIsNotKept(t *testing.T) {
	keyring.MockInit()
	s := newStore(t, secretstore.System(bus))
	for _, token := range []apiclient.Token{"", "two words", "line\n"} {
		if _, err := s.Put("acme", token); err == nil {
			t.Errorf("%q was kept", token.Reveal())
		}
	}
	if _, _, err := s.Get("acme"); !errors.Is(err, secretstore.ErrNone) {
		t.Errorf("%v", err)
	}
}
