package ownbooks

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Report describes the content of files and what importing them changes. Amounts are in minor units
// of each account's currency.
type Report struct {
	Import Optional `json:"import"` // id of the import; "" if nothing was imported
	// Unchanged is true if all files were imported before, so that the import changes nothing.
	Unchanged bool         `json:"-"`
	Files     []FileReport `json:"files"`
	// PaidInvoices has the numbers of the company's own invoices that payments in the files have
	// paid.
	PaidInvoices []string `json:"paid_invoices,omitempty"`
	// Feed says what a reading of a connection changed; nil for files.
	Feed *Reading `json:"feed,omitempty"`
	// Questions are the open questions about the lines; the problems of the files name them.
	Questions []OpenQuestion `json:"-"`
	// Company is what the company is probably called, by a preview; "" if the files do not say.
	Company string `json:"-"`
	// General has the questions about new books, which only a preview of their first import asks.
	General []Question `json:"-"`
	// Balances asks for the balances that are not known.
	Balances []Question `json:"-"`
}

// FileReport describes one file.
type FileReport struct {
	Name       string      `json:"file"`
	Format     string      `json:"format,omitempty"` // "" if the format was not recognized
	Statements []Statement `json:"statements"`
	OpenItems  int         `json:"open_invoices,omitempty"`  // number of open invoices
	Bills      int         `json:"bills,omitempty"`          // number of bills to pay and credits of vendors
	Rates      int         `json:"exchange_rates,omitempty"` // number of exchange rates
	Problems   []string    `json:"problems"`                 // warnings, which do not stop the import
	// Error says why the file cannot be imported; "" if it can be imported.
	Error string `json:"error,omitempty"`
	// Question is what the user must decide first, which Error states as a sentence; nil if
	// nothing.
	Question *Question `json:"-"`
}

// Statement describes the statements of one account in a file. Lines are booked lines.
type Statement struct {
	Account   string     `json:"account"`       // as Account.Number; "" if the file does not name one
	Bank      string     `json:"bank"`          // "" if unknown
	Currency  Optional   `json:"currency"`      // "" if unknown
	First     civil.Date `json:"first_date"`    // date of the first line
	Last      civil.Date `json:"last_date"`     // date of the last line
	Opening   *int64     `json:"opening_minor"` // nil if unknown
	Closing   *int64     `json:"closing_minor"` // nil if unknown
	Lines     int        `json:"transactions"`
	InMinor   int64      `json:"inflow_minor"`
	OutMinor  int64      `json:"outflow_minor"`
	Pending   int        `json:"pending"`   // number of lines that are not booked yet
	New       int        `json:"new"`       // number of lines that the books did not have before
	Known     int        `json:"known"`     // number of lines that the books had before
	Changed   int        `json:"changed"`   // number of known lines whose text now comes from this file
	Transfers int        `json:"transfers"` // number of lines that are sides of transfers between own accounts
	// ResidualMinor is the amount missing between the account's balances; 0 if the lines add up.
	ResidualMinor int64 `json:"residual_minor"`
	// Contradiction is true if the account's lines do not add up to its balances.
	Contradiction bool   `json:"-"`
	Reason        string `json:"-"` // how they do not add up, as in FileReport.Problems; "" if they do

	// Read holds the first booked and pending lines, at most MaxRead, in the order of the file.
	// Only a preview has them, and not of files that were imported before.
	Read []ReadLine `json:"-"`

	// Key is the key of the account in the database.
	Key int64 `json:"-"`
}

// MaxRead is the number of lines of a file and an account that a preview shows.
const MaxRead = 500

// ReadLine is a line of a file as it was read.
type ReadLine struct {
	Day     civil.Date // booking date
	Minor   int64
	Pending bool   // the line is not booked yet
	Party   string // name of the other party; "" if the file gives none
	Text    string // what else the file says of the line
}

