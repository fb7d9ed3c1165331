package main

import (
	"os"
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
				continue // another site's
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

// documents returns the pages for people, README.md first.
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

// headings returns the text of a page's headings, outside blocks of code.
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

// anchors returns what links to a page's headings end with.
func anchors(page string) []string {
	dropped := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	found := headings(page)
	for i, name := range found {
		found[i] = strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(name), ""), " ", "-")
	}
	return found
}
