package journal

import (
	"math/big"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// harmless has the options of beancount that do not change what is read.
var harmless = map[string]bool{
	"title": true, "operating_currency": true, "render_commas": true, "documents": true, "booking_method": true,
	"long_string_maxlines": true, "conversion_currency": true, "account_current_conversions": true,
	"account_current_earnings": true, "account_previous_balances": true, "account_previous_conversions": true,
	"account_previous_earnings": true, "account_rounding": false, "account_unrealized_gains": true,
	"allow_pipe_separator": true, "allow_deprecated_none_for_tags_and_links": true, "commodities": true,
}

// option reads an option.
func (b *beancountReader) option(c *cursor) error {
	name, err := c.quoted()
	if err != nil {
		return err
	}
	value, err := c.quoted()
	if err != nil {
		return err
	}
	switch _, renamed := b.roots.names[name]; {
	case renamed && value != "" && len(value) <= maxAccount:
		b.roots.names[name] = value
		return nil
	case name == "inferred_tolerance_default":
		return b.tolerance(value, c.line)
	case harmless[name]:
		return nil
	}
	return refuseBean(c.line, "option \""+name+"\"", "changes how the journal is read")
}

// tolerance takes the smallest difference of a commodity from an option such as "USD:0.005".
func (b *beancountReader) tolerance(value string, line int) error {
	commodity, number, _ := strings.Cut(value, ":")
	in := &cursor{text: strings.TrimSpace(number), line: line}
	tolerance, _, err := in.decimal()
	if err != nil {
		return err
	}
	if in.text != "" || len(b.roots.tolerances) > maxCommodities || len(commodity) > maxSymbol {
		return in.unread()
	}
	b.roots.tolerances[strings.Clone(commodity)] = tolerance
	return nil
}

// quoted reads a text in quotes.
func (c *cursor) quoted() (string, error) {
	if !strings.HasPrefix(c.text, `"`) {
		return "", c.unread()
	}
	var text strings.Builder
	for i := 1; i < len(c.text); i++ {
		switch c.text[i] {
		case '"':
			c.text = c.text[i+1:]
			c.blanks()
			return text.String(), nil
		case '\\':
			if i++; i < len(c.text) {
				text.WriteByte(c.text[i])
			}
		default:
			text.WriteByte(c.text[i])
		}
	}
	return "", c.unread()
}

// decimal reads a number of beancount, whose decimal mark is a point.
func (c *cursor) decimal() (*big.Rat, int, error) {
	negative, _ := c.sign()
	n, rest := cutNumber(c.text)
	if n.text == "" || n.separated {
		if strings.HasPrefix(c.text, "(") {
			return nil, 0, bank.Errorf(c.line, "%q is an expression, and tarmac does not compute: write the amount out",
				bank.Short(bank.Text(c.text)))
		}
		return nil, 0, c.unread()
	}
	quantity, places, ok := n.value('.')
	if whole, _, _ := strings.Cut(n.text, "."); !ok || !threes(whole) {
		return nil, 0, bank.Errorf(c.line, "the amount %q cannot be read", bank.Short(n.text))
	}
	if negative {
		quantity.Neg(quantity)
	}
	c.text = rest
	c.blanks()
	if c.text != "" && strings.IndexByte("+-*/", c.text[0]) >= 0 {
		return nil, 0, bank.Errorf(c.line, "%q is an expression, and tarmac does not compute: write the amount out",
			bank.Short(bank.Text(n.text+" "+c.text)))
	}
	return quantity, places, nil
}

// threes reports whether all groups of digits but the first have three.
func threes(whole string) bool {
	groups := strings.Split(whole, ",")
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return false
		}
	}
	return true
}

// currency reads a commodity of beancount, such as USD or VBMPX_2.
func (c *cursor) currency() (string, error) {
	end := strings.IndexFunc(c.text, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("'._-/", r)
	})
	if end < 0 {
		end = len(c.text)
	}
	name := c.text[:end]
	if name == "" || len(name) > maxSymbol || name[0] != '/' && (name[0] < 'A' || name[0] > 'Z') {
		return "", c.unread()
	}
	c.text = c.text[end:]
	c.blanks()
	return strings.Clone(name), nil
}

