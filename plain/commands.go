package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tarmac/internal/termtext"
)

// command is something that can be typed.
type command struct {
	name, args string // args is how help shows what follows the name
	does       string
	run        func(s *session, args string) error
}

// shorthands are other words for commands: the dashboard's key, and a word of before.
var shorthands = map[string]string{"/": "search", "jump": "go"}

// views are what the numbers lead to, and the words.
var views = [...]struct{ name, does string }{
	{"overview", "cash, runway, receivables, the latest transactions and events"},
	{"runway", "how long the cash lasts, and what-if"},
	{"receivables", "who owes money, and since when"},
	{"transactions", "the ledger"},
	{"invoices", "invoices by status"},
	{"events", "what happened, and what happens"},
	{"webhooks", "endpoints that events are delivered to"},
}

// everywhere are the commands that work on every page.
func (s *session) everywhere() []command {
	var all []command
	for i, v := range views {
		all = append(all, command{v.name, "", "or " + strconv.Itoa(i+1) + ": " + v.does, func(s *session, _ string) error { return s.visit(v.name) }})
	}
	all = append(all, command{"intent", "ID", "a payment intent", (*session).openIntent})
	all = append(all, s.writes(command{"propose", "", "propose an invoice: a draft, nothing is sent", func(s *session, _ string) error { return s.propose() }})...)
	return append(all,
		command{"refresh", "", "this page, asked for again", func(s *session, _ string) error { return s.here.show(s) }},
		command{"back", "", "the page before", func(s *session, _ string) error { return s.back() }},
		command{"mask", "", "hide every amount, or show them again", (*session).mask},
		command{"profile", "NAME", "another server; without a name it says which there are", (*session).profile},
		command{"help", "", "what can be typed here", (*session).help},
		command{"quit", "", "leave; so does the end of the input", func(*session, string) error { return errEnd }},
	)
}

// obey does what was typed.
func (s *session) obey(line string) error {
	word, args, _ := strings.Cut(line, " ")
	if text, found := strings.CutPrefix(line, "/"); found {
		word, args = "/", text
	}
	word, args = strings.ToLower(word), strings.TrimSpace(args)
	if name, ok := shorthands[word]; ok {
		word = name
	}
	if word == "" {
		s.say("%s. help says what can be typed here.", s.title())
		return nil
	}
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(views) && args == "" {
		return s.visit(views[n-1].name)
	}
	ours, general := s.here.commands(s), s.everywhere()
	found := find(ours, general, word)
	switch len(found) {
	case 1:
		return found[0].run(s, args)
	case 0:
		s.say("There is no command %q here.%s help says what there is.", word, nearest(slices.Concat(ours, general), word))
		if s.server.ReadOnly {
			s.say("What would change something is left out: this is read-only.")
		}
	default:
		var names []string
		for _, c := range found {
			names = append(names, c.name)
		}
		s.say("%q may be %s: type more of it.", word, strings.Join(names, " or "))
	}
	return nil
}

// find returns what a word or the beginning of one may mean: a whole word is only
// itself, and what a page calls its own comes before what is so everywhere.
func find(ours, general []command, word string) []command {
	var begun []command
	for _, c := range slices.Concat(ours, general) {
		if c.name == word {
			return []command{c}
		}
		same := func(b command) bool { return b.name == c.name }
		if strings.HasPrefix(c.name, word) && !slices.ContainsFunc(begun, same) {
			begun = append(begun, c)
		}
	}
	return begun
}

// nearest suggests the command that was probably meant, as a sentence; "" for none.
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

// distance is how many letters have to change to make one word of the other.
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
	s.say("On %s:", s.here.name())
	for _, c := range s.here.commands(s) {
		s.say("  %s, %s.", strings.TrimSpace(c.name+" "+c.args), c.does)
	}
	s.say("Everywhere:")
	for _, c := range s.everywhere() {
		s.say("  %s, %s.", strings.TrimSpace(c.name+" "+c.args), c.does)
	}
	s.say("The beginning of a word will do where no other begins like it, and / for search. Ctrl+c ends a request; at the prompt it leaves.")
	return nil
}

func (s *session) mask(string) error {
	if s.masked = !s.masked; s.masked {
		s.say("Amounts are hidden from now on. Exports and PDFs have them all the same.")
	} else {
		s.say("Amounts are shown.")
	}
	return nil
}

// profile goes over to another server. The one before stays where the other cannot be
// had.
func (s *session) profile(name string) error {
	if name == "" {
		s.say("This is profile %s.", cmp.Or(s.server.Profile, "none"))
		if len(s.Profiles) == 0 {
			s.say("The settings have no profiles; tarmac login makes one.")
		} else {
			var names []string
			for _, p := range s.Profiles {
				names = append(names, p.Name)
			}
			s.say("There are: %s.", strings.Join(names, ", "))
		}
		return nil
	}
	at := slices.IndexFunc(s.Profiles, func(p Profile) bool { return p.Name == name })
	if at < 0 {
		s.say("There is no profile %q. The command profile alone says which there are.", name)
		return nil
	}
	connection, err := s.begin(s.Profiles[at].Open)
	if err != nil {
		s.say("Profile %s could not be opened: %s", name, sentence(err.Error()))
		s.say("This is still %s.", cmp.Or(s.server.Profile, "the server from before"))
		return nil
	}
	s.connect(connection)
	return s.visit("overview")
}

// title says where one is, and whose figures these are.
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
