//go:build linux

package secretstore_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/zalando/go-keyring"

	"tarmac/client/secretstore"
)

// Without a session bus the library would start one that outlives the program.
func TestWithoutASessionBusTheKeyringIsNotAsked(t *testing.T) {
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(fmt.Sprintf("/run/user/%d/%s", os.Getuid(), name)); err == nil {
			t.Skip("there is a session bus here")
		}
	}
	keyring.MockInit()
	s := newStore(t, secretstore.System(func(string) string { return "" }))
	if err := s.CheckKeyring(); !errors.Is(err, secretstore.ErrNoKeyring) {
		t.Errorf("answers: %v", err)
	}
	if place, err := s.Put("acme", "svc_org_acme"); err != nil || place.File == "" {
		t.Errorf("%+v, %v", place, err)
	}
}
