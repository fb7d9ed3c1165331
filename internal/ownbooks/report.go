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

// Batch is a set of files to import.
type Batch struct {
	Files          []string // absolute paths
	Answers        []Answer
	AcceptResidual bool // import lines even if they do not add up to the balances
}

// Question is what the user must decide about a file before it can be imported, or the balance of
// an account, which no file says and the user may not know.
type Question struct {
	File    int // index in Batch.Files
	Name    string
	Reason  string
	Flag    string   // the flag of "tarmac import" for the answer
	Choices []string // possible answers; empty if the answer may be any text

	Account, Currency string // of a balance
}

// balanceFlag is the Flag of questions about balances.
const balanceFlag = "--balance"

// Flags of the questions that the first import of new books asks.
const (
	NameFlag     = "--name"
	CurrencyFlag = "--report-in"
)

// NameQuestion asks for the name of the company of new books.
func NameQuestion() Question {
	return Question{Name: "Your company", Flag: NameFlag, Reason: "the name is shown above your figures"}
}

// CurrencyQuestion asks in which currency new books report. The currencies are those of the lines,
// the most frequent first; counts says how many lines have them.
func CurrencyQuestion(currencies []string, counts string) Question {
	return Question{
		Name: "Your figures", Flag: CurrencyFlag, Choices: currencies,
		Reason: "there are " + counts + "; choose the currency of your figures",
	}
}

// IsGeneral reports whether the question is about the books and not about a file.
func (q *Question) IsGeneral() bool { return q.Flag == NameFlag || q.Flag == CurrencyFlag }

// Of returns the answer to the question with a flag, or "".
func (b *Batch) Of(flag string) string {
	for _, a := range b.Answers {
		if a.Question.Flag == flag {
			return a.Text
		}
	}
	return ""
}

// IsOptional reports whether the question may be left unanswered: that about a balance.
func (q *Question) IsOptional() bool { return q.Flag == balanceFlag }

// BalanceQuestion asks for the balance of an account, which is named by its number or name.
func BalanceQuestion(account, name, currency string) Question {
	return Question{
		Name: name, Flag: balanceFlag, Account: account, Currency: currency,
		Reason: "no file says a balance of this account in " + currency + ". Without one, cash is unknown",
	}
}

// Answer is the user's answer to a question.
type Answer struct {
	Question Question
	Text     string
}

// Answered reports whether the batch has an answer to the question.
func (b *Batch) Answered(q *Question) bool {
	return slices.ContainsFunc(b.Answers, func(a Answer) bool {
		return a.Question.File == q.File && a.Question.Flag == q.Flag && a.Question.Account == q.Account
	})
}

// Subject returns what the question asks for, such as "date-format".
func (q *Question) Subject() string {
	if q.Flag == CurrencyFlag {
		return "currency"
	}
	return strings.TrimPrefix(q.Flag, "--")
}

// Prompt returns the question as a prompt, with its choices.
func (q *Question) Prompt() string {
	switch {
	case q.IsOptional():
		return "Type the balance and its day, such as 12,340.50 on 2026-09-30"
	case len(q.Choices) == 0:
		return "Type the " + q.Subject()
	}
	choices := strings.Join(q.Choices, ", ")
	if q.Flag == "--same-account" {
		return fmt.Sprintf("Is it of that account? Type %s", choices)
	}
	return fmt.Sprintf("Type the %s (%s)", q.Subject(), choices)
}

// ChoiceMeans explains a choice of a question. It returns "" if the choice explains itself.
func ChoiceMeans(choice string) string {
	switch choice {
	case "dmy":
		return "day first: 03/04 is 3 April"
	case "mdy":
		return "month first: 03/04 is 4 March"
	case "ymd":
		return "year first: 2026/03/04"
	case "point":
		return "1,500.00 is fifteen hundred"
	case "comma":
		return "1.500,00 is fifteen hundred"
	case "out-negative":
		return "negative amounts are money out"
	case "out-positive":
		return "positive amounts are money out, as on many cards"
	case "yes":
		return "the file is of that account"
	case "no":
		return "two accounts have the same lines"
	case "debit-out":
		return "debits are money out, as banks write"
	case "debit-in":
		return "debits are money in, as in a company's own books"
	}
	return ""
}

// Report describes the content of files and what importing them changes. Amounts are in minor units
// of each account's currency.
type Report struct {
	Import Optional     `json:"import"` // id of the import; "" if nothing was imported
	Files  []FileReport `json:"files"`
	// PaidInvoices has the numbers of the company's own invoices that payments in the files have
	// paid.
	PaidInvoices []string `json:"paid_invoices,omitempty"`
	// Feed says what a reading of a connection changed; nil for files.
	Feed *Reading `json:"feed,omitempty"`
	// Questions are the open questions about the lines; the problems of the files name them.
	Questions []OpenQuestion `json:"-"`
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
	Contradiction bool `json:"-"`

	// Key is the key of the account in the database.
	Key int64 `json:"-"`
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

// Question returns the first question that the batch has no answer to: about new books, about a
// file or, if all files can be imported, about a balance. It returns nil if there is none.
func (r *Report) Question(b *Batch) *Question {
	for i := range r.General {
		if q := &r.General[i]; r.HasContent() && !b.Answered(q) {
			return q
		}
	}
	for i := range r.Files {
		if q := r.Files[i].Question; q != nil {
			return q
		}
	}
	for i := range r.Balances {
		if q := &r.Balances[i]; !r.Failed() && !b.Answered(q) {
			return q
		}
	}
	return nil
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

// Done returns a sentence about what was imported. The parameter asks says what leads to the
// questions that are open, such as a command.
func (r *Report) Done(asks string) string {
	text := "Imported as " + string(r.Import) + ". " + r.Summary() + "."
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
	line := fmt.Sprintf("%s %s%s: %s (%s new), in %s, out %s, closing balance %s", s.AccountText(), s.Currency,
		period, plural.Count(s.Lines, "line"), money.Count(int64(s.New)), money.Format(s.InMinor, string(s.Currency)),
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
