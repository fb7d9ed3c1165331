package admin_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestAKeyIsCreatedApartFromTheDatabaseAndNeverReplaced(t *testing.T) {
	dir := t.TempDir()
	o := operated{TB: t, db: filepath.Join(dir, "tarmac.db")}
	path := filepath.Join(t.TempDir(), "key")
	if got := o.object("key", "create", path); got["key_file"] != path {
		t.Errorf("key create --json: %v", got)
	}
	made, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	o.refused(1, path+" exists and was not changed", "key", "create", path)
	o.refused(1, "cannot be created", "key", "create", filepath.Join(dir, "none", "key"))
	o.refused(2, "needs the name of the file", "key", "create")
	o.must("org", "create", "Northlight Labs", "--key-file", path)

	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, made) {
		t.Errorf("the key was replaced, or %v", err)
	}
	if _, err := os.Stat(o.db + ".key"); err == nil {
		t.Error("a second key is beside the database")
	}
}
