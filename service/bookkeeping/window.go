package bookkeeping

import (
	"fmt"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/cash"
	"tarmac/service/cutoff"
	"tarmac/service/store"
)

// CoveredAccounts returns the accounts of own books with the days that their statements cover. It
// returns none for an organization without own books.
func CoveredAccounts(snap *store.Snapshot, org store.OrgKey) ([]cutoff.Account, error) {
	accounts, err := snap.BookAccounts(org)
	if err != nil || len(accounts) == 0 {
		return nil, err
	}
	statements, err := snap.BookStatements(org)
	if err != nil {
		return nil, err
	}
	states, firsts := make([]cutoff.Account, len(accounts)), make([]bookrules.Day, len(accounts))
	ofAccount := map[int64][]bookrules.Statement{}
	for _, s := range statements {
		ofAccount[s.Account] = append(ofAccount[s.Account], s)
	}
	for n, a := range accounts {
		byFile := map[int64]*bookrules.Content{}
		for _, s := range ofAccount[a.Key] {
			if byFile[s.File] == nil {
				byFile[s.File] = &bookrules.Content{}
			}
			addStatement(byFile[s.File], s)
		}
		contents := make([]bookrules.Content, 0, len(byFile))
		for _, c := range byFile {
			c.Covered = bookrules.Join(c.Covered)
			contents = append(contents, *c)
		}
		states[n].Account, states[n].Covered = a, bookrules.Coverage(a.Role, contents)
		states[n].Said, firsts[n] = saidLast(ofAccount[a.Key]), bookrules.FirstDay(contents)
	}
	cutoff.SinceFirst(states, firsts)
	assumed, err := snap.AssumedDays(org)
	weaker := map[accountName][]cutoff.Evidence{}
	for _, days := range assumed {
		name := accountName{days.Currency, days.Identity}
		weaker[name] = append(weaker[name], cutoff.Evidence{
			Span: bookrules.Span{First: days.First, Last: days.Last}, Source: cutoff.Source(days.Source),
		})
	}
	for n := range states {
		states[n].Weaker = weaker[accountName{states[n].Currency, states[n].Identity}]
	}
	return states, err
}

// mostNamed is the largest number of questions that OpenQuestions names.
const mostNamed = 3

// OpenQuestions returns the unanswered questions about money that burn leaves out in the months of
// a window, and a sentence that names what they are about. The currency is as in ledger.Filter.
func OpenQuestions(snap *store.Snapshot, org store.OrgKey, w cutoff.BurnWindow, currency string) (
	open []cash.OpenQuestion, names string, err error,
) {
	questions, err := snap.BookQuestions(org)
	if err != nil || w.Months == 0 {
		return nil, "", err
	}
	months := bookrules.Span{First: bookrules.DayOf(w.First), Last: bookrules.DayOf(w.Last)}
	var named []string
	for _, q := range questions {
		about := cash.OpenQuestion{
			IsTransfer: q.Kind == string(AboutTransfer), IsElsewhere: q.Kind == string(AboutOwnMoney),
		}
		flows := q.Flows
		if currency != "" {
			flows = q.ReportedFlows
		}
		for _, flow := range flows {
			switch {
			case !months.Contains(flow.Day):
			case flow.Cents < 0:
				about.OutflowCents -= flow.Cents
			default:
				about.InflowCents += flow.Cents
			}
		}
		if about.InflowCents != 0 || about.OutflowCents != 0 {
			open, named = append(open, about), append(named, q.Text)
		}
	}
	if len(named) == 0 {
		return nil, "", nil
	}
	if more := len(named) - mostNamed; more > 0 {
		named = append(named[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return open, fmt.Sprintf("Until answered (books questions), burn leaves out %s.", strings.Join(named, ", ")), nil
}
