package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Alert is an [[alert]] of the settings file: a rule and its limit, as package alerts reads them.
type Alert struct {
	Rule   string
	Limit  string   // such as "9", "10k" or "20%"; "" for rules without a limit
	Of     string   // part of the name of the counterparty or customer that it is about; "" for all
	Repeat string   // after which time it is told again while it lasts, such as "7d"; "" for never
	To     []string // names of channels; nil for all
}

// Channel is a [[channel]] of the settings file: a way to tell alerts. Its secret, such as a
// password or the URL of a chat, is stored elsewhere.
type Channel struct {
	Name    string
	Kind    string   // one of ChannelKinds
	Server  string   // HOST:PORT of a mail server, or the URL of an ntfy server
	To      string   // address of mail, or topic of ntfy
	From    string   // address of mail
	User    string   // user of a mail server; "" if it wants none
	CAFile  string   // PEM file of authorities to trust in addition to the system's
	Command []string // program and its arguments
	Amounts bool     // amounts are shown
	Public  bool     // anybody who knows the topic of ntfy may read it
	Private []string // addresses, as HOST:PORT, that it may reach although they are private
}

// Digest says when the digest of a week is sent.
type Digest struct {
	When string // day of the week and time, such as "monday 08:00"; "" for never
	Zone string // name of a time zone; "" for UTC
	To   []string
}

// ChannelKinds lists the kinds of channels.
var ChannelKinds = [...]string{"mail", "ntfy", "slack", "discord", "command", "terminal"}

// entryOption is a key in the table of an alert or a channel, with its explanation.
type entryOption[T any] struct {
	key, doc string
	at       func(*T) value
}

func alertOptions() []entryOption[Alert] {
	return []entryOption[Alert]{
		{"rule", "What is watched; `tarmac alerts rules` lists the rules.",
			func(a *Alert) value { return text(&a.Rule, filled) }},
		{"limit", "From where on it is told: months, an amount, a percentage or days.",
			func(a *Alert) value { return number(&a.Limit) }},
		{"of", "A part of a counterparty's or customer's name, if it is about one alone.",
			func(a *Alert) value { return text(&a.Of, filled) }},
		{"repeat", "After how long it is told again while it lasts.",
			func(a *Alert) value { return text(&a.Repeat, filled) }},
		{"to", "The channels that tell it; without it all do.", func(a *Alert) value { return names(&a.To) }},
	}
}

func channelOptions() []entryOption[Channel] {
	return []entryOption[Channel]{
		{"name", "What alerts call it.", func(c *Channel) value { return text(&c.Name, CheckProfileName) }},
		{"kind", "One of " + strings.Join(ChannelKinds[:], ", ") + ".",
			func(c *Channel) value { return text(&c.Kind, oneOf(ChannelKinds[:])) }},
		{"server", "The mail server with its port, or the ntfy server's URL.",
			func(c *Channel) value { return text(&c.Server, filled) }},
		{"to", "The address of mail, or ntfy's topic.", func(c *Channel) value { return text(&c.To, filled) }},
		{"from", "The sender's address of mail.", func(c *Channel) value { return text(&c.From, filled) }},
		{"user", "The user of the mail server. Its password is not kept here.",
			func(c *Channel) value { return text(&c.User, filled) }},
		{"ca_file", "A PEM file with certificate authorities to trust beside the system's.",
			func(c *Channel) value { return text(&c.CAFile, absolute) }},
		{"command", "A program and its arguments; it gets JSON on standard input.",
			func(c *Channel) value { return names(&c.Command) }},
		{"amounts", "Whether it shows amounts.", func(c *Channel) value { return boolean(&c.Amounts) }},
		{"public", "Whether everybody who knows the topic may read what is told.",
			func(c *Channel) value { return boolean(&c.Public) }},
		{"private", "Private addresses that it may reach.", func(c *Channel) value { return names(&c.Private) }},
	}
}

func filled(s string) error {
	if strings.TrimSpace(s) == "" || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("must be one line of text")
	}
	return nil
}

// number returns the value of a limit: text in quotes, or a whole number.
func number(to *string) value {
	return value{
		set: func(v any) error {
			if n, whole := v.(int64); whole {
				v = fmt.Sprint(n)
			}
			return text(to, filled).set(v)
		},
		text: func() string { return quote(*to) },
	}
}

