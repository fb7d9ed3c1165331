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
	s.Digest = Digest{When: "monday 08:00", Zone: "Europe/Berlin", To: []string{"mail"}}
	var b strings.Builder
	b.WriteString(heading)
	writeOptions(&b, &s, "# ", true)
	b.WriteString("\n## A server and how it is talked to; `tarmac login --profile acme` writes it.\n# [profiles.acme]\n")
	example := Profile{
		BaseURL:   "https://finance.example.com",
		TokenFile: "/home/ada/.tarmac-token",
		CAFile:    "/home/ada/ca.pem",
		Plan:      "/home/ada/acme/cash.plan",
	}
	for _, o := range profileOptions() {
		comment(&b, o.doc)
		fmt.Fprintf(&b, "# %s = %s\n", o.key, o.at(&example).text())
	}
	b.WriteString("\n## What is watched; `tarmac alerts add` writes it.\n")
	writeEntry(&b, alertOptions(), "alert", &Alert{
		Rule: "runway-below", Limit: "9", Of: "Acme", Repeat: "7d", To: []string{"mail"},
	})
	b.WriteString("\n## How it is told; `tarmac alerts channel add` writes it.\n")
	writeEntry(&b, channelOptions(), "channel", &Channel{
		Name: "mail", Kind: "mail", Server: "smtp.example.com:465", To: "ada@example.com", From: "tarmac@example.com",
		User: "ada", CAFile: "/home/ada/ca.pem", Command: []string{"notify-send", "tarmac"},
		Private: []string{"10.0.0.5:465"},
	})
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
	for i := range s.Alerts {
		b.WriteString("\n" + entryText(alertOptions(), "alert", &s.Alerts[i]))
	}
	for i := range s.Channels {
		b.WriteString("\n" + entryText(channelOptions(), "channel", &s.Channels[i]))
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
// writeEntry writes an alert or a channel with its explanations, commented out.
func writeEntry[T any](b *strings.Builder, options []entryOption[T], key string, one *T) {
	fmt.Fprintf(b, "# [[%s]]\n", key)
	for _, o := range options {
		comment(b, o.doc)
		fmt.Fprintf(b, "# %s = %s\n", o.key, o.at(one).text())
	}
}

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
