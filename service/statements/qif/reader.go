package qif

import (
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// reader makes statements and lines of the records of a file.
type reader struct {
	style   style
	options bank.Options
	sink    bank.Sink

	// account is the name in the account record before the section. It is "" if there are several
	// such records.
	account    string
	accounts   int             // number of account records before the section
	statement  *bank.Statement // nil outside of sections with transactions
	started    bool            // true if the statement has a line or an opening balance
	statements int

	investments     int // number of investment transactions, which are not read
	investmentsLine int
}

// take handles a record or a header.
func (r *reader) take(next record) error {
	switch {
	case next.header:
		r.statement = nil
		if next.section == "account" {
			r.account, r.accounts = "", 0
		}
		if _, ok := sectionKinds[next.section]; ok {
			return r.begin(next)
		}
		r.skipSection(next)
	case next.section == "account":
		// Several account records in a row are a list of accounts. Each section then has a record
		// of its own.
		if r.account, r.accounts = "", r.accounts+1; r.accounts == 1 {
			r.account = bank.Text(next.text('N'))
		}
	case next.section == "type:invst":
		if r.investments++; r.investments == 1 {
			r.investmentsLine = next.line
		}
	case next.isTransaction():
		if r.statement == nil {
			if err := r.begin(next); err != nil {
				return err
			}
		}
		return r.line(next)
	}
	return nil
}

// lists has the sections without transactions of accounts, such as lists of categories.
var lists = []string{
	"account", "type:cat", "type:class", "type:tag", "type:memorized", "type:security", "type:prices", "type:budget",
	"type:invitem", "type:template", "type:invst",
}

// skipSection passes a warning to the sink for a section that is not read. It passes none for
// sections in lists.
func (r *reader) skipSection(header record) {
	if slices.Contains(lists, header.section) || strings.HasPrefix(header.section, "option:") ||
		strings.HasPrefix(header.section, "clear:") {
		return
	}
	r.sink.Problem(header.line, fmt.Sprintf("the section %q is not read", bank.Short(bank.Text("!"+header.section))))
}

// begin starts a statement and passes it to the sink.
func (r *reader) begin(first record) error {
	r.statement = &bank.Statement{
		Account:  bank.Account{Number: r.account, Name: r.account, Kind: sectionKinds[first.section]},
		Currency: r.options.Currency,
	}
	if r.account == "" {
		r.statement.Account.Number = r.options.Account
	}
	r.started = false
	r.statements++
	return r.sink.Statement(r.statement)
}

// finish returns an error if the file has no transactions of an account.
func (r *reader) finish() error {
	switch {
	case r.statements == 0 && r.investments > 0:
		return bank.Errorf(r.investmentsLine, "contains only %s, which are not read",
			plural.Count(r.investments, "investment transaction"))
	case r.statements == 0:
		return bank.Errorf(0, "contains no transactions of a bank account or card")
	case r.investments > 0:
		r.sink.Problem(r.investmentsLine, plural.Count(r.investments, "investment transaction")+" left out")
	}
	return nil
}

// line reads a transaction or an opening balance.
func (r *reader) line(next record) error {
	written, dated := next.get('D')
	amount, valued := next.amount()
	switch {
	case !dated:
		return bank.Errorf(next.line, "a transaction has no date")
	case !valued:
		return bank.Errorf(next.line, "a transaction has no amount")
	}
	parts, _ := dateParts(written.text)
	booked, ok := parts.in(r.style.order)
	if !ok {
		return bank.Errorf(written.line, "the date %q does not exist", bank.Short(written.text))
	}
	minor, err := bank.ParseAmount(amount.text, r.style.mark, r.statement.Currency)
	if err != nil {
		return bank.Errorf(amount.line, "the amount %q %v", bank.Short(amount.text), err)
	}
	transfer := transferTo(next.text('L'))
	if name, ok := r.opening(next, transfer); ok {
		r.started = true
		if r.statement.Account.Name == "" {
			r.statement.Account.Name = name
		}
		r.statement.Opening = &bank.Balance{Minor: minor, Date: booked.AddDays(-1)}
		return nil
	}
	r.started = true
	line := bank.Line{
		Place: next.line, Booked: booked, Minor: minor, Counterparty: bank.Text(next.text('P')),
		Description: bank.Text(next.memo()), OtherAccount: transfer, Transfer: transfer != "", Raw: string(next.raw),
	}
	if number := bank.Text(next.text('N')); strings.ContainsAny(number, "0123456789") {
		line.Reference = number
	} else {
		line.Method = number
	}
	return r.sink.Line(r.statement, line)
}

// memo joins the memo fields (M) of a record with blanks.
func (r *record) memo() string {
	var texts []string
	for _, f := range r.fields {
		if f.code == 'M' && f.text != "" {
			texts = append(texts, f.text)
		}
	}
	return strings.Join(texts, " ")
}

// transferTo returns the other account of a transfer. A transfer has the name of that account in
// brackets instead of a category. For other categories, transferTo returns "".
func transferTo(category string) string {
	name, ok := strings.CutPrefix(category, "[")
	name, _, closed := strings.Cut(name, "]")
	if !ok || !closed {
		return ""
	}
	return bank.Text(name)
}

// openings lists the names of opening balances in several languages.
var openings = []string{
	"opening balance", "beginning balance", "starting balance", "initial balance", "solde initial", "solde d'ouverture",
	"anfangssaldo", "eröffnungssaldo", "anfangsbestand", "saldo inicial", "saldo iniziale", "beginsaldo",
}

// opening reports whether a record is the opening balance of an account. It must be the first
// record of its account, and it is written as a transfer from that account to itself.
func (r *reader) opening(next record, transfer string) (account string, ok bool) {
	if r.started {
		return "", false
	}
	named := slices.ContainsFunc(openings, func(name string) bool { return strings.EqualFold(name, next.text('P')) })
	itself := transfer != "" && transfer == r.account
	return transfer, itself || named && (transfer != "" || next.text('L') == "")
}
