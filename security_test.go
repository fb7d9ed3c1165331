package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tests that docs/security.md names as proof exist.
func TestSecurityNamesTestsThatThereAre(t *testing.T) {
	declared := slices.Concat(slices.Collect(maps.Values(declaredTests(t)))...)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(read(t, "docs/security.md"), -1)
	for _, match := range named {
		if !slices.Contains(declared, match[1]) {
			t.Errorf("there is no test %s", match[1])
		}
	}
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
}

// go test succeeds if a pattern of -run matches nothing, so each part of a pattern in
// docs/reliability.md must match a test of its packages.
func TestReliabilityRunsTestsThatThereAre(t *testing.T) {
	declared, checked := declaredTests(t), 0
	command := regexp.MustCompile(`go test (?:\S* )*?-run (?:'[^']+'|[^\s';` + "`" + `]+)`)
	for _, words := range command.FindAllString(strings.ReplaceAll(read(t, "docs/reliability.md"), `\|`, "|"), -1) {
		packages, pattern, _ := strings.Cut(strings.TrimPrefix(words, "go test"), "-run ")
		var tests []string
		for _, dir := range strings.Fields(packages) {
			tests = append(tests, declared[filepath.Clean(dir)]...)
		}
		for part := range strings.SplitSeq(strings.Trim(pattern, "'"), "|") {
			checked++
			if !slices.ContainsFunc(tests, regexp.MustCompile(part).MatchString) {
				t.Errorf("%s: no test is like %s", words, part)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d patterns were checked", checked)
	}
}

// declaredTests returns the names of all tests and fuzz targets, by directory.
func declaredTests(t *testing.T) map[string][]string {
	t.Helper()
	declared := map[string][]string{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		content, err := os.ReadFile(file)
		for _, match := range function.FindAllSubmatch(content, -1) {
			declared[filepath.Dir(file)] = append(declared[filepath.Dir(file)], string(match[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return declared
}
