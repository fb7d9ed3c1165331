package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"
)

// The tests that docs/security.md names as proof exist.
func TestSecurityNamesTestsThatThereAre(t *testing.T) {
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".go" {
			return err
		}
		content, err := os.ReadFile(file)
		for _, match := range function.FindAllSubmatch(content, -1) {
			declared[string(match[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join("docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllSubmatch(document, -1)
	for _, match := range named {
		if name := string(match[1]); !declared[name] {
			t.Errorf("there is no test %s", name)
		}
	}
	if len(named) < 50 {
		t.Errorf("only %d tests are named", len(named))
	}
}