// amount reads a number and a commodity of beancount.
func (c *cursor) amount() (amount, error) {
	quantity, places, err := c.decimal()
	if err != nil {
		return amount{}, err
	}
	commodity, err := c.currency()
	return amount{quantity, places, commodity}, err
}

// transaction reads the first line of a transaction.
func (b *beancountReader) transaction(c *cursor, day civil.Date) error {
	t := &transaction{line: c.line, date: day}
	var texts []string
	for c.text != "" {
		switch c.text[0] {
		case '"':
			text, err := c.quoted()
			if err != nil {
				return err
			}
			texts = append(texts, strings.Clone(text[:min(len(text), bank.MaxRaw)]))
		case '#', '^', '|':
			c.word()
		default:
			return c.unread()
		}
		if len(texts) > 2 {
			return bank.Errorf(c.line, "a transaction has more than a payee and a narration")
		}
	}
	texts = append([]string{"", ""}, texts...)
	payee, note := texts[len(texts)-2], texts[len(texts)-1]
	t.payee, t.note, t.text = bank.Text(payee), bank.Text(note), payee+"  "+note
	b.open = t
	return nil
}

// isMetadata reports whether a line is metadata: a key in small letters and a colon.
func isMetadata(text string) bool {
	key, _, ok := strings.Cut(text, ":")
	return ok && key != "" && key[0] >= 'a' && key[0] <= 'z' && !strings.ContainsAny(key, " \t")
}

// indented reads a line of a transaction.
func (b *beancountReader) indented(c *cursor) error {
	if isMetadata(c.text) || c.text[0] == '#' && len(c.text) > 1 && c.text[1] != ' ' || c.text[0] == '^' {
		return nil
	}
	p := posting{line: c.line}
	flag := c.text[0]
	if len(c.text) > 1 && (c.text[1] == ' ' || c.text[1] == '\t') &&
		(strings.IndexByte("*!&#?%", flag) >= 0 || flag >= 'A' && flag <= 'Z') {
		c.word()
	}
	var err error
	if p.account, err = b.used(c.word(), c.line, b.open.date); err != nil {
		return err
	}
	if c.text == "" {
		p.elided = true
	} else if err := b.amounts(c, &p); err != nil {
		return err
	}
	if len(b.open.postings) >= maxPostings {
		return bank.Errorf(c.line, "a transaction has more than %d postings", maxPostings)
	}
	b.open.postings = append(b.open.postings, p)
	return nil
}

// amounts reads the amount of a posting, with its cost in braces and its price.
func (b *beancountReader) amounts(c *cursor, p *posting) error {
	units, err := c.amount()
	if err != nil {
		return err
	}
	p.amounts = []amount{units}
	if strings.HasPrefix(c.text, "{") {
		if err := b.cost(c, p); err != nil {
			return err
		}
	}
	if strings.HasPrefix(c.text, "@") {
		total := c.take("@@")
		if !total {
			c.take("@")
		}
		if c.text == "" && p.lot || c.text == "" && p.weight != nil {
			return nil
		}
		price, err := c.amount()
		switch {
		case err != nil:
			return err
		case p.lot || p.weight != nil: // the cost counts
		case total:
			p.weight = price.total(units.quantity)
		default:
			p.weight = price.times(units.quantity)
		}
	}
	if c.text != "" {
		return c.unread()
	}
	return nil
}

// cost reads a cost in braces. Without an amount in it, the lots that the account holds decide.
func (b *beancountReader) cost(c *cursor, p *posting) error {
	end, total := "}", c.take("{{")
	if total {
		end = "}}"
	} else {
		c.take("{")
	}
	inside, ok := c.until(end)
	if !ok {
		return c.unread()
	}
	p.lot = true
	for inside = strings.TrimSpace(inside); inside != ""; {
		in := &cursor{text: inside, line: c.line}
		switch first := inside[0]; {
		case first == '"':
			if _, err := in.quoted(); err != nil {
				return err
			}
		case first == '*':
			in.take("*")
		case len(inside) >= 5 && digitsOnly(inside[:4]) && (inside[4] == '-' || inside[4] == '/'):
			in.text = strings.TrimLeft(in.text, "0123456789-/")
			in.blanks()
		default:
			price, err := in.amount()
			if err != nil {
				return err
			}
			if p.lot = false; total {
				p.weight = price.total(p.amounts[0].quantity)
			} else {
				p.weight = price.times(p.amounts[0].quantity)
			}
		}
		if in.text != "" && !in.take(",") {
			return in.unread()
		}
		inside = in.text
	}
	return nil
}

