package settings

import (
	"maps"
	"regexp"
	"strings"
)

// edit changes the text of a settings file.
type edit interface{ apply(content string) string }

// change sets or removes one key in the text of a settings file. It preserves all other text, such
// as comments. It handles only the usual forms of TOML, so callers must parse the result and check
// it.
type change struct {
	table string // "" for keys before the first table
	key   string
	text  string // value as TOML; "" removes the key
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
			lines[i] = terminated(lines[i]) + c.line() // insert below the commented example of the key
			return strings.Join(lines, "")
		}
	}
	at := end
	for at > start && strings.TrimSpace(lines[at-1]) == "" {
		at-- // insert above the blank lines before the next table
	}
	before, after := strings.Join(lines[:at], ""), strings.Join(lines[at:], "")
	return terminated(before) + c.line() + after
}

// line returns the new line for the key. If the key is to be removed, it returns "".
func (c change) line() string {
	if c.text == "" {
		return ""
	}
	return c.key + " = " + c.text + "\n"
}

// region returns the range of lines that belong to the table, without its heading. If there is no
// such table, start is -1.
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

// with returns a copy of the settings in which the named profile is replaced or added.
func (s Settings) with(name string, p Profile) Settings {
	s.Profiles = maps.Clone(s.Profiles)
	s.Profiles[name] = p
	return s
}
