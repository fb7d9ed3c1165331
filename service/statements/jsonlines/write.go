package jsonlines

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// Statement is a statement with its lines.
type Statement struct {
	bank.Statement
	Lines []bank.Line
}

// List is a list of open invoices or bills. A list without any says that none is open.
type List struct {
	bank.OpenItems
	Items []bank.OpenItem
}

// Write writes statements and lists as JSON lines. The order of statements, of the lines of a day
// and of invoices makes no difference: equal content has equal text. Statements need an account
// number and a currency. Place and Raw of lines, and Making of statements, are not written.
func Write(w io.Writer, statements []Statement, lists []List) error {
	var out bytes.Buffer
	statements = slices.Clone(statements)
	slices.SortStableFunc(statements, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(a.Account.Number, b.Account.Number), cmp.Compare(a.Currency, b.Currency),
			a.First.Compare(b.First))
	})
	for i := range statements {
		if err := writeStatement(&out, &statements[i]); err != nil {
			return err
		}
	}
	for i := range lists {
		if err := writeList(&out, &lists[i]); err != nil {
			return err
		}
	}
	_, err := out.WriteTo(w)
	return err
}

func writeStatement(out *bytes.Buffer, s *Statement) error {
	description := accountLine{
		Account: s.Account.Number, Currency: s.Currency, Bank: s.Account.Bank, Name: s.Account.Name,
		Kind: kinds[s.Account.Kind], From: s.First.String(), To: s.Last.String(),
	}
	if o := s.Opening; o != nil {
		description.Opening = decimal(o.Minor, s.Currency)
	}
	if c := s.Closing; c != nil {
		description.Closing, description.ClosingDate = decimal(c.Minor, s.Currency), c.Date.String()
	}
	text, err := encode(description)
	if err != nil {
		return err
	}
	out.WriteString(text)
	lines := make([]string, 0, len(s.Lines))
	for i := range s.Lines {
		text, err := encode(lineOf(&s.Statement, &s.Lines[i]))
		if err != nil {
			return err
		}
		lines = append(lines, text)
	}
	writeSorted(out, lines)
	return nil
}

func writeList(out *bytes.Buffer, list *List) error {
	header := listLine{Source: list.Source, AsOf: list.AsOf.String()}
	if list.Side != bank.Receivable {
		header.Side = sideNames[list.Side]
	}
	text, err := encode(header)
	if err != nil {
		return err
	}
	out.WriteString(text)
	lines := make([]string, 0, len(list.Items))
	for _, item := range list.Items {
		text, err := encode(itemLine(list.Side, item))
		if err != nil {
			return err
		}
		lines = append(lines, text)
	}
	writeSorted(out, lines)
	return nil
}

// itemLine returns the line of an open invoice or a bill.
func itemLine(side bank.Side, item bank.OpenItem) any {
	open := openLine{
		Issued: item.Issued.String(), Due: item.Due.String(), Currency: item.Currency,
		Amount: decimal(item.Minor, item.Currency),
	}
	if side == bank.Payable {
		return billLine{Bill: item.Number, Vendor: item.Party, openLine: open}
	}
	return invoiceLine{Invoice: item.Number, Customer: item.Party, openLine: open}
}

// writeSorted writes lines in alphabetical order: transactions begin with their date.
func writeSorted(out *bytes.Buffer, lines []string) {
	slices.Sort(lines)
	for _, line := range lines {
		out.WriteString(line)
	}
}

// encode returns a value as JSON in one line, with a line break at its end.
func encode(value any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return b.String(), err
}

type accountLine struct {
	Account     string `json:"account"`
	Currency    string `json:"currency"`
	Bank        string `json:"bank,omitempty"`
	Name        string `json:"name,omitempty"`
	Kind        string `json:"kind,omitempty"`
	From        string `json:"from,omitempty"`
	To          string `json:"to,omitempty"`
	Opening     string `json:"opening,omitempty"`
	Closing     string `json:"closing,omitempty"`
	ClosingDate string `json:"closing_date,omitempty"`
}

type transactionLine struct {
	Date         string        `json:"date"`
	Account      string        `json:"account"`
	Amount       string        `json:"amount"`
	Currency     string        `json:"currency"`
	Pending      bool          `json:"pending,omitempty"`
	ID           string        `json:"id,omitempty"`
	ValueDate    string        `json:"value_date,omitempty"`
	Counterparty string        `json:"counterparty,omitempty"`
	OtherAccount string        `json:"other_account,omitempty"`
	Description  string        `json:"description,omitempty"`
	Reference    string        `json:"reference,omitempty"`
	Method       string        `json:"method,omitempty"`
	Transfer     bool          `json:"transfer,omitempty"`
	Balance      string        `json:"balance,omitempty"`
	Original     *originalLine `json:"original,omitempty"`
}

type originalLine struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
	Rate     string `json:"rate,omitempty"`
}

type listLine struct {
	Source string `json:"source"`
	AsOf   string `json:"as_of,omitempty"`
	Side   string `json:"side,omitempty"`
}

type invoiceLine struct {
	Invoice  string `json:"invoice"`
	Customer string `json:"customer,omitempty"`
	openLine
}

type billLine struct {
	Bill   string `json:"bill"`
	Vendor string `json:"vendor,omitempty"`
	openLine
}

// openLine has the fields that open invoices and bills share.
type openLine struct {
	Issued   string `json:"issued,omitempty"`
	Due      string `json:"due,omitempty"`
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}

func lineOf(s *bank.Statement, l *bank.Line) transactionLine {
	line := transactionLine{
		Date: l.Booked.String(), Account: s.Account.Number, Amount: decimal(l.Minor, s.Currency), Currency: s.Currency,
		Pending: l.Pending, ID: l.ID, ValueDate: l.Value.String(), Counterparty: l.Counterparty, OtherAccount: l.OtherAccount,
		Description: l.Description, Reference: l.Reference, Method: l.Method, Transfer: l.Transfer,
	}
	if l.Running != nil {
		line.Balance = decimal(*l.Running, s.Currency)
	}
	if o := l.Original; o != nil {
		line.Original = &originalLine{Currency: o.Currency, Amount: decimal(o.Minor, o.Currency), Rate: o.Rate}
	}
	return line
}

// decimal returns minor units as a plain number, such as -1234.56, without separators.
func decimal(minor int64, currency string) string {
	return strings.ReplaceAll(money.Format(minor, currency), ",", "")
}
