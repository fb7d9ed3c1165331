package bookexport

import (
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// beancountWriter writes a journal that beancount reads.
type beancountWriter struct {
	out    errorWriter
	opened map[string]bool // accounts that have an open directive
	rates  bool            // true if the last directive is a rate
}

func newBeancount(out io.Writer) *beancountWriter {
	return &beancountWriter{out: errorWriter{Writer: out}, opened: map[string]bool{}}
}

func (w *beancountWriter) Begin(h Header) error {
	w.out.printf("option \"title\" %s\noption \"operating_currency\" \"USD\"\n\n", quoted(h.Organization))
	commodities := map[string]bool{}
	for _, a := range h.Accounts {
		if !commodities[a.Currency] {
			commodities[a.Currency] = true
			w.out.printf("%s commodity %s\n", a.Opened, a.Currency)
		}
	}
	w.out.printf("\n")
	for _, a := range h.Accounts {
		w.opened[beancountName(a.Name)] = true
		w.out.printf("%s open %s %s\n  about: %s\n\n", a.Opened, beancountName(a.Name), a.Currency,
			quoted(aboutAccount(a)))
	}
	return w.out.err
}

func (w *beancountWriter) Rate(r bank.Rate) error {
	w.rates = true
	w.out.printf("%s price %s %s USD\n", r.Date, r.Currency, bookrules.RateText(r))
	return w.out.err
}

func (w *beancountWriter) Transaction(t *Transaction) error {
	if w.rates {
		w.rates = false
		w.out.printf("\n")
	}
	for i := range t.Postings {
		if name := beancountName(t.Postings[i].name()); !w.opened[name] {
			w.opened[name] = true
			w.out.printf("%s open %s\n\n", t.Date, name)
		}
	}
	w.out.printf("%s * %s %s\n", t.Date, quoted(t.Payee), quoted(t.text()))
	for _, field := range [...]struct{ name, value string }{
		{"id", t.ID}, {"transfer", t.OtherID}, {"category", t.Category}, {"reference", t.Reference},
		{"note", oneLine(t.Note)},
	} {
		if field.value != "" {
			w.out.printf("  %s: %s\n", field.name, quoted(field.value))
		}
	}
	for i := range t.Postings {
		p := &t.Postings[i]
		w.out.printf("  %s  %s", beancountName(p.name()), amount(p.Minor, p.Currency))
		if p.Cost != nil {
			w.out.printf(" @@ %s", amount(p.Cost.Minor, p.Cost.Currency))
		}
		w.out.printf("\n")
	}
	w.out.printf("\n")
	return w.out.err
}

// Balance writes the balance with the date of the next day, because a beancount balance applies to
// the beginning of its day.
func (w *beancountWriter) Balance(date civil.Date, account *Account, minor int64) error {
	w.out.printf("%s balance %s  %s\n\n", date.AddDays(1), beancountName(account.Name), amount(minor, account.Currency))
	return w.out.err
}

func (w *beancountWriter) End() error { return w.out.err }

// quoted returns a text as a string of beancount.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(text)) + `"`
}
