package journal

import (
	"io"
	"math/big"
	"strings"
	"unicode"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// beancountReader reads journals of beancount.
type beancountReader struct {
	facts *facts
	take  taker
	roots *roots

	open   *transaction
	inside bool // indented lines belong to a directive
}

// The order of entries of a day: balances hold at its beginning.
const (
	beforeOthers = -1
	likeOthers   = 0
)

// roots knows the accounts of a journal of beancount.
type roots struct {
	names map[string]string // the first parts of accounts, by the options that rename them
	lives map[string]*life
	// tolerances are the smallest differences by commodity, "*" for the others, of an option.
	tolerances map[string]*big.Rat
}

// life is the time in which an account has postings.
type life struct{ opened, closed civil.Date }

func newRoots() *roots {
	return &roots{lives: map[string]*life{}, tolerances: map[string]*big.Rat{}, names: map[string]string{
		"name_assets": "Assets", "name_liabilities": "Liabilities", "name_equity": "Equity", "name_income": "Income",
		"name_expenses": "Expenses",
	}}
}

func (r *roots) owned(account string) bool {
	first, _, _ := strings.Cut(account, ":")
	return first == r.names["name_assets"] || first == r.names["name_liabilities"]
}

// maxStrings is the largest number of lines of a text in quotes.
const maxStrings = 64

// read reads a journal and passes its entries to b.take.
func (b *beancountReader) read(budget *bank.Budget, in io.Reader) error {
	lines := bank.NewLines(budget, in)
	for {
		text, number, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if text, err = wholeText(lines, text, number); err != nil {
			return err
		}
		if err := b.line(text, number); err != nil {
			return err
		}
	}
	return b.close()
}

// wholeText adds the following lines to a line that ends within quotes, and removes a comment.
func wholeText(lines *bank.Lines, text string, number int) (string, error) {
	if b := strings.TrimLeft(text, " \t"); b == text && b != "" && strings.IndexByte("*:#!&?%", b[0]) >= 0 {
		return "", nil // a heading
	}
	end, quoted := scanText(text, false)
	if !quoted {
		return strings.TrimRight(text[:end], " \t"), nil
	}
	var whole strings.Builder
	whole.WriteString(text)
	for count := 1; quoted; count++ {
		next, _, err := lines.Next()
		if err == io.EOF || count >= maxStrings || whole.Len() > bank.MaxLine {
			return "", bank.Errorf(number, "a text without a closing quote")
		}
		if err != nil {
			return "", err
		}
		end, quoted = scanText(next, quoted)
		whole.WriteByte('\n')
		whole.WriteString(next[:end])
	}
	return whole.String(), nil
}

// scanText returns the length of a line without its comment, and whether it ends within quotes.
func scanText(text string, quoted bool) (end int, open bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == '\\' && quoted:
			i++
		case text[i] == ';' && !quoted:
			return i, false
		}
	}
	return len(text), quoted
}

func (b *beancountReader) line(text string, number int) error {
	c := &cursor{text: strings.TrimLeft(text, " \t"), line: number}
	switch {
	case c.text == "":
		return nil
	case c.text != text && b.open != nil:
		return b.indented(c)
	case c.text != text && b.inside && isMetadata(c.text):
		return nil
	case c.text != text:
		return c.unread()
	}
	if err := b.close(); err != nil {
		return err
	}
	b.inside = true
	if text[0] >= '0' && text[0] <= '9' {
		return b.dated(c)
	}
	switch name := c.word(); name {
	case "option":
		return b.option(c)
	case "pushtag", "poptag", "pushmeta", "popmeta":
		return nil
	case "plugin":
		return refuseBean(number, name, "runs a program")
	case "include":
		return refuseBean(number, name, "takes in other files")
	default:
		return bank.Errorf(number, "%q is no directive that tarmac knows", bank.Short(bank.Text(text)))
	}
}

func refuseBean(line int, directive, does string) error {
	return bank.Errorf(line, "%q %s, and tarmac only reads plain journals: if you trust the file, run "+
		`"bean-query FILE print" on it yourself and import what it prints`, bank.Short(directive), does)
}

// close ends the transaction that is open.
func (b *beancountReader) close() error {
	t := b.open
	b.open = nil
	if t == nil {
		return nil
	}
	if err := t.completeBean(b.roots.tolerances, b.roots.owned); err != nil {
		return err
	}
	return b.take(entry{date: t.date, rank: likeOthers, transaction: t})
}

