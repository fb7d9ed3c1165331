package ownbooks

import (
	"path/filepath"
	"slices"

	"tarmac/internal/civil"
)

// Checked is what all files of a report say about one account. The embedded statement has the sums
// of the counts and amounts, the first and the last day, and the closing balance of the last day.
type Checked struct {
	Statement
	Files []CheckedFile // in the order of the report

	closed civil.Date // day of the closing balance
}

// CheckedFile is a file, and what it says about one account.
type CheckedFile struct {
	*Statement
	File *FileReport
}

// Accounts returns what the files say about each account: first the accounts whose lines do not add
// up to their balances, otherwise in the order of the files.
func (r *Report) Accounts() []Checked {
	type key struct {
		key               int64
		account, currency string
	}
	var all []Checked
	index := map[key]int{}
	for f := range r.Files {
		file := &r.Files[f]
		for n := range file.Statements {
			s := &file.Statements[n]
			k := key{s.Key, s.Account, string(s.Currency)}
			at, found := index[k]
			if !found {
				at = len(all)
				index[k] = at
				all = append(all, Checked{Statement: Statement{
					Key: s.Key, Account: s.Account, Bank: s.Bank, Currency: s.Currency,
				}})
			}
			all[at].add(file, s)
		}
	}
	slices.SortStableFunc(all, func(a, b Checked) int {
		switch {
		case a.Contradiction == b.Contradiction:
			return 0
		case a.Contradiction:
			return -1
		}
		return 1
	})
	return all
}

func (c *Checked) add(file *FileReport, s *Statement) {
	c.Files = append(c.Files, CheckedFile{s, file})
	c.Lines, c.New, c.Known, c.Changed = c.Lines+s.Lines, c.New+s.New, c.Known+s.Known, c.Changed+s.Changed
	c.Pending, c.Transfers = c.Pending+s.Pending, c.Transfers+s.Transfers
	c.InMinor, c.OutMinor = c.InMinor+s.InMinor, c.OutMinor+s.OutMinor
	c.Contradiction = c.Contradiction || s.Contradiction
	if !s.First.IsZero() && (c.First.IsZero() || s.First.Before(c.First)) {
		c.First = s.First
	}
	if s.Last.After(c.Last) {
		c.Last = s.Last
	}
	if s.Closing != nil && (c.Closing == nil || !s.Last.Before(c.closed)) {
		c.Closing, c.closed = s.Closing, s.Last
	}
}

// Label returns the bank and the number of the account, or says that the file does not name one.
func (s *Statement) Label() string { return labelOf(s.Bank, s.AccountText()) }

// Reasons returns how the lines of the account do not add up to its balances. Each reason occurs
// once, after the names of the files that have it, as in Report.Problems.
func (c *Checked) Reasons() (reasons []string) {
	var texts []string
	for _, f := range c.Files {
		if f.Reason != "" && !slices.Contains(texts, f.Reason) {
			texts = append(texts, f.Reason)
		}
	}
	for _, text := range texts {
		var names []string
		for _, f := range c.Files {
			if f.Reason == text {
				names = append(names, filepath.Base(f.File.Name))
			}
		}
		reasons = append(reasons, others(names)+": "+text)
	}
	return reasons
}

// Mend says what to do about an account whose lines do not add up to its balances.
const Mend = "Compare these days with the bank's own statement. If a file is wrong or one is missing, go back and " +
	"name others."

// OnlyKnown reports whether there are lines in the files, all of them known, and nothing else to
// import.
func (r *Report) OnlyKnown() bool {
	lines, others := 0, 0
	for _, f := range r.Files {
		others += f.OpenItems + f.Bills + f.Rates
		for _, s := range f.Statements {
			lines, others = lines+s.Lines, others+s.New+s.Changed+s.Pending
		}
	}
	return lines > 0 && others == 0
}
