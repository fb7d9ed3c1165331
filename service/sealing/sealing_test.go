package sealing_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"tarmac/service/sealing"
)

func newKey(t testing.TB) sealing.Key {
	t.Helper()
	key, err := sealing.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Changing any one bit makes a sealed text unreadable too.
func TestOnlyTheSameKeyAndContextOpenASealedText(t *testing.T) {
	key, other := newKey(t), newKey(t)
	rapid.Check(t, func(t *rapid.T) {
		plain, context := rapid.String().Draw(t, "plain"), rapid.String().Draw(t, "context")
		sealed, err := key.Seal(rand.Reader, plain, context)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := key.Open(sealed, context); err != nil || got != plain {
			t.Fatalf("%q, %v", got, err)
		}
		if len(plain) > 3 && bytes.Contains(sealed, []byte(plain)) {
			t.Fatal("the text shows")
		}
		if got, err := other.Open(sealed, context); err == nil {
			t.Fatalf("another key opens it: %q", got)
		}
		if got, err := key.Open(sealed, context+"x"); err == nil {
			t.Fatalf("another context opens it: %q", got)
		}
		bit := rapid.IntRange(0, 8*len(sealed)-1).Draw(t, "bit")
		sealed[bit/8] ^= 1 << (bit % 8)
		if got, err := key.Open(sealed, context); err == nil {
			t.Fatalf("opens after bit %d was changed: %q", bit, got)
		}
	})
}

func TestSealingATextTwiceGivesDifferentResults(t *testing.T) {
	key := newKey(t)
	var sealed [2][]byte
	for i := range sealed {
		var err error
		if sealed[i], err = key.Seal(rand.Reader, "svc_whsec_x", "wh_1"); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(sealed[0], sealed[1]) {
		t.Error("sealing shows which secrets are equal")
	}
}

func TestTheErrorOfOpenNamesTheCause(t *testing.T) {
	key := newKey(t)
	sealed, err := key.Seal(rand.Reader, "svc_whsec_hidden", "wh_1")
	if err != nil {
		t.Fatal(err)
	}
	newer := append([]byte{2}, sealed[1:]...)
	for name, c := range map[string]struct {
		sealed []byte
		want   string
	}{
		"nothing":       {nil, "the sealed secret of wh_1 is cut short; restore the database from a backup"},
		"the version":   {sealed[:1], "is cut short"},
		"almost enough": {sealed[:28], "is cut short"},
		"a part": {sealed[:len(sealed)-1],
			"cannot be decrypted; it was sealed with another key or has been changed"},
		"a newer version": {newer, "the sealed secret of wh_1 has version 2 and this program knows 1; use a newer program"},
	} {
		if got, err := key.Open(c.sealed, "wh_1"); err == nil || !strings.Contains(err.Error(), c.want) || got != "" {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestTheZeroKeyNeitherSealsNorOpens(t *testing.T) {
	var none sealing.Key
	if sealed, err := none.Seal(rand.Reader, "x", "wh_1"); err == nil {
		t.Errorf("sealed %x without a key", sealed)
	}
	if got, err := none.Open(make([]byte, 64), "wh_1"); err == nil {
		t.Errorf("opened %q without a key", got)
	}
	broken := iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, err := sealing.NewKey(broken); err == nil {
		t.Error("a key of no entropy")
	}
	if _, err := newKey(t).Seal(broken, "x", "wh_1"); err == nil {
		t.Error("sealed without entropy")
	}
}

func TestTheFingerprintIdentifiesTheKeyWithoutRevealingIt(t *testing.T) {
	master := bytes.Repeat([]byte{7}, 32)
	same := func() sealing.Key {
		key, err := sealing.NewKey(bytes.NewReader(master))
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	fingerprint := same().Fingerprint()
	if len(fingerprint) != 32 || !bytes.Equal(fingerprint, same().Fingerprint()) ||
		bytes.Equal(fingerprint, newKey(t).Fingerprint()) {
		t.Errorf("the fingerprint is %x", fingerprint)
	}
	if bytes.Contains(fingerprint, master[:8]) {
		t.Error("the fingerprint reveals the key")
	}
	clear(fingerprint)
	if !bytes.Equal(same().Fingerprint(), same().Fingerprint()) || bytes.Equal(fingerprint, same().Fingerprint()) {
		t.Error("changing a fingerprint changes the key's")
	}
}

func TestAKeyDoesNotShowItself(t *testing.T) {
	master := []byte("0123456789abcdefghijklmnopqrstuv")
	key, err := sealing.NewKey(bytes.NewReader(master))
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", key, "pointer", &key)
	marshalled, err := json.Marshal(struct{ K sealing.Key }{key})
	if err != nil {
		t.Fatal(err)
	}
	inside := struct{ key sealing.Key }{key}
	printed := fmt.Sprintf("%v %+v %#v %s %q %x %d", key, key, key, key, key, key, key) +
		fmt.Sprintf("%v %+v %#v", inside, inside, inside) + log.String() + string(marshalled)
	for _, secret := range []string{string(master), fmt.Sprintf("%x", master), fmt.Sprint(master), "0x30, 0x31, 0x32"} {
		if strings.Contains(printed, strings.Trim(secret, "[]")) {
			t.Errorf("the key shows: %s", printed)
		}
	}
	if got := key.String() + key.GoString(); got != "[key][key]" {
		t.Errorf("printed as %s", got)
	}
}
