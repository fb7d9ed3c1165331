package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const heading = `## Settings of tarmac. Only you may read this file: chmod 600.
## Flags come first, then TARMAC_BASE_URL, TARMAC_TOKEN, TARMAC_TOKEN_FILE and
## TARMAC_PROFILE, then this file. Tokens are not kept here: ` + "`tarmac login`" + ` puts them
## into the system's keyring, or into a file beside this one.
`

// Example returns a settings file that explains all settings. They are commented out and have their
// default values.
func Example() string {
	s := Defaults()
	s.DefaultProfile = "acme"
	var b strings.Builder
	b.WriteString(heading)
	writeOptions(&b, &s, "# ", true)
	b.WriteString("\n## A server and how it is talked to; `tarmac login --profile acme` writes it.\n# [profiles.acme]\n")
	example := Profile{
		BaseURL:   "https://finance.example.com",
		TokenFile: "/home/ada/.tarmac-token",
		CAFile:    "/home/ada/ca.pem",
	}
	for _, o := range profileOptions() {
		comment(&b, o.doc)
		fmt.Fprintf(&b, "# %s = %s\n", o.key, o.at(&example).text())
	}
	b.WriteString(
		"\n## The keys of what works on every screen. ctrl+c always quits, ctrl+z leads to the shell.\n# [keys]\n",
	)
	for _, a := range Actions() {
		fmt.Fprintf(&b, "# %s = %s # %s\n", a.Name, list(a.Keys), a.Description)
	}
	return b.String()
}

// TOML returns the settings in the form of a settings file, including those with default values.
func (s Settings) TOML() string {
	var b strings.Builder
	writeOptions(&b, &s, "", false)
	for _, name := range slices.Sorted(maps.Keys(s.Profiles)) {
		profile := s.Profiles[name]
		fmt.Fprintf(&b, "\n[profiles.%s]\n", tableKey(name))
		for _, o := range profileOptions() {
			if text := o.at(&profile).text(); text != `""` {
				fmt.Fprintf(&b, "%s = %s\n", o.key, text)
			}
		}
	}
	b.WriteString("\n[keys]\n")
	for _, a := range Actions() {
		fmt.Fprintf(&b, "%s = %s\n", a.Name, list(s.KeysOf(a)))
	}
	return b.String()
}

// writeOptions writes all options, table by table.
func writeOptions(b *strings.Builder, s *Settings, prefix string, explained bool) {
	table := ""
	for _, o := range options() {
		in, key, nested := strings.Cut(o.key, ".")
		if !nested {
			in, key = "", o.key
		}
		text := o.at(s).text()
		if in != table {
			b.WriteByte('\n')
		}
		if explained && o.doc != "" {
			if in == table {
				b.WriteByte('\n')
			}
			comment(b, o.doc)
		}
		if in != table {
			fmt.Fprintf(b, "%s[%s]\n", prefix, in)
			table = in
		}
		if text != `""` {
			fmt.Fprintf(b, "%s%s = %s\n", prefix, key, text)
		}
	}
}

// comment writes an explanation. It begins with two hash signs, because one hash sign marks a
// setting that is commented out.
func comment(b *strings.Builder, doc string) { fmt.Fprintf(b, "## %s\n", doc) }

func list(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = quote(item)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tableKey returns the name of a profile as part of a TOML key. It quotes a name that contains a
// dot.
func tableKey(name string) string {
	if strings.Contains(name, ".") {
		return quote(name)
	}
	return name
}