// Reading says what a reading of a connection changed in the books. Lines are booked lines.
type Reading struct {
	// Unchanged is true if the reading is the same as the one before. Then nothing was written, and
	// the counts are 0.
	Unchanged bool `json:"unchanged"`
	Added     int  `json:"added"`   // number of lines that the books did not have before
	Changed   int  `json:"changed"` // number of lines whose text is now another
	Removed   int  `json:"removed"` // number of lines that the books no longer have
	Pending   int  `json:"pending"` // number of lines in the reading that are not booked yet
	// Gap is true if no reading covers the days between the reading of an account and the reading
	// before.
	Gap      bool     `json:"-"`
	Accounts []string `json:"accounts"` // accounts of the reading, as Account.Number
	// Residuals says of each account whose lines do not add up to its balances which amount is
	// missing. It is empty if all add up.
	Residuals []string `json:"residuals"`
}

// Failed reports whether a file could not be imported. In that case nothing was imported.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Files, func(f FileReport) bool { return f.Error != "" })
}

// Blocked reports whether a file cannot be imported even with Batch.AcceptResidual.
func (r *Report) Blocked() bool {
	return slices.ContainsFunc(r.Files, func(f FileReport) bool {
		return f.Error != "" && !slices.ContainsFunc(f.Statements, func(s Statement) bool { return s.Contradiction })
	})
}

// Contradicts reports whether the lines of an account do not add up to its balances. Such files are
// imported only with Batch.AcceptResidual.
func (r *Report) Contradicts() bool {
	return slices.ContainsFunc(r.Files, func(f FileReport) bool {
		return slices.ContainsFunc(f.Statements, func(s Statement) bool { return s.Contradiction })
	})
}

// HasContent reports whether the files contain anything to import.
func (r *Report) HasContent() bool {
	return slices.ContainsFunc(r.Files, func(f FileReport) bool {
		return f.Error == "" && (len(f.Statements) > 0 || f.OpenItems+f.Bills+f.Rates > 0)
	})
}

// News says how much of the files is new, such as "40 new lines; 2 were already there".
func (r *Report) News() string {
	fresh, known := 0, 0
	for _, f := range r.Files {
		for _, s := range f.Statements {
			fresh, known = fresh+s.New, known+s.Known
		}
	}
	switch {
	case fresh+known == 0:
		return r.Summary()
	case known == 0:
		return plural.Count(len(r.Files), "file") + ": " + plural.Count(fresh, "new line")
	}
	were := " were already there"
	if known == 1 {
		were = " was already there"
	}
	return plural.Count(len(r.Files), "file") + ": " + plural.Count(fresh, "new line") + "; " +
		money.Count(int64(known)) + were
}

