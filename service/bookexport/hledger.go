package bookexport

import (
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// hledgerWriter writes a journal that hledger and ledger read.
type hledgerWriter struct {
	out        errorWriter
	declared   map[string]bool // accounts that have an account directive
	currencies map[string]bool // currencies that have a commodity directive
	rates      bool            // true if the last directive is a rate
}

func newHledger(out io.Writer) *hledgerWriter {
	return &hledgerWriter{out: errorWriter{Writer: out}, declared: map[string]bool{}, currencies: map[string]bool{}}
}

// errorWriter remembers the first error of writing and writes nothing after it.
type errorWriter struct {
	io.Writer
	err error
}

func (w *errorWriter) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.Writer, format, args...)
	}
}

func (w *hledgerWriter) Begin(h Header) error {
	w.out.printf("; Books of %s, exported by tarmac.\n\n", hledgerText(h.Organization))
	for _, tag := range [...]string{"id", "note", "transfer"} {
		w.out.printf("tag %s\n\n", tag)
	}
	for _, a := range h.Accounts {
		w.commodity(a.Currency)
	}
	for _, a := range h.Accounts {
		w.out.printf("; %s\n", hledgerText(aboutAccount(a)))
		w.account(a.Name)
	}
	return w.out.err
}

// aboutAccount returns the number and bank of an account, for a comment in the journal.
func aboutAccount(a *Account) string {
	text := strings.TrimSpace(a.Number + " " + a.Bank)
	if !a.BalanceKnown {
		text += ": no statement has its balance, so that it begins at zero here"
	}
	return text
}

// commodity declares a currency if it was not declared yet.
func (w *hledgerWriter) commodity(currency string) {
	if !w.currencies[currency] {
		w.currencies[currency] = true
		w.out.printf("commodity %s\n", currency)
		// For a currency without decimals, hledger requires a decimal point in the format, but
		// ledger cannot read such a format.
		if exponent := money.Exponent(currency); exponent > 0 {
			w.out.printf("    format 1000.%s %s\n", strings.Repeat("0", exponent), currency)
		}
		w.out.printf("\n")
	}
}

// account declares an account if it was not declared yet.
func (w *hledgerWriter) account(n Name) {
	if w.rates {
		w.rates = false
		w.out.printf("\n")
	}
	if name := hledgerName(n); !w.declared[name] {
		w.declared[name] = true
		w.out.printf("account %s\n\n", name)
	}
}

func (w *hledgerWriter) Rate(r bank.Rate) error {
	w.commodity("USD")
	w.rates = true
	w.out.printf("P %s %s %s USD\n", r.Date, r.Currency, bookrules.RateText(r))
	return w.out.err
}

func (w *hledgerWriter) Transaction(t *Transaction) error {
	for i := range t.Postings {
		w.account(t.Postings[i].name())
		w.commodity(t.Postings[i].Currency)
		if cost := t.Postings[i].Cost; cost != nil {
			w.commodity(cost.Currency)
		}
	}
	code := hledgerText(strings.NewReplacer("(", "", ")", "").Replace(t.Reference))
	if code != "" {
		code = "(" + code + ") "
	}
	w.out.printf("%s * %s%s", t.Date, code, hledgerText(t.Payee))
	if description := hledgerText(t.text()); description != "" {
		w.out.printf(" | %s", description)
	}
	w.out.printf("\n")
	if t.ID != "" {
		w.out.printf("    ; id: %s\n", t.ID)
	}
	if t.OtherID != "" {
		w.out.printf("    ; transfer: %s\n", t.OtherID)
	}
	if note := tagText(t.Note); note != "" {
		w.out.printf("    ; note: %s\n", note)
	}
	for i := range t.Postings {
		p := &t.Postings[i]
		w.out.printf("    %s  %s", hledgerName(p.name()), amount(p.Minor, p.Currency))
		if p.Cost != nil {
			w.out.printf(" @@ %s", amount(p.Cost.Minor, p.Cost.Currency))
		}
		w.out.printf("\n")
	}
	w.out.printf("\n")
	return w.out.err
}

func (w *hledgerWriter) Balance(date civil.Date, account *Account, minor int64) error {
	w.out.printf("%s * Balance\n    %s  %s = %s\n\n", date, hledgerName(account.Name), amount(0, account.Currency),
		amount(minor, account.Currency))
	return w.out.err
}

func (w *hledgerWriter) End() error { return w.out.err }

// hledgerText returns a text for the first line of a transaction, or for a comment. A semicolon
// would begin a comment, a bar would end the payee, and some signs at the beginning would be a mark
// or a code.
func hledgerText(text string) string {
	text = oneLine(strings.NewReplacer(";", ",", "|", "/").Replace(text))
	return strings.TrimLeft(text, "*!(=@ ")
}

// tagText returns a text for the value of a tag. A comma would end the value in hledger, and a date
// in brackets would be that of the transaction in ledger.
func tagText(text string) string {
	return oneLine(strings.NewReplacer(",", ";", "[", "(", "]", ")").Replace(text))
}
