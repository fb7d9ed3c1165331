package journal

import (
	"math/big"
	"strings"

	"tarmac/service/statements/bank"
)

// Limits of names of accounts: their length in bytes, and their levels.
const (
	maxAccount = 500
	maxLevels  = 32
)

// posting parses a posting of a journal of hledger or ledger, without blanks before it.
func (h *hledgerReader) posting(text string, line int) (posting, error) {
	p := posting{line: line}
	if rest, ok := strings.CutPrefix(text, "* "); ok {
		text = rest
	} else if rest, ok := strings.CutPrefix(text, "! "); ok {
		text = rest
	}
	name, rest := strings.TrimLeft(text, " \t"), ""
	if end := endOfAccount(name); end >= 0 {
		name, rest = name[:end], name[end:]
	}
	c := &cursor{text: strings.TrimLeft(rest, " \t"), line: line}
	switch {
	case strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")"):
		name, p.kind = name[1:len(name)-1], unbalanced
	case strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]"):
		name, p.kind = name[1:len(name)-1], balanced
	case strings.HasPrefix(name, "<"):
		return p, bank.Errorf(line, "%q is a deferred posting: write it as an ordinary one", bank.Short(bank.Text(name)))
	}
	var err error
	if p.account, err = h.account(strings.TrimSpace(name), line); err != nil {
		return p, err
	}
	if c.text == "" || c.text[0] == ';' || c.text[0] == '=' {
		p.elided = true
	} else if err := h.amounts(c, &p); err != nil {
		return p, err
	}
	if strings.HasPrefix(c.text, "=") {
		if err := h.assertion(c, &p); err != nil {
			return p, err
		}
	}
	if c.text != "" && c.text[0] != ';' {
		return p, c.unread()
	}
	return p, h.comment(&p, c.text)
}

// endOfAccount returns the index of the two blanks or the tab that end the name of an account, or
// -1.
func endOfAccount(text string) int {
	for i := range len(text) {
		if text[i] == '\t' || text[i] == ' ' && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
			return i
		}
	}
	return -1
}

// amounts parses the amount of a posting with its lot and cost.
func (h *hledgerReader) amounts(c *cursor, p *posting) error {
	units, err := h.amount(c)
	if err != nil {
		return err
	}
	p.amounts = []amount{units}
	for c.text != "" {
		switch c.text[0] {
		case '{':
			if p.basis, err = h.lot(c, units); err != nil {
				return err
			}
		case '[':
			if _, ok := c.until("]"); !ok {
				return c.unread()
			}
		case '(':
			if !strings.HasPrefix(c.text, "(@") {
				if _, ok := c.until(")"); !ok {
					return c.unread()
				}
				continue
			}
			fallthrough
		case '@':
			if p.weight != nil {
				return c.unread()
			}
			if p.weight, err = h.cost(c, units); err != nil {
				return err
			}
		case '=', ';':
			p.dropBasis()
			return nil
		default:
			return c.unread()
		}
	}
	p.dropBasis()
	return nil
}

// dropBasis forgets the price of a lot that makes no difference. Without a cost, neither hledger
// nor ledger count a posting by the price of its lot.
func (p *posting) dropBasis() {
	if p.basis != nil && (p.weight == nil ||
		p.basis.commodity == p.weight.commodity && p.basis.quantity.Cmp(p.weight.quantity) == 0) {
		p.basis = nil
	}
}

// lot parses the price of a lot, {10 USD} or {{100 USD}}, and returns what units count as by it.
func (h *hledgerReader) lot(c *cursor, units amount) (*amount, error) {
	end, total := "}", c.take("{{")
	if total {
		end = "}}"
	} else {
		c.take("{")
	}
	inside, ok := c.until(end)
	if !ok {
		return nil, c.unread()
	}
	in := &cursor{text: strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inside), "=")), line: c.line}
	if in.text == "" {
		return nil, nil
	}
	price, err := h.amount(in)
	switch {
	case err != nil:
		return nil, err
	case in.text != "":
		return nil, in.unread()
	case total:
		return price.total(units.quantity), nil
	}
	return price.times(units.quantity), nil
}

// cost parses a cost, @ 1.10 USD or @@ 11 USD, and returns what units cost.
func (h *hledgerReader) cost(c *cursor, units amount) (*amount, error) {
	total := c.take("(@@)") || c.take("@@")
	if !total && !c.take("(@)") {
		c.take("@")
	}
	price, err := h.amount(c)
	switch {
	case err != nil:
		return nil, err
	case price.quantity.Sign() < 0:
		return nil, bank.Errorf(c.line, "the price %q is negative", price.text())
	case total:
		return price.total(units.quantity), nil
	}
	return price.times(units.quantity), nil
}

// assertion parses the balance that a posting asserts: = 10 USD, == 10 USD or =* 10 USD.
func (h *hledgerReader) assertion(c *cursor, p *posting) error {
	b := &balance{line: c.line, account: p.account, tolerance: new(big.Rat)}
	c.take("=")
	b.total = c.take("=")
	b.inclusive = c.take("*")
	var err error
	if b.amount, err = h.amount(c); err != nil {
		return err
	}
	if p.elided && c.text != "" && c.text[0] != ';' {
		return bank.Errorf(c.line, "a balance with a price cannot tell the amount: write the amount out")
	}
	if strings.HasPrefix(c.text, "@") {
		if _, err := h.cost(c, b.amount); err != nil {
			return err
		}
	}
	p.assertion = b
	return nil
}

// amount parses an amount.
func (h *hledgerReader) amount(c *cursor) (amount, error) {
	w, err := c.written()
	if err != nil {
		return amount{}, err
	}
	w.commodity = strings.Clone(w.commodity)
	if !w.named {
		w.commodity = h.styles.fallback
	}
	quantity, places, err := h.styles.value(w.number, w.commodity, c.line)
	if err != nil {
		return amount{}, err
	}
	if w.negative {
		quantity.Neg(quantity)
	}
	return amount{quantity, places, w.commodity}, nil
}

// comment takes the date of a posting from a comment that begins with ";".
func (h *hledgerReader) comment(p *posting, comment string) error {
	text, ok := dateIn(comment)
	if !ok {
		return nil
	}
	day, ok := parseDay(text, h.open.date.Year())
	if !ok {
		return bank.Errorf(p.line, "the date %q of a posting cannot be read", bank.Short(bank.Text(text)))
	}
	p.date = day
	return nil
}

// maxBracket is the largest length of two dates in brackets, 2026-01-31=2026-02-28 and a bracket.
const maxBracket = 24

// dateIn returns the date of a posting in a comment: "date:" and a date, or a date in brackets.
func dateIn(comment string) (string, bool) {
	for at, rest := 0, comment; ; {
		i := strings.Index(rest, "date:")
		if i < 0 {
			break
		}
		if at += i; at == 0 || strings.IndexByte(" \t;", comment[at-1]) >= 0 {
			value, _, _ := strings.Cut(comment[at+len("date:"):], ",")
			return strings.TrimSpace(value), true
		}
		at += len("date:")
		rest = comment[at:]
	}
	for rest := comment; ; {
		_, after, ok := strings.Cut(rest, "[")
		if !ok {
			return "", false
		}
		near := after[:min(len(after), maxBracket)]
		if inside, _, ok := strings.Cut(near, "]"); ok && strings.Trim(inside, "0123456789-/.=") == "" &&
			strings.ContainsAny(inside, "0123456789") && strings.ContainsAny(inside, "-/.") {
			day, _, _ := strings.Cut(inside, "=")
			if day != "" {
				return day, true
			}
		}
		rest = after
	}
}
