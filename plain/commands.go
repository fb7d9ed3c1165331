package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tarmac/client/plan"
	"tarmac/client/problem"
	"tarmac/internal/termtext"
)

// command is a word that the user can type.
type command struct {
	name, args string // args lists the arguments for the help
	does       string
	run        func(s *session, args string) error
}

// shorthands maps other words to commands: keys of the dashboard and earlier names.
var shorthands = map[string]string{"/": "search", "jump": "go", "q": "quit"}

// lists returns the names of the lists of records, and what they are.
func (s *session) lists() [][2]string {
	all := [][2]string{
		{"transactions", "list transactions"},
		{"invoices", "list invoices by status"},
		{"events", "list and follow events"},
		{"webhooks", "webhook endpoints and deliveries"},
	}
	if s.server.Books != nil {
		all = append(all, [2]string{"books", "own books: accounts and imports"})
	}
	return all
}

// numbered returns the commands that the numbers from 1 on abbreviate, like the keys of the
// dashboard.
func (s *session) numbered() []string {
	all := []string{
		"overview", "runway", "receivables", "transactions", "invoices", "events", "webhooks", "spend", "books",
	}
	if s.server.Books == nil {
		all = all[:len(all)-1]
	}
	return all
}

// questionCommands returns the commands that ask a question. They work on all pages.
func questionCommands() (all []command) {
	for _, q := range questions() {
		all = append(all, command{q.name, q.args, q.does, q.ask})
	}
	return append(all, command{"alerts", "", "what is watched, and which limits are crossed", (*session).listAlerts})
}

// globalCommands returns the other commands that work on all pages.
func (s *session) globalCommands() (all []command) {
	for _, l := range s.lists() {
		all = append(all, command{l[0], "", l[1], func(s *session, _ string) error { return s.visit(l[0]) }})
	}
	all = append(all,
		command{"overdue", "", "list overdue invoices", (*session).listOverdue},
		command{"intent", "ID", "show a payment intent", (*session).openIntent},
		command{"suppose", "WORDS", "add a case to the plan, such as " + plan.WhatIfExample, (*session).suppose},
		command{"forget", "[CASE]", "remove a case of the plan, or all", (*session).forget})
	all = append(all, s.unlessReadOnly(
		command{"propose", "", "create a draft invoice; nothing is sent", (*session).propose})...)
	all = append(all, s.booksCommands()...)
	all = append(all, s.providerCommands()...)
	return append(all,
		command{"refresh", "", "reload this page", func(s *session, _ string) error { return s.here.show(s) }},
		command{"back", "", "previous page", (*session).back},
		command{"mask", "", "hide or show amounts", (*session).mask},
		command{"profile", "NAME", "switch profile; without a name, list profiles", (*session).profile},
		command{"help", "", "list commands", (*session).help},
		command{"quit", "", "quit; end of input quits too", func(*session, string) error { return errEnd }},
	)
}

// execute runs the command on a line that the user typed.
func (s *session) execute(line string) error {
	word, args, _ := strings.Cut(line, " ")
	if text, found := strings.CutPrefix(line, "/"); found {
		word, args = "/", text
	}
	word, args = strings.ToLower(word), strings.TrimSpace(args)
	if name, ok := shorthands[word]; ok {
		word = name
	}
	if word == "" {
		return s.answer("%s. Type help for commands.", s.title())
	}
	numbered := s.numbered()
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(numbered) && args == "" {
		word = numbered[n-1]
	}
	all := slices.Concat(s.here.commands(s), questionCommands(), s.globalCommands())
	found := find(all, word)
	switch len(found) {
	case 1:
		return found[0].run(s, args)
	case 0:
		s.say("Unknown command %q.%s Type help for commands.", word, nearest(all, word))
		if s.server.ReadOnly {
			s.say("Read-only session: commands that change data are not available.")
		}
	default:
		var names []string
		for _, c := range found {
			names = append(names, c.name)
		}
		s.say("%q is ambiguous: %s.", word, strings.Join(names, " or "))
	}
	return nil
}

// find returns the command with the given name or, failing that, the commands whose names begin
// with that text. If two commands have the same name, the first one is returned.
func find(commands []command, word string) []command {
	var matching []command
	for _, c := range commands {
		if c.name == word {
			return []command{c}
		}
		same := func(b command) bool { return b.name == c.name }
		if strings.HasPrefix(c.name, word) && !slices.ContainsFunc(matching, same) {
			matching = append(matching, c)
		}
	}
	return matching
}

// nearest returns a sentence that suggests the command with the most similar name. It returns "" if
// none is similar.
func nearest(all []command, word string) string {
	best, least := "", 3
	for _, c := range all {
		if d := distance(c.name, word); d < least {
			best, least = c.name, d
		}
	}
	if best == "" {
		return ""
	}
	return " Did you mean " + best + "?"
}

// distance returns the number of letters that must be changed, added or removed to turn a into b.
// If b is longer than 40 bytes, which no command is, it returns the length of b to save time.
func distance(a, b string) int {
	if len(b) > 40 {
		return len(b)
	}
	before := make([]int, len(b)+1)
	for i := range before {
		before[i] = i
	}
	for i := range len(a) {
		row := []int{i + 1}
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row = append(row, min(before[j]+cost, before[j+1]+1, row[j]+1))
		}
		before = row
	}
	return before[len(b)]
}

func (s *session) help(string) error {
	list := func(title string, commands []command) {
		s.say("%s:", title)
		for _, c := range commands {
			s.say("  %s, %s.", strings.TrimSpace(c.name+" "+c.args), c.does)
		}
	}
	list("On "+s.here.name(), s.here.commands(s))
	list("Questions", questionCommands())
	list("Everywhere", s.globalCommands())
	numbered := s.numbered()
	return s.answer("Commands can be shortened to any unambiguous prefix; / is short for search, and 1 to %d for %s to "+
		"%s. Ctrl+C cancels a request, and quits at the prompt.", len(numbered), numbered[0], numbered[len(numbered)-1])
}

func (s *session) mask(string) error {
	if s.masked = !s.masked; s.masked {
		return s.answer("Amounts are hidden. Exports and PDFs still contain them.")
	}
	return s.answer("Amounts are shown.")
}

// profile switches to another profile. If that fails, the current connection stays.
func (s *session) profile(name string) error {
	if name == "" {
		s.say("Current profile: %s.", cmp.Or(s.server.Profile, "none"))
		var names []string
		for _, p := range s.Profiles {
			names = append(names, p.Name)
		}
		if len(names) == 0 {
			return s.answer("No profiles configured; run tarmac login to create one.")
		}
		return s.answer("Profiles: %s.", strings.Join(names, ", "))
	}
	at := slices.IndexFunc(s.Profiles, func(p Profile) bool { return p.Name == name })
	if at < 0 {
		return s.answer("No profile %q. Type profile to list profiles.", name)
	}
	connection, err := s.openConnection(s.Profiles[at].Open)
	if err != nil {
		s.say("Could not switch to profile %s: %s", name, problem.Sentence(err.Error()))
		return s.answer("Still connected to %s.", cmp.Or(s.server.Profile, "the previous server"))
	}
	s.connect(connection)
	return s.execute("overview")
}

// title returns the names of the current page and profile.
func (s *session) title() string {
	text := upperFirst(s.here.name())
	if p := s.server.Profile; p != "" {
		text += ", profile " + termtext.Line(p)
	}
	if s.server.ReadOnly {
		text += ", read-only"
	}
	return text
}
