package main

import (
	"bytes"
	"debug/buildinfo"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The test binary serves as the released program.
func TestAListThatIsNotOfTheProgramIsRefused(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	var modules []*module
	for _, m := range info.Deps {
		modules = append(modules, &module{path: m.Path, version: m.Version})
	}
	if _, err := sumsIn(program, modules); err != nil {
		t.Error(err)
	}
	modules = append(modules, &module{path: "example.com/other", version: "v1.0.0"})
	if _, err := sumsIn(program, modules); err == nil || !strings.Contains(err.Error(), "example.com/other@v1.0.0") {
		t.Errorf("the error is %v", err)
	}
	if _, err := sumsIn([]byte("no program"), nil); err == nil {
		t.Error("something that is no program has sums")
	}
}

func TestAReleaseIsSaidInFull(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		epoch string
		want  string
	}{
		"no version":                 {"-out x", "1790000000", "-version"},
		"a version like no tag":      {"-version 1.2 -out x", "1790000000", "-version"},
		"no date":                    {"-version v1.2.3 -out x", "", "SOURCE_DATE_EPOCH"},
		"nowhere":                    {"-version v1.2.3", "1790000000", "-out DIR"},
		"an unknown platform":        {"-version v1.2.3 -out x -targets plan9/amd64", "1790000000", "plan9/amd64"},
		"an address with a quote":    {`-version v1.2.3 -out x -home https://x.example/"`, "1790000000", "-home"},
		"an address without https":   {"-version v1.2.3 -out x -home http://x.example", "1790000000", "-home"},
		"a directory that is in use": {"-version v1.2.3-rc.1 -out .", "1790000000", "exists"},
	} {
		err := run(t.Context(), strings.Split(c.args, " "), c.epoch, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, c.want)
		}
	}
}

// Links to files of the project work in an archive and in a package, too.
func TestDocumentsLinkToFilesOfTheArchive(t *testing.T) {
	shipped := map[string]bool{}
	for _, pattern := range accompanying {
		names, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			shipped[filepath.Clean(name)] = true
		}
	}
	link, checked := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`), 0
	for name := range shipped {
		if filepath.Ext(name) != ".md" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(text), -1) {
			checked++
			if !shipped[filepath.Join(filepath.Dir(name), match[1])] {
				t.Errorf("%s links to %s, which no archive has", name, match[1])
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d links were checked", checked)
	}
}
