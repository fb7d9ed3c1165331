package bookkeeping

import (
	"bytes"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/jsonlines"
)

// setPeriod sets the period of a statement and the days of its balances. covers is the period of a
// statement whose file names no period.
func (s *collected) setPeriod(covers bookrules.Span) {
	period := bookrules.Span{First: bookrules.DayOf(s.source.First), Last: bookrules.DayOf(s.source.Last)}
	s.stored.Period = bookrules.StatedPeriod
	if period.First == 0 || period.Last == 0 {
		period, s.stored.Period = covers, bookrules.SaidPeriod
	}
	if period.First == 0 {
		s.stored.Period = bookrules.OfLines
	}
	if first := bookrules.DayOf(s.first); first > 0 && (period.First == 0 || first < period.First) {
		period.First = first
	}
	if last := bookrules.DayOf(s.last); last > period.Last {
		period.Last = last
	}
	s.stored.Covered = period
	if o := s.source.Opening; o != nil {
		s.stored.Opening = &bookrules.Balance{Day: period.First, Minor: o.Minor, Opening: true}
		if period.First == 0 {
			s.stored.Opening.Day = bookrules.DayOf(o.Date)
		}
	}
	if c := s.source.Closing; c != nil {
		s.stored.Closing = &bookrules.Balance{Day: bookrules.DayOf(c.Date), Minor: c.Minor}
		if s.stored.Closing.Day == 0 {
			s.stored.Closing.Day = period.Last
		}
	}
}

// coverKnown imports the days that the user says files cover that were imported before. They are a
// file of their own in JSON lines, so that they are listed and undone with this import. Statements
// whose files state their period are left out.
func (i *importing) coverKnown() error {
	covers := i.options.Covers
	if covers.First == 0 || i.report.Failed() {
		return nil
	}
	var days []jsonlines.Statement
	said := map[int64]bool{} // by account
	for n := range i.read {
		for _, s := range i.read[n].statements {
			if !i.read[n].known || s.Period == bookrules.StatedPeriod || said[s.Account] {
				continue
			}
			said[s.Account] = true
			a := i.accounts[slices.IndexFunc(i.accounts, func(a bookrules.Account) bool { return a.Key == s.Account })]
			days = append(days, jsonlines.Statement{Statement: bank.Statement{
				Account: bank.Account{Number: a.Number}, Currency: a.Currency, First: covers.First.Date(), Last: covers.Last.Date(),
			}})
		}
	}
	var file bytes.Buffer
	if err := jsonlines.Write(&file, days, nil); err != nil || len(days) == 0 {
		return err
	}
	return i.file(&Source{Name: coveredDays, Content: bytes.NewReader(file.Bytes())}, false)
}

// coveredDays is the name of the file with the days that the user says known files cover.
const coveredDays = "covered days"
