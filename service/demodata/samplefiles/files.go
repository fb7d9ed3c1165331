package samplefiles

import (
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/demodata/bankfiles"
)

const (
	// overlap is the number of days at the start of a file that the previous file contains too.
	overlap = 7
	// exportDays is the number of days in the CSV file of the operating account.
	exportDays = 90
	// cardMonths is the number of full months for which the card has statements.
	cardMonths = 3
)

// writeOperating writes the files of the operating account: a QFX file for each three months, which
// overlap, and a CSV file of the last exportDays days. The latest QFX file also has the pending
// lines.
func (s *set) writeOperating() {
	for from := s.first; !from.After(s.last); from = from.AddMonths(3) {
		to := earlier(from.AddMonths(3).AddDays(-1), s.last)
		first := from
		if from != s.first {
			first = from.AddDays(-overlap)
		}
		statement := s.operating.statement(first, to)
		if to == s.last {
			statement = s.operating.withPending(statement)
		}
		s.add("operating-"+months(from, to)+".qfx", func(w io.Writer) error {
			return bankfiles.OFX(w, harborPine, s.today, statement)
		})
	}
	s.add(fmt.Sprintf("operating-last-%d-days.csv", exportDays), func(w io.Writer) error {
		return bankfiles.AccountCSV(w, harborPine, s.operating.statement(s.last.AddDays(1-exportDays), s.last))
	})
}

// writeForeign writes the files of the account in another currency: a CAMT.053 file for each month.
func (s *set) writeForeign() {
	for i, statement := range s.monthly(s.foreign, s.first) {
		s.add(strings.ToLower(s.foreign.Name)+"-"+month(statement.First)+".xml", func(w io.Writer) error {
			return bankfiles.CAMT(w, statement.Last.AddDays(1), i+1, statement)
		})
	}
}

// writeSavings writes the file of the savings account: one MT940 file with all months.
func (s *set) writeSavings() {
	s.add("savings-"+months(s.first, s.last)+".mt940", func(w io.Writer) error {
		return bankfiles.MT940(w, s.monthly(s.savings, s.first)...)
	})
}

// writeCard writes the files of the card: a CSV file with all lines, and a QFX file with the
// statements of the last months and the pending lines.
func (s *set) writeCard() {
	s.add("card-"+months(s.first, s.last)+".csv", func(w io.Writer) error {
		return bankfiles.CardCSV(w, s.card.statement(s.first, s.last))
	})
	from := s.last.FirstOfMonth().AddMonths(-cardMonths)
	statements := s.monthly(s.card, from)
	latest := &statements[len(statements)-1]
	*latest = s.card.withPending(*latest)
	s.add("card-"+months(from, s.last)+".qfx", func(w io.Writer) error {
		return bankfiles.OFX(w, harborPine, s.today, statements...)
	})
}

func (s *set) writeOpenItems(list openList) {
	s.add("open-invoices-"+list.asOf.String()+".csv", func(w io.Writer) error {
		return bankfiles.OpenItems(w, s.name, list.asOf, list.items)
	})
}

func (s *set) writeRates() {
	s.add("exchange-rates.csv", func(w io.Writer) error { return bankfiles.Rates(w, s.rateList()) })
}

// monthly returns a statement of the account for each month, from the month that starts on
// firstDay.
func (s *set) monthly(a *account, firstDay civil.Date) (statements []bankfiles.Statement) {
	for ; !firstDay.After(s.last); firstDay = firstDay.AddMonths(1) {
		statements = append(statements, a.statement(firstDay, earlier(firstDay.LastOfMonth(), s.last)))
	}
	return statements
}

func earlier(a, b civil.Date) civil.Date {
	if a.Before(b) {
		return a
	}
	return b
}

// month returns the month of a day, such as "2026-09".
func month(d civil.Date) string { return d.Time().Format("2006-01") }

// months returns the first and the last month of a period, such as "2026-07-to-2026-09".
func months(first, last civil.Date) string {
	if month(first) == month(last) {
		return month(first)
	}
	return month(first) + "-to-" + month(last)
}
