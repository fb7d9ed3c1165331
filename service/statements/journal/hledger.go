package journal

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"

	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// hledgerReader reads journals of hledger and ledger. Where the two read a journal in different
// ways, it asks or refuses, or does what hledger does.
type hledgerReader struct {
	facts  *facts
	take   taker
	remark remarker

	styles *styles
	year   int // of dates without one; 0 if the journal has not said it
	// assumed is the year of dates without one where the journal says none, 0 if they are refused.
	assumed int

	open  *transaction // the transaction whose postings follow; nil if there is none
	under string       // the directive whose own lines follow, "" if there is none
	block string       // "comment" or "test" in a block of comments

	budgets, automated, yearless bank.Remark
}

// read reads a journal and passes its transactions to h.take.
func (h *hledgerReader) read(b *bank.Budget, in io.Reader) error {
	lines := bank.NewLines(b, in)
	for {
		text, number, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = h.line(text, number)
		}
		if err != nil {
			return err
		}
	}
	h.remark(h.budgets, "of budgets or forecasts left out")
	h.remark(h.automated, "that only add virtual postings left out")
	h.remark(h.yearless, fmt.Sprintf("without a year taken for %d", h.assumed))
	return h.close()
}

// close ends the transaction that is open.
func (h *hledgerReader) close() error {
	t := h.open
	h.open, h.under = nil, ""
	if t == nil {
		return nil
	}
	if err := t.inferAmounts(h.styles.places); err != nil {
		return err
	}
	for i := range t.postings {
		if p := &t.postings[i]; p.assertion != nil {
			p.assertion.date = p.booked(t)
		}
	}
	if err := h.take(entry{date: t.date, transaction: t}); err != nil {
		return err
	}
	for i := range t.postings {
		if p := &t.postings[i]; !p.date.IsZero() && p.date != t.date {
			if err := h.take(entry{date: p.date, posting: p}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *hledgerReader) line(text string, number int) error {
	switch {
	case h.block != "":
		if text == "end "+h.block || text == "end" {
			h.block = ""
		}
		return nil
	case text == "":
		return h.close()
	case text[0] == ' ' || text[0] == '\t':
		return h.indented(strings.TrimLeft(text, " \t"), number)
	}
	if err := h.close(); err != nil {
		return err
	}
	switch {
	case strings.IndexByte(";#*%|", text[0]) >= 0:
		return nil
	case text[0] >= '0' && text[0] <= '9':
		return h.transaction(text, number)
	case text[0] == '~', text[0] == '=':
		h.under = text[:1]
		if text[0] == '~' {
			h.budgets.Add(number)
		} else {
			h.automated.Add(number)
		}
		return nil
	}
	return h.directive(text, number)
}

// maxPostings is the largest number of postings of a transaction.
const maxPostings = 10_000

// indented reads a line that begins with blanks.
func (h *hledgerReader) indented(text string, number int) error {
	comment := text[0] == ';'
	switch {
	case h.open != nil && comment:
		if len(h.open.postings) == 0 {
			return nil
		}
		return h.comment(&h.open.postings[len(h.open.postings)-1], text)
	case h.open != nil:
		p, err := h.posting(text, number)
		if err != nil {
			return err
		}
		if len(h.open.postings) >= maxPostings {
			return bank.Errorf(number, "a transaction has more than %d postings", maxPostings)
		}
		h.facts.asserted = h.facts.asserted || p.assertion != nil
		h.open.postings = append(h.open.postings, p)
		return nil
	case h.under == "account":
		h.typed(text)
		return h.detail(text, number)
	case h.under == "=":
		if !comment && text[0] != '(' && text[0] != '[' {
			return bank.Errorf(number, "automated transactions add postings, and tarmac adds none: run "+
				`"hledger print --auto -x" or "ledger print --generated" yourself and import what it prints`)
		}
		return nil
	case h.under != "":
		if h.under == "~" || comment {
			return nil
		}
		return h.detail(text, number)
	case comment:
		return nil
	}
	return bank.Errorf(number, "a posting without a transaction")
}

// transaction reads the first line of a transaction.
func (h *hledgerReader) transaction(text string, number int) error {
	c := &cursor{line: number}
	c.text, _, _ = strings.Cut(text, ";")
	c.text = strings.TrimRight(c.text, " \t")
	written, _, _ := strings.Cut(c.word(), "=")
	if n, ok := parseNumbers(written); ok && n.short && h.year == 0 {
		if h.assumed == 0 {
			return bank.Errorf(number, "the date %q has no year: write a line such as Y2026 before it", bank.Short(written))
		}
		h.yearless.Add(number)
	}
	day, ok := parseDay(written, cmp.Or(h.year, h.assumed))
	if !ok {
		return bank.Errorf(number, "the date %q is not possible in a statement", bank.Short(bank.Text(written)))
	}
	t := &transaction{line: number, date: day}
	_ = c.take("*") || c.take("!")
	if c.take("(") {
		if t.code, ok = c.until(")"); !ok {
			return bank.Errorf(number, "a code without a closing bracket")
		}
	}
	t.code = bank.Text(t.code)
	t.text = strings.Clone(c.text[:min(len(c.text), bank.MaxRaw)])
	payee, note, _ := strings.Cut(t.text, "|")
	t.payee, t.note = bank.Text(payee), bank.Text(note)
	h.open = t
	return nil
}

// account returns the name of an account.
func (h *hledgerReader) account(name string, line int) (string, error) {
	if name == "" || len(name) > maxAccount || strings.Count(name, ":") >= maxLevels {
		return "", bank.Errorf(line, "the account %q cannot be read", bank.Short(bank.Text(name)))
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		return "", bank.Errorf(line, "the account %q has control characters", bank.Short(bank.Text(name)))
	}
	return h.facts.account(name, line)
}

// remarks returns a function that passes what was left out to the sink.
func remarks(sink bank.Sink) remarker {
	return func(r bank.Remark, text string) {
		if r.Count > 0 {
			sink.Problem(r.Place, plural.Count(r.Count, "transaction")+" "+text)
		}
	}
}
