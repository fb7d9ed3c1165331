package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestDocumentsLinkToWhatExists(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	checked := 0
	for _, document := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, document), -1) {
			file, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(file, ":") {
				continue // a link to another site
			}
			checked++
			target := document
			if file != "" {
				target = filepath.Join(filepath.Dir(document), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is no file", document, match[1])
			} else if anchor != "" && !slices.Contains(anchors(read(t, target)), anchor) {
				t.Errorf("%s links to %s, which is no heading there", document, match[1])
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d links were checked", checked)
	}
}

// The map in docs/architecture.md names every package that is shipped, and no folder that is gone.
func TestTheMapOfTheArchitectureIsWhole(t *testing.T) {
	_, rest, _ := strings.Cut(read(t, "docs/architecture.md"), "```")
	plan, _, _ := strings.Cut(rest, "```")
	named := map[string]int{}
	for field := range strings.FieldsSeq(plan) {
		if name, folder := strings.CutSuffix(field, "/"); folder {
			named[name]++
		}
	}
	gone := maps.Clone(named)
	delete(gone, "packaging") // has no programs
	apart := regexp.MustCompile(`^(?:\.ci|e2e|examples|tools|internal/testsupport|.*/testdata)(?:/|$)`)
	shipped := map[string][]string{} // folders by their last names
	folders := map[string]bool{}
	for _, file := range sources(t) {
		folder := filepath.ToSlash(filepath.Dir(file))
		if base := path.Base(folder); folder != "." && !folders[folder] && !apart.MatchString(folder) {
			shipped[base] = append(shipped[base], folder)
		}
		folders[folder] = true
		for name := range strings.SplitSeq(folder, "/") {
			delete(gone, name)
		}
	}

	for name, all := range shipped {
		if named[name] < len(all) {
			t.Errorf("the map has %s/ %d times, and the folders are %q", name, named[name], all)
		}
	}
	for name := range gone {
		t.Errorf("the map has %s/, which is no folder", name)
	}
}

// Comments refer to rules of the API by headings of docs/api.md, since the numbered
// specification is not public.
func TestCommentsNameRulesOfTheAPI(t *testing.T) {
	rules := headings(read(t, "docs/api.md"))
	page := regexp.MustCompile(`docs/api\.md`)
	reference := regexp.MustCompile(`docs/api\.md, ([^();]+)\)`)
	number := regexp.MustCompile(
		`\b(?:[Ss]pecification|[Dd]ecisions?)(?:'s)?,? \(?(?:section )?[0-9]|(?:RFC [0-9]+, )?\bsection [0-9]`,
	)
	named := 0
	for _, file := range sources(t) {
		text := joinedComments(read(t, file))
		found := reference.FindAllStringSubmatch(text, -1)
		if mentioned := len(page.FindAllString(text, -1)); mentioned != len(found) {
			t.Errorf("%s mentions docs/api.md %d times, and %d times as (docs/api.md, Rule)", file, mentioned, len(found))
		}
		for _, match := range found {
			for rule := range strings.SplitSeq(match[1], ", ") {
				named++
				if !slices.Contains(rules, rule) {
					t.Errorf("%s names %q, which is no heading of docs/api.md", file, rule)
				}
			}
		}
		for _, match := range number.FindAllString(text, -1) {
			if !strings.Contains(match, "RFC") {
				t.Errorf("%s refers to %q by its number; name the rule", file, match)
			}
		}
	}
	if named < 100 {
		t.Errorf("only %d rules are named", named)
	}
}

// sources returns the contract and every Go file but this one.
func sources(t *testing.T) []string {
	t.Helper()
	files := []string{"openapi.yaml"}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(file) == ".go" && file != "documents_test.go" {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// joinedComments returns source code with each comment on one line.
func joinedComments(source string) string {
	return regexp.MustCompile(`\r?\n[\t ]*// ?`).ReplaceAllString(source, " ")
}

// documents returns the Markdown pages, README.md first.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	top, topErr := filepath.Glob("*.md")
	if err != nil || topErr != nil || !slices.Contains(top, "README.md") {
		t.Fatal(err, topErr, top)
	}
	return append(top, pages...)
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// headings returns the headings of a page, ignoring code blocks.
func headings(page string) (found []string) {
	code := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if name := strings.TrimLeft(line, "#"); !code && name != line {
			found = append(found, strings.TrimSpace(name))
		}
	}
	return found
}

// anchors returns the link anchors of a page's headings.
func anchors(page string) []string {
	dropped := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	found := headings(page)
	for i, name := range found {
		found[i] = strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(name), ""), " ", "-")
	}
	return found
}