// maxTolerance is the number of digits from which on a tolerance does not round amounts.
const maxTolerance = 5

// completeBean is complete for beancount: numbers are compared, and those that are not written
// rounded, by tolerances. The smallest are by commodity, and owned tells assets and liabilities.
func (t *transaction) completeBean(least map[string]*big.Rat, owned func(string) bool) error {
	var open *posting
	sums, tolerances, lots := newSums(), map[string]*big.Rat{}, false
	for i := range t.postings {
		p := &t.postings[i]
		if p.elided {
			if open != nil {
				return bank.Errorf(p.line, "a transaction has two postings without an amount")
			}
			open = p
			continue
		}
		weight := &p.amounts[0]
		if weight.places > 0 {
			tolerance := half(weight.places)
			if has := tolerances[weight.commodity]; has == nil || has.Cmp(tolerance) < 0 {
				tolerances[weight.commodity] = tolerance
			}
		}
		if p.weight != nil {
			weight = p.weight
		}
		if lots = lots || p.lot; !p.lot {
			sums.add(weight)
		}
	}
	tolerance := func(commodity string) *big.Rat {
		most := new(big.Rat)
		for _, other := range []*big.Rat{tolerances[commodity], cmpOr(least[commodity], least["*"])} {
			if other != nil && other.Cmp(most) > 0 {
				most = other
			}
		}
		return most
	}
	switch {
	case open != nil && lots && owned(open.account):
		return bank.Errorf(open.line, "the missing amount follows from the lots of an account: write it out")
	case lots:
		if open != nil {
			open.lot = true
		}
		return nil
	case open != nil:
		for _, commodity := range sums.order {
			if sum := sums.by[commodity]; sum.Sign() != 0 {
				open.amounts = append(open.amounts, inferred(sum, commodity, tolerance(commodity)))
			}
		}
		return nil
	}
	for _, commodity := range sums.order {
		if sum := sums.by[commodity]; !within(sum, tolerance(commodity)) {
			return bank.Errorf(t.line, "a transaction does not balance: %s is left over",
				amount{sum, decimals(sum, 0), commodity}.text())
		}
	}
	return nil
}

func cmpOr(a, b *big.Rat) *big.Rat {
	if a != nil {
		return a
	}
	return b
}

// inferred returns the amount that makes a sum zero, rounded to the decimals of twice the
// tolerance.
func inferred(sum *big.Rat, commodity string, tolerance *big.Rat) amount {
	quantity := new(big.Rat).Neg(sum)
	unit := new(big.Rat).Add(tolerance, tolerance)
	places := decimals(unit, 0)
	if unit.Sign() == 0 || len(strings.Trim(strings.ReplaceAll(unit.FloatString(places), ".", ""), "0")) >= maxTolerance {
		return amount{quantity, decimals(quantity, 0), commodity}
	}
	return amount{roundEven(quantity, places), places, commodity}
}

// roundEven rounds to decimals, halves to an even digit.
func roundEven(value *big.Rat, places int) *big.Rat {
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
	scaled := new(big.Rat).Mul(value, power)
	twice := new(big.Int).Lsh(scaled.Num(), 1)
	up := new(big.Int).Add(twice, scaled.Denom())
	whole := new(big.Int).Div(up, new(big.Int).Lsh(scaled.Denom(), 1)) // halves up
	exactHalf := new(big.Int).Mod(up, new(big.Int).Lsh(scaled.Denom(), 1)).Sign() == 0
	if exactHalf && whole.Bit(0) == 1 {
		whole.Sub(whole, big.NewInt(1))
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(whole), power)
}