// accountName returns a valid account name. Names that cannot be those of accounts are errors.
func (b *beancountReader) accountName(name string, line int) (string, error) {
	first, rest, _ := strings.Cut(name, ":")
	valid := rest != "" && len(name) <= maxAccount && strings.Count(name, ":") < maxLevels
	for _, r := range name {
		valid = valid && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == ':' || r == '-')
	}
	known := false
	for _, root := range b.roots.names {
		known = known || root == first
	}
	if !valid || !known {
		return "", bank.Errorf(line, "the account %q cannot be read", bank.Short(bank.Text(name)))
	}
	return b.facts.account(name, line)
}

// unread has the directives that change no amounts.
var unread = map[string]bool{
	"commodity": true, "price": true, "note": true, "document": true, "event": true, "query": true, "custom": true,
}

// dated reads a directive or transaction that begins with a date.
func (b *beancountReader) dated(c *cursor) error {
	written := c.word()
	kind := c.word()
	parse := parseAnyDay
	if kind != "open" && kind != "close" && !unread[kind] {
		parse = func(text string) (civil.Date, bool) { return parseDay(text, 0) }
	}
	day, ok := parse(written)
	if !ok || strings.Contains(written, ".") {
		return bank.Errorf(c.line, "the date %q is not possible in a statement", bank.Short(bank.Text(written)))
	}
	if unread[kind] {
		return nil
	}
	switch kind {
	case "open", "close":
		return b.lifetime(c, kind, day)
	case "balance":
		return b.balance(c, day)
	case "pad":
		return b.pad(c, day)
	case "txn", "*":
		return b.transaction(c, day)
	}
	if len(kind) == 1 && (strings.Contains("!&#?%", kind) || kind[0] >= 'A' && kind[0] <= 'Z') {
		return b.transaction(c, day)
	}
	return bank.Errorf(c.line, "%q is no directive that tarmac knows", bank.Short(bank.Text(kind)))
}

// lifetime reads the opening or closing of an account.
func (b *beancountReader) lifetime(c *cursor, kind string, day civil.Date) error {
	name, err := b.accountName(c.word(), c.line)
	if err != nil {
		return err
	}
	l := b.roots.lives[name]
	if l == nil {
		l = &life{}
		b.roots.lives[name] = l
	}
	if kind == "open" {
		l.opened = day
	} else {
		l.closed = day
	}
	return nil
}

// balance reads a balance: an account, a number, perhaps "~" and a tolerance, and a commodity.
func (b *beancountReader) balance(c *cursor, day civil.Date) error {
	name, err := b.used(c.word(), c.line, day)
	if err != nil {
		return err
	}
	want := &balance{line: c.line, date: day, account: name, inclusive: true}
	if want.quantity, want.places, err = c.decimal(); err != nil {
		return err
	}
	if c.take("~") {
		if want.tolerance, _, err = c.decimal(); err != nil {
			return err
		}
	} else if want.tolerance = new(big.Rat); want.places > 0 {
		want.tolerance.Add(half(want.places), half(want.places))
	}
	if want.commodity, err = c.currency(); err != nil {
		return err
	}
	if c.text != "" {
		return c.unread()
	}
	return b.take(entry{date: day, rank: beforeOthers, balance: want})
}

func (b *beancountReader) pad(c *cursor, day civil.Date) error {
	name, err := b.used(c.word(), c.line, day)
	if err != nil {
		return err
	}
	from, err := b.used(c.word(), c.line, day)
	if err != nil {
		return err
	}
	return b.take(entry{
		date: day, rank: likeOthers, pad: &pad{c.line, day, name, from, map[string]bool{}},
	})
}

// used returns the name of an account that has something on a day. The first reading does not know
// yet which accounts are open.
func (b *beancountReader) used(name string, line int, day civil.Date) (string, error) {
	name, err := b.accountName(name, line)
	if err != nil || !b.facts.complete {
		return name, err
	}
	switch l := b.roots.lives[name]; {
	case l == nil || l.opened.IsZero() || day.Before(l.opened):
		return "", bank.Errorf(line, "the account %q is not open on %v", bank.Short(bank.Text(name)), day)
	case !l.closed.IsZero() && day.After(l.closed):
		return "", bank.Errorf(line, "the account %q is closed on %v", bank.Short(bank.Text(name)), day)
	}
	return name, nil
}
