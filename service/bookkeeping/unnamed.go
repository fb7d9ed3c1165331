package bookkeeping

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// unnamedAccount is the question of which account a file is that doesn't name one.
type unnamedAccount struct {
	*bank.Question
	currency string
	proposed string // name for a new account
}

// Unwrap returns the question as readers ask it.
func (u *unnamedAccount) Unwrap() error { return u.Question }

// onlyOfBank returns the name for the account of a statement that names none, such as "Wise GBP":
// its bank is known, and the books have no account at that bank in the currency. Otherwise it
// returns "".
func (i *importing) onlyOfBank(s *collected, currency string) string {
	name := i.accountName(s, currency)
	if s.source.Account.Bank == "" || currency == "" || !i.options.NameAccounts {
		return ""
	}
	if slices.ContainsFunc(i.accounts, func(a bookrules.Account) bool {
		sameKind := (a.Role == bookrules.Card || i.isCard(a.Key)) == (s.source.Account.Kind == bank.KindCard)
		return strings.EqualFold(a.Number, name) ||
			a.Currency == currency && a.Bank == s.source.Account.Bank && sameKind
	}) {
		return ""
	}
	return name
}

// isCard reports whether a file of this import says that an account is a card.
func (i *importing) isCard(account int64) bool {
	return slices.ContainsFunc(i.read, func(f readFile) bool {
		return slices.ContainsFunc(f.statements, func(s bookrules.Statement) bool {
			return s.Account == account && s.Facts.Role == bookrules.Card
		})
	})
}

// accountName returns the bank, the kind and the currency of a statement's account as a name. If
// the bank isn't known, it returns the beginning of the file's name.
func (i *importing) accountName(s *collected, currency string) string {
	name := s.source.Account.Bank
	if name == "" {
		name, _, _ = strings.Cut(i.current, ".")
		name = strings.TrimSpace(shortened(name))
	}
	if s.source.Account.Kind == bank.KindCard {
		name += " card"
	}
	return strings.TrimSpace(name + " " + currency)
}

// askAccount returns the question of which account a statement is.
func (i *importing) askAccount(s *collected, currency string) error {
	q := &unnamedAccount{currency: currency, proposed: i.accountName(s, currency), Question: &bank.Question{
		Reason: "the file does not say which account it is of", Flag: "--account",
	}}
	taken := func(name string) bool {
		return slices.ContainsFunc(i.accounts, func(a bookrules.Account) bool { return strings.EqualFold(a.Number, name) })
	}
	for n, name := 2, q.proposed; taken(q.proposed); n++ {
		q.proposed = fmt.Sprintf("%s %d", name, n)
	}
	for _, line := range s.newest {
		q.Samples = append(q.Samples, sampleText(&line, currency))
	}
	return q
}

// proposeAnswers completes questions of files when all files are read. Of which account a file is,
// the choices are the accounts in its currency; of its currency, the currencies of the other files,
// that of most lines first.
func (i *importing) proposeAnswers() {
	for n := range i.report.Files {
		q := i.report.Files[n].Question
		if q != nil && q.Flag == "--currency" {
			if q.Choices = i.currencies(); len(q.Choices) > 0 {
				q.Proposed = q.Choices[0]
			}
		}
		if q == nil || !q.IsAccount() || len(q.Choices) > 0 {
			continue
		}
		for _, a := range i.accounts {
			if q.Currency == "" || a.Currency == q.Currency {
				of := ownbooks.Account{Number: ShortNumber(a.Number), Bank: a.Bank}
				q.Choices = append(q.Choices, ShortNumber(a.Number))
				q.Labels = append(q.Labels, of.Label()+" "+a.Currency)
			}
		}
	}
}

// currencies returns the currencies of the lines in the files, that of most lines first.
func (i *importing) currencies() (all []string) {
	lines := map[string]int{}
	for n := range i.read {
		for at, s := range i.read[n].sources {
			if s.source.Currency != "" {
				lines[s.source.Currency] += i.read[n].statements[at].Lines
			}
		}
	}
	return slices.SortedFunc(maps.Keys(lines), func(a, b string) int {
		return cmp.Or(cmp.Compare(lines[b], lines[a]), cmp.Compare(a, b))
	})
}

// sampleText returns a line of a file in one line.
func sampleText(line *ownbooks.ReadLine, currency string) string {
	texts := []string{line.Day.String(), strings.TrimSpace(money.Format(line.Minor, currency) + " " + currency)}
	for _, text := range [...]string{line.Party, line.Text} {
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " · ")
}

// keepNewest adds a line to the newest ones of the statement. Of lines of a day, it keeps the
// first.
func (s *collected) keepNewest(line ownbooks.ReadLine) {
	at := len(s.newest)
	for at > 0 && line.Day.After(s.newest[at-1].Day) {
		at--
	}
	s.newest = slices.Insert(s.newest, at, line)
	s.newest = s.newest[:min(len(s.newest), ownbooks.MaxSamples)]
}

// newestOf returns the newest lines of an account in the files of this import.
func (i *importing) newestOf(account int64) (lines []ownbooks.ReadLine) {
	for n := range i.read {
		for at, s := range i.read[n].sources {
			if i.read[n].statements[at].Account == account {
				lines = append(lines, s.newest...)
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b ownbooks.ReadLine) int { return b.Day.Compare(a.Day) })
	return lines[:min(len(lines), ownbooks.MaxSamples)]
}

// companyName returns the name of the company: the one that the user has just given, or the stored
// one.
func (b *Books) companyName(r reader) (string, error) {
	if b.Company != "" {
		return b.Company, nil
	}
	stored, err := r.Organization(b.Org)
	return stored.Name, err
}

// companyPayment is a company that is the other party of lines, and whether it pays.
type companyPayment struct {
	name string
	pays bool
}

// countCompany counts a line if its other party is a company.
func (s *collected) countCompany(l bank.Line) {
	name := bookrules.Name(l)
	if !bookrules.IsCompany(name) {
		return
	}
	if s.companies == nil {
		s.companies = map[companyPayment]int{}
	}
	s.companies[companyPayment{shortened(name), l.Minor > 0}]++
}

// proposedCompany returns the name that is probably the company's own, or "": a company that pays
// into one of the accounts in the files and is paid from another one. Only the lines that are kept
// to be shown count.
func (i *importing) proposedCompany() string {
	accounts, lines := map[companyPayment][]int64{}, map[string]int{}
	for n := range i.read {
		for at, s := range i.read[n].sources {
			for company, count := range s.companies {
				accounts[company] = append(accounts[company], i.read[n].statements[at].Account)
				lines[company.name] += count
			}
		}
	}
	best := ""
	for name, count := range lines {
		paid, pays := accounts[companyPayment{name, false}], accounts[companyPayment{name, true}]
		across := len(paid) > 0 && len(pays) > 0 && !slices.ContainsFunc(paid, func(account int64) bool {
			return slices.Contains(pays, account)
		})
		if across && (count > lines[best] || count == lines[best] && name < best) {
			best = name
		}
	}
	return best
}
