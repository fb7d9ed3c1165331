package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeNotices writes a list of the program's modules with their licences, then each licence text
// once with the modules that it covers.
func writeNotices(w io.Writer, modules []*module) error {
	var b strings.Builder
	b.WriteString("tarmac is under the MIT licence, see LICENSE. The program contains the packages below,\n" +
		"on one platform or another, under licences of their own. Their texts follow.\n\n")
	var order []string
	origins := map[string][]string{}
	for _, m := range modules {
		name := m.name()
		if m.path == "std" {
			name = "the Go standard library" // the notices do not depend on its version
		}
		fmt.Fprintf(&b, "  %s: %s\n", name, strings.Join(licencesOf(m.texts), ", "))
		for _, t := range m.texts {
			content := strings.TrimSpace(t.content)
			if !slices.Contains(order, content) {
				order = append(order, content)
			}
			origins[content] = append(origins[content], m.path+"/"+t.file)
		}
	}
	for _, content := range order {
		fmt.Fprintf(&b, "\n%s\n", strings.Repeat("=", 80))
		for _, origin := range origins[content] {
			fmt.Fprintf(&b, "%s\n", origin)
		}
		fmt.Fprintf(&b, "%s\n\n%s\n", strings.Repeat("=", 80), content)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
