package settings

import (
	"maps"
	"regexp"
	"strings"
)

// change sets or removes a key of a table in the text of a settings file and keeps all other text,
// such as comments. It handles only the usual forms of TOML, so callers must parse the result and
// check it.
type change struct {
	table string // "" for the top of the file
	key   string
	text  string // TOML; "" removes the key
}

var (
	tableLine = regexp.MustCompile(`^\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$`)
	keyLine   = regexp.MustCompile(`^\s*([A-Za-z0-9_-]+)\s*=`)
)

func (c change) apply(content string) string {
	lines := strings.SplitAfter(content, "\n")
	start, end := c.region(lines)
	if start < 0 {
		if c.text == "" {
			return content
		}
		return terminated(content) + "\n[" + c.table + "]\n" + c.line()
	}
	for i := start; i < end; i++ {
		if m := keyLine.FindStringSubmatch(lines[i]); m != nil && m[1] == c.key {
			lines[i] = c.line()
			return strings.Join(lines, "")
		}
	}
	for i := start; i < end; i++ {
		if strings.HasPrefix(lines[i], "# "+c.key+" = ") && c.text != "" {
			lines[i] = terminated(lines[i]) + c.line() // below its commented example
			return strings.Join(lines, "")
		}
	}
	at := end
	for at > start && strings.TrimSpace(lines[at-1]) == "" {
		at-- // above the blank lines before the next table
	}
	before, after := strings.Join(lines[:at], ""), strings.Join(lines[at:], "")
	return terminated(before) + c.line() + after
}

// line returns the new line for the key, or "" if the key is to be removed.
func (c change) line() string {
	if c.text == "" {
		return ""
	}
	return c.key + " = " + c.text + "\n"
}

// region returns the range of the table's lines without its heading. start is -1 if there
// is no such table.
func (c change) region(lines []string) (start, end int) {
	start = -1
	if c.table == "" {
		start = 0
	}
	for i, line := range lines {
		m := tableLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m == nil && !strings.HasPrefix(strings.TrimSpace(line), "[["):
		case start >= 0:
			return start, i
		case m != nil && strings.ReplaceAll(m[1], " ", "") == c.table:
			start = i + 1
		}
	}
	return start, len(lines)
}

func terminated(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// with returns the settings with one profile replaced or added.
func (s Settings) with(name string, p Profile) Settings {
	s.Profiles = maps.Clone(s.Profiles)
	s.Profiles[name] = p
	return s
}
