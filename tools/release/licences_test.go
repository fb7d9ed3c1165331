package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mitText = `MIT License

Copyright (c) 2020 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions: …

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED.`
	bsdText = `Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES`
)

func TestLicencesAreKnownByTheirWords(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"MIT", mitText, "MIT"},
		{"MIT as a comment", "// " + strings.ReplaceAll(mitText, "\n", "\n// "), "MIT"},
		{"MIT with quotes of print", strings.NewReplacer(`"AS`, "“AS", `IS"`, "IS”").Replace(mitText), "MIT"},
		{"MIT without attribution", strings.Replace(mitText, "MIT License", "MIT No Attribution", 1), "MIT-0"},
		{"two clauses", bsdText, "BSD-2-Clause"},
		{"three clauses", bsdText + "\nNeither the name may be used to\nendorse or promote products derived from " +
			"this\nsoftware without specific prior written permission.", "BSD-3-Clause"},
		{"MIT without its warranty", strings.Split(mitText, "THE SOFTWARE")[0], ""},
		{"MIT, not for sale", mitText + "\n“Commons Clause” License Condition v1.0", ""},
		{"MIT, not for business", mitText + "\nOnly for non-commercial purposes.", ""},
		{"MIT, for good", mitText + "\nThe Software shall be used for Good, not Evil.", ""},
		{"MIT, or GPL", mitText + "\nor the GNU General Public License", ""},
		{"MPL", "Mozilla Public License Version 2.0", ""},
		{"nothing", "", ""},
	} {
		if got := licence(c.text); got != c.want {
			t.Errorf("%s: it is taken for %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAModuleNeedsAPermittedLicenceWhereItsPackagesAre(t *testing.T) {
	gpl := "GNU GENERAL PUBLIC LICENSE Version 3"
	for _, c := range []struct {
		name    string
		files   map[string]string
		refused string
	}{
		{"permitted", map[string]string{"LICENSE": mitText, "NOTICE": "made by somebody"}, ""},
		{"none", map[string]string{"README.md": mitText}, "has no licence"},
		{"a notice alone", map[string]string{"NOTICE": mitText}, "has no licence"},
		{"not permitted", map[string]string{"COPYING": gpl},
			"COPYING of example.com/m@v1.0.0 is no licence that is permitted"},
		{"not permitted beside one that is", map[string]string{"LICENSE": mitText, "LICENSE-DOCS": gpl}, "LICENSE-DOCS of"},
		{"not permitted in a package", map[string]string{"LICENSE": mitText, "used/inner/LICENSE.txt": gpl},
			"used/inner/LICENSE.txt of"},
		{"not permitted between", map[string]string{"LICENSE": mitText, "used/LICENCE": gpl}, "used/LICENCE of"},
		{"not permitted where nothing is used", map[string]string{"LICENSE": mitText, "other/LICENSE": gpl}, ""},
	} {
		m := &module{path: "example.com/m", version: "v1.0.0", directory: t.TempDir()}
		used := filepath.Join(m.directory, "used", "inner")
		m.packages = []string{m.directory, used}
		if err := os.MkdirAll(used, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, content := range c.files {
			file := filepath.Join(m.directory, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		texts, err := textsOf(m)
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: the error is %v, want %q", c.name, err, c.refused)
		case c.name == "permitted" && len(texts) != 2:
			t.Errorf("%s: %d texts go along, want both", c.name, len(texts))
		}
	}
}

func TestATextThatWasReadIsReadAgainWhenItChanges(t *testing.T) {
	m := &module{path: "modernc.org/memory", version: "v9.9.9", directory: t.TempDir()}
	m.packages = []string{m.directory}
	if err := os.WriteFile(filepath.Join(m.directory, "LICENSE-LOGO"), []byte("now ours"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := textsOf(m); err == nil || !strings.Contains(err.Error(), "has changed since it was read") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheLicencesOfAllModulesInTheProgramAreInTheNotices(t *testing.T) {
	modules := modulesHere(t)
	var want bytes.Buffer
	if err := writeNotices(&want, modules); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../THIRD_PARTY_NOTICES")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want.Bytes()) {
		t.Error(
			"THIRD_PARTY_NOTICES is of other modules or texts; run go run ./tools/release -notices > THIRD_PARTY_NOTICES, " +
				"and read what changes",
		)
	}
	if len(modules) < 10 || modules[0].path != "std" {
		t.Errorf("%d modules, the first %s", len(modules), modules[0].path)
	}
}

func modulesHere(t testing.TB) []*module {
	t.Helper()
	goCommand, err := newToolchain(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := goCommand.modulesOfAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return modules
}