// Summary adds up the figures of all files, such as "2 files: 41 lines, 40 new, 1 known".
func (r *Report) Summary() string {
	var lines, fresh, known, changed, pending, transfers, items, bills, rates int
	for _, f := range r.Files {
		items, bills, rates = items+f.OpenItems, bills+f.Bills, rates+f.Rates
		for _, s := range f.Statements {
			lines, fresh, known, changed = lines+s.Lines, fresh+s.New, known+s.Known, changed+s.Changed
			pending, transfers = pending+s.Pending, transfers+s.Transfers
		}
	}
	var parts []string
	if lines > 0 {
		parts = append(parts, plural.Count(lines, "line"), money.Count(int64(fresh))+" new",
			money.Count(int64(known))+" known")
	}
	for _, more := range [...]struct {
		n    int
		text string
	}{
		{changed, money.Count(int64(changed)) + " with a new text"},
		{pending, money.Count(int64(pending)) + " pending"},
		{transfers, plural.Count(transfers, "line") + " of transfers"},
		{items, plural.Count(items, "open invoice")},
		{bills, plural.Count(bills, "bill") + " to pay"},
		{rates, plural.Count(rates, "exchange rate")},
	} {
		if more.n > 0 {
			parts = append(parts, more.text)
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to import"}
	}
	return plural.Count(len(r.Files), "file") + ": " + strings.Join(parts, ", ")
}

// Imported returns a sentence that says as what the files were imported, or that they changed
// nothing.
func (r *Report) Imported() string {
	if !r.Unchanged {
		return "Imported as " + string(r.Import) + "."
	}
	lines := 0
	for _, f := range r.Files {
		for _, s := range f.Statements {
			lines += s.Lines
		}
	}
	switch lines {
	case 0:
		return "Nothing changed: everything was in the books already."
	case 1:
		return "Nothing changed: the line was in the books already."
	}
	return "Nothing changed: all " + plural.Count(lines, "line") + " were in the books already."
}

// Done returns a sentence about what was imported. The parameter asks says what leads to the
// questions that are open, such as a command.
func (r *Report) Done(asks string) string {
	text := r.Imported()
	if !r.Unchanged {
		text += " " + r.Summary() + "."
	}
	if len(r.PaidInvoices) > 0 {
		text += " Paid now: " + strings.Join(r.PaidInvoices, ", ") + "."
	}
	if len(r.Questions) > 0 {
		text += " " + plural.Count(len(r.Questions), "open question") + ": " + asks + "."
	}
	return text
}

// Problems returns the problems of all files. Each problem occurs once, after the names of the
// files that have it.
func (r *Report) Problems() (problems []string) {
	var texts []string
	files := map[string][]string{}
	for _, f := range r.Files {
		for _, p := range f.Problems {
			if files[p] == nil {
				texts = append(texts, p)
			}
			files[p] = append(files[p], filepath.Base(f.Name))
		}
	}
	for _, text := range texts {
		problems = append(problems, others(files[text])+": "+text)
	}
	return problems
}

// others returns the first name, followed by the number of the other names if there are any.
func others(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return names[0] + " and " + plural.Count(len(names)-1, "other")
}

// Text describes the file in lines: its name, its statements and its problems.
func (f *FileReport) Text() []string {
	title := f.Name
	if f.Format != "" {
		title += " (" + f.Format + ")"
	}
	lines := []string{title}
	for i := range f.Statements {
		lines = append(lines, "  "+f.Statements[i].Text())
	}
	if f.OpenItems > 0 {
		lines = append(lines, "  "+plural.Count(f.OpenItems, "open invoice"))
	}
	if f.Bills > 0 {
		lines = append(lines, "  "+plural.Count(f.Bills, "bill")+" to pay")
	}
	if f.Rates > 0 {
		lines = append(lines, "  "+plural.Count(f.Rates, "exchange rate"))
	}
	for _, p := range f.Problems {
		lines = append(lines, "  ! "+p)
	}
	return lines
}

// Text describes the statement in one line.
func (s *Statement) Text() string {
	period := ""
	if !s.First.IsZero() {
		period = ", " + s.PeriodText()
	}
	closing := money.Dash
	if s.Closing != nil {
		closing = money.Format(*s.Closing, string(s.Currency))
	}
	account := s.Label()
	if currency := string(s.Currency); !strings.HasSuffix(account, " "+currency) {
		account = strings.TrimSpace(account + " " + currency)
	}
	line := fmt.Sprintf("%s%s: %s (%s new), in %s, out %s, closing balance %s", account, period,
		plural.Count(s.Lines, "line"), money.Count(int64(s.New)), money.Format(s.InMinor, string(s.Currency)),
		money.Format(s.OutMinor, string(s.Currency)), closing)
	if s.Pending > 0 {
		line += fmt.Sprintf(", %d pending", s.Pending)
	}
	return line
}

// PeriodText returns the dates of the first and the last line, or a dash if there are no lines.
func (s *Statement) PeriodText() string {
	if s.First.IsZero() {
		return money.Dash
	}
	return s.First.String() + " to " + s.Last.String()
}

// AccountText returns the account, or says that the file does not name one.
func (s *Statement) AccountText() string {
	if s.Account == "" {
		return "account not named"
	}
	return s.Account
}