// names returns the value of a list of texts.
func names(to *[]string) value {
	return value{
		set: func(v any) error {
			items, ok := v.([]any)
			if !ok || len(items) == 0 {
				return errors.New(`must be a list of texts, such as ["mail"]`)
			}
			all := make([]string, len(items))
			for i, item := range items {
				name, ok := item.(string)
				if !ok || filled(name) != nil {
					return errors.New(`must be a list of texts, such as ["mail"]`)
				}
				all[i] = name
			}
			*to = all
			return nil
		},
		text: func() string {
			if len(*to) == 0 {
				return `""`
			}
			return list(*to)
		},
	}
}

// readEntries reads the tables of a key such as [[alert]].
func readEntries[T any](options []entryOption[T], key string, content any) ([]T, error) {
	tables, ok := content.([]map[string]any)
	if !ok {
		return nil, fmt.Errorf("must be written as [[%s]] with its settings below it", key)
	}
	all := make([]T, len(tables))
	for i, table := range tables {
		for name, v := range table {
			at := slices.IndexFunc(options, func(o entryOption[T]) bool { return o.key == name })
			if at < 0 {
				return nil, fmt.Errorf("no. %d has a setting that is none: %s", i+1, redact(name))
			}
			if err := options[at].at(&all[i]).set(v); err != nil {
				return nil, fmt.Errorf("no. %d: %s %w", i+1, name, err)
			}
		}
		if first := options[0]; first.at(&all[i]).text() == `""` {
			return nil, fmt.Errorf("no. %d has no %s", i+1, first.key)
		}
	}
	return all, nil
}

// entryText returns an alert or a channel in the form of the settings file.
func entryText[T any](options []entryOption[T], key string, one *T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[[%s]]\n", key)
	for _, o := range options {
		if text := o.at(one).text(); text != `""` && text != "false" {
			fmt.Fprintf(&b, "%s = %s\n", o.key, text)
		}
	}
	return b.String()
}

// setEntries sets the alerts or the channels from a decoded TOML value.
func (s *Settings) setEntries(key string, content any) (err error) {
	if key == "alert" {
		s.Alerts, err = readEntries(alertOptions(), key, content)
		return err
	}
	s.Channels, err = readEntries(channelOptions(), key, content)
	for i := range s.Channels {
		if slices.ContainsFunc(s.Channels[:i], func(c Channel) bool { return c.Name == s.Channels[i].Name }) {
			return fmt.Errorf("no. %d has the name of another one, %s", i+1, s.Channels[i].Name)
		}
	}
	return err
}

// AddAlert adds an alert at the end of the file. All other text remains unchanged.
func (f File) AddAlert(a Alert) (File, error) {
	wanted := f.Settings
	wanted.Alerts = append(slices.Clone(wanted.Alerts), a)
	return f.save(wanted, []edit{appended(entryText(alertOptions(), "alert", &a))})
}

// RemoveAlert removes the alert with an index. Comments around it stay.
func (f File) RemoveAlert(index int) (File, error) {
	wanted := f.Settings
	wanted.Alerts = slices.Delete(slices.Clone(wanted.Alerts), index, index+1)
	return f.save(wanted, []edit{removed{"alert", index}})
}

// AddChannel adds a channel at the end of the file. All other text remains unchanged.
func (f File) AddChannel(c Channel) (File, error) {
	wanted := f.Settings
	wanted.Channels = append(slices.Clone(wanted.Channels), c)
	return f.save(wanted, []edit{appended(entryText(channelOptions(), "channel", &c))})
}

// RemoveChannel removes the channel with an index. Comments around it stay.
func (f File) RemoveChannel(index int) (File, error) {
	wanted := f.Settings
	wanted.Channels = slices.Delete(slices.Clone(wanted.Channels), index, index+1)
	return f.save(wanted, []edit{removed{"channel", index}})
}

// appended is text that is added at the end of a settings file.
type appended string

func (a appended) apply(content string) string {
	if content = terminated(content); content != "" {
		content += "\n"
	}
	return content + string(a)
}

// removed removes a table of a list from a settings file: its heading, and the keys below it.
type removed struct {
	key   string
	index int
}

func (r removed) apply(content string) string {
	var kept []string
	count, inside := 0, false
	for line := range strings.SplitAfterSeq(content, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			inside = false
			heading, _, _ := strings.Cut(trimmed, "#")
			if strings.ReplaceAll(strings.TrimSpace(heading), " ", "") == "[["+r.key+"]]" {
				inside = count == r.index
				count++
				if inside {
					continue
				}
			}
		}
		if !inside || trimmed == "" || strings.HasPrefix(trimmed, "#") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
