package bookrules

import (
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// owner is a name of the company whose books these are: its own, or that of an account's holder.
type owner struct {
	core string // words without the legal form
	form string // legal form, such as "LTD"; "" if the name has none
}

// newOwner returns a name as an owner. It returns false if only a legal form is left.
func newOwner(name string) (o owner, ok bool) {
	all := nameParts(name)
	n := len(all)
	for n > 0 && isLegalForm(all[n-1]) {
		n--
	}
	o.core, o.form = strings.Join(all[:n], " "), strings.Join(all[n:], " ")
	return o, letters(o.core) >= 4
}

// isCertain reports whether a party with this name is the company: it has a legal form and several
// words. A person's name, and a single word such as "Summit", may be those of a customer.
func (o owner) isCertain() bool { return o.form != "" && strings.Contains(o.core, " ") }

// IsCompany reports whether a name is certainly a company's: it has several words and a legal form.
func IsCompany(name string) bool {
	o, ok := newOwner(name)
	return ok && o.isCertain()
}

// sameForms has one spelling for each legal form with several.
var sameForms = map[string]string{
	"LIMITED": "LTD", "INCORPORATED": "INC", "CORPORATION": "CORP", "COMPANY": "CO", "PROPRIETARY": "PTY",
}

// nameParts returns the words of a name in capitals. Letters between points are one word, so that
// "B.V." and "BV" are equal, and each legal form has one spelling.
func nameParts(name string) []string {
	var all []string
	for _, field := range strings.Fields(strings.ToUpper(name)) {
		parts := strings.Fields(words(field))
		if len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return len(p) > 1 }) {
			parts = []string{strings.Join(parts, "")}
		}
		for _, p := range parts {
			if same := sameForms[p]; same != "" {
				p = same
			}
			all = append(all, p)
		}
	}
	return all
}

func isLegalForm(word string) bool {
	return slices.Contains(legalForms, word) || slices.Contains(moreLegalForms, word)
}

// moreLegalForms are legal forms that end names of companies and no names of banks.
var moreLegalForms = []string{
	"PTY", "PTE", "PLLC", "DAC", "CLG", "SLU", "SPA", "SRLS", "SASU", "EURL", "SCI", "EK", "OHG", "GBR", "OG", "VOF",
	"CV", "BVBA", "APS", "IVS", "HB", "KB", "LDA", "LTDA", "SP", "ZOO", "KFT", "ZRT", "SRO", "OOO", "KK", "PVT", "LLP",
}

// owners recognizes the company's own name as the other party of lines.
type owners struct {
	all   []owner
	first map[string]bool // first words of the names, for a quick look
}

// newOwners returns the names of a company and of those accounts that a file calls by a company's
// name, which is their holder.
func newOwners(accounts []Account, names []string) owners {
	found := owners{first: map[string]bool{}}
	for _, a := range accounts {
		if o, ok := newOwner(a.Name); ok && o.isCertain() && !a.Renamed && !strings.Contains(a.Name, ":") {
			names = append(names, a.Name)
		}
	}
	for _, name := range names {
		if o, ok := newOwner(name); ok && !slices.Contains(found.all, o) {
			found.all = append(found.all, o)
			first, _, _ := strings.Cut(o.core, " ")
			found.first[first] = true
		}
	}
	return found
}

// called returns the strength of a name as that of the company.
func (f *owners) called(name string) Strength {
	party, ok := newOwner(name)
	if !ok {
		return NoEvidence
	}
	best := NoEvidence
	for _, o := range f.all {
		switch {
		case party.core != o.core || party.form != o.form && party.form != "" && o.form != "":
		case party == o && o.isCertain():
			return NamedOwner
		default:
			best = PossibleOwner
		}
	}
	return best
}

// party returns the strength of the company's own name as the other party of a line. The name
// counts only where it is all of the party: the bank's field for it, the name in the text, or
// what follows "to" or "from" after words that only say how the money moved.
func (f *owners) party(l *bank.Line, text *evidenceText) Strength {
	if !slices.ContainsFunc(strings.Fields(text.words), func(word string) bool { return f.first[word] }) {
		return NoEvidence
	}
	best := f.called(l.Counterparty)
	if strings.TrimSpace(l.Counterparty) == "" || onlyMethod(l.Counterparty) {
		best = max(f.called(Name(*l)), f.after(l))
	}
	return best
}

// moneyWords come before the other party in texts of payment services.
var moneyWords = wordSet(`SENT RECEIVED MONEY ADDED TOPPED UP TOP TOPUP GLOBAL
	LOCAL ACCOUNT FUNDING FUNDS PAYOUT WITHDRAWAL
	TRANSFERRED BY VIA PAYMENTS BALANCE`)

// after returns the strength of what follows "to" in the text of money out, or "from" in that of
// money in.
func (f *owners) after(l *bank.Line) Strength {
	preposition := toWords
	if l.Minor > 0 {
		preposition = fromWords
	}
	all := namedWords(l.Description)
	for n, w := range all {
		switch {
		case n > 0 && preposition[w.folded] && n+1 < len(all):
			return f.called(l.Description[all[n+1].start:])
		case !methods[w.folded] && !moreMethods[w.folded] && !moneyWords[w.folded]:
			return NoEvidence
		}
	}
	return NoEvidence
}

// toWords and fromWords say "to" and "from" in the languages of statements.
var (
	toWords   = wordSet(`TO AN NACH À VERS POUR A PARA AAN NAAR TILL TIL DO`)
	fromWords = wordSet(`FROM VON DE DU DESDE DA VAN FRÅN FRA OD`)
)
