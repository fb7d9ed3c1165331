package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

func listed(t testing.TB, c contents) bom {
	t.Helper()
	written, err := billOfMaterials(c)
	if err != nil {
		t.Fatal(err)
	}
	again, err := billOfMaterials(c)
	if err != nil || !bytes.Equal(written, again) {
		t.Errorf("the same program is listed in two ways (%v)", err)
	}
	var b bom
	if err := json.Unmarshal(written, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

func someContents() contents {
	mit := []text{{licence: "MIT"}, {licence: "LicenseRef-SQLite-public-domain"}, {}}
	return contents{
		version: "v1.2.3", platform: platform{"linux", "arm64"}, date: someday, program: []byte("program"),
		standard: &module{path: "std", version: "1.26.8", texts: mit[:1]},
		modules: []*module{
			{path: "example.com/a", version: "v1.0.0+incompatible", texts: mit, uses: []string{"example.com/b"}},
			{path: "example.com/b", version: "v2.0.0", texts: mit[:1]},
		},
		font: &module{
			path: "fonts-droid-fallback", version: "1:2.0",
			directory: filepath.Join("..", "..", "service", "invoicepdf", "fonts"), texts: []text{{licence: "Apache-2.0"}},
		},
		direct: []string{"example.com/a"},
		sums: map[string]string{
			"example.com/a": "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
			"example.com/b": "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
		},
	}
}

func TestTheListNamesEveryModuleWithSumAndLicence(t *testing.T) {
	b := listed(t, someContents())
	if b.Format != "CycloneDX" || b.Spec != "1.6" ||
		!regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(b.Serial) {
		t.Errorf("it is %s %s %s", b.Format, b.Spec, b.Serial)
	}
	var names []string
	for _, c := range b.Components {
		names = append(names, c.PURL)
	}
	want := []string{
		"pkg:golang/std@1.26.8",
		"pkg:golang/example.com/a@v1.0.0%2Bincompatible",
		"pkg:golang/example.com/b@v2.0.0",
		"pkg:deb/debian/fonts-droid-fallback@1%3A2.0",
	}
	if !slices.Equal(names, want) {
		t.Errorf("it names %v, want %v", names, want)
	}
	a := b.Components[1]
	if a.Hashes[0].Content != "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" {
		t.Errorf("the sum is %s", a.Hashes[0].Content)
	}
	if !slices.Equal(a.Licences, []licenceChoice{{bomLicence{Name: "SQLite-public-domain"}}, {bomLicence{ID: "MIT"}}}) {
		t.Errorf("the licences are %v", a.Licences)
	}
}

func TestTheListSaysWhatComesThroughWhat(t *testing.T) {
	b := listed(t, someContents())
	on := map[string][]string{}
	for _, d := range b.Dependencies {
		on[d.Ref] = d.On
	}
	if got := on["pkg:generic/tarmac@v1.2.3"]; !slices.Equal(
		got,
		[]string{"pkg:golang/std@1.26.8", "pkg:golang/example.com/a@v1.0.0%2Bincompatible",
			"pkg:deb/debian/fonts-droid-fallback@1%3A2.0"},
	) {
		t.Errorf("tarmac depends on %v", got)
	}
	if got := on["pkg:golang/example.com/a@v1.0.0%2Bincompatible"]; !slices.Equal(got,
		[]string{"pkg:golang/example.com/b@v2.0.0"}) {
		t.Errorf("a depends on %v", got)
	}
	for _, c := range b.Components {
		if _, ok := on[c.Ref]; !ok {
			t.Errorf("nothing is said of what %s depends on", c.Ref)
		}
	}
}

func TestAModuleWithoutASumIsNotListed(t *testing.T) {
	c := someContents()
	delete(c.sums, "example.com/b")
	if _, err := billOfMaterials(c); err == nil {
		t.Error("it is listed")
	}
}

func TestAnotherProgramHasAnotherNumber(t *testing.T) {
	c := someContents()
	first := listed(t, c).Serial
	c.program = []byte("another")
	if listed(t, c).Serial == first {
		t.Error("both lists have one number")
	}
}
