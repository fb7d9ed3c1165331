package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// embedded returns the only file by other authors that is in this repository and embedded in the
// program: the font of Debian's package fonts-droid-fallback. It is described like a module, with
// its licence.
func (t *toolchain) embedded() (*module, error) {
	m := &module{
		path:      "fonts-droid-fallback",
		version:   "1:6.0.1r16-1.1",
		directory: filepath.Join(t.directory, "service", "invoicepdf", "fonts"),
	}
	m.packages = []string{m.directory}
	var err error
	m.texts, err = textsOf(m)
	return m, err
}

// describedFont returns the entry of the embedded font in the bill of materials.
func describedFont(m *module) (component, error) {
	ttf, err := os.ReadFile(filepath.Join(m.directory, "DroidSansFallback.ttf"))
	if err != nil {
		return component{}, err
	}
	hash := sha256.Sum256(ttf)
	ref := debianPURL(m)
	return component{
		Type: "file", Ref: ref, Name: m.path, Version: m.version, PURL: ref,
		Hashes: []bomHash{{"SHA-256", hex.EncodeToString(hash[:])}}, Licences: licenceChoices(m),
	}, nil
}

func debianPURL(m *module) string {
	return "pkg:deb/debian/" + m.path + "@" + strings.ReplaceAll(m.version, ":", "%3A")
}
