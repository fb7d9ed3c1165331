package journal

import (
	"strings"

	"tarmac/service/statements/bank"
)

// beyond has the directives of hledger and ledger that are not read, with what they do.
var beyond = map[string]string{
	"include": "takes in other files", "alias": "renames accounts", "capture": "renames accounts",
	"apply": "changes what follows it", "end": "ends what changes the lines before it",
	"bucket": "completes transactions", "A": "completes transactions", "C": "converts amounts",
	"define": "computes", "def": "computes", "expr": "computes", "eval": "computes", "value": "computes",
	"assert": "computes", "check": "computes", "python": "runs a program", "import": "runs a program",
	"i": "is a time log", "o": "is a time log", "b": "is a time log", "h": "is a time log", "I": "is a time log",
	"O": "is a time log",
}

// refuse returns the error for a directive that is not read.
func refuse(line int, directive, does string) error {
	return bank.Errorf(line, "%q %s, and tarmac only reads plain journals: if you trust the file, run "+
		`"hledger print -x" or "ledger print" on it yourself and import what it prints`, bank.Short(directive), does)
}

// directive reads a line that begins neither a transaction nor a comment.
func (h *hledgerReader) directive(text string, number int) error {
	c := &cursor{text: strings.TrimLeft(text, "!@"), line: number}
	name := c.word()
	if len(name) > 1 && name[0] == 'Y' && digitsOnly(name[1:]) {
		name, c.text = "Y", name[1:]+" "+c.text
	}
	h.under = name
	switch name {
	case "account":
		return h.declareAccount(c)
	case "commodity":
		return h.declareCommodity(c)
	case "D":
		return h.declareFallback(c)
	case "decimal-mark":
		mark := c.word()
		if mark != "." && mark != "," {
			return bank.Errorf(number, "the decimal mark %q is neither . nor ,", bank.Short(bank.Text(mark)))
		}
		h.styles.mark = mark[0]
		return nil
	case "Y", "year":
		return h.declareYear(c)
	case "comment", "test":
		h.block = name
		return nil
	case "payee", "tag", "P", "N":
		return nil
	}
	if does := beyond[name]; does != "" {
		return refuse(number, name, does)
	}
	return bank.Errorf(number, "%q is neither a transaction nor a directive that tarmac knows",
		bank.Short(bank.Text(text)))
}

// detail reads a line that belongs to a directive.
func (h *hledgerReader) detail(text string, number int) error {
	c := &cursor{text: text, line: number}
	switch name := c.word(); {
	case name[0] == ';', name == "note", name == "nomarket", name == "uuid":
		return nil
	case name == "format" && h.under == "commodity":
		w, err := c.written()
		if err != nil {
			return err
		}
		return h.styles.declare(w.commodity, w.number, number)
	default:
		does := beyond[name]
		if does == "" {
			does = "is a part of a directive that tarmac does not know"
		}
		return refuse(number, name, does)
	}
}

// declareAccount takes the type of an account from its comment.
func (h *hledgerReader) declareAccount(c *cursor) error {
	name, comment := c.text, ""
	if end := endOfAccount(name); end >= 0 {
		name, comment = name[:end], strings.TrimLeft(name[end:], " \t")
	}
	if comment != "" && comment[0] != ';' {
		return bank.Errorf(c.line, "%q cannot be read", bank.Short(bank.Text(comment)))
	}
	var err error
	h.facts.declared, err = h.account(strings.TrimSpace(name), c.line)
	h.typed(comment)
	return err
}

// typed takes the type of the account that was declared last from a comment, as "type: A".
func (h *hledgerReader) typed(comment string) {
	for rest := comment; ; {
		before, after, ok := strings.Cut(rest, "type:")
		if !ok {
			return
		}
		if before == "" || strings.IndexByte(" \t;,", before[len(before)-1]) >= 0 {
			value, _, _ := strings.Cut(after, ",")
			kind := strings.ToLower(strings.TrimSpace(value))
			h.facts.types[h.facts.declared] = kind == "a" || kind == "l" || kind == "c" || kind == "asset" ||
				kind == "liability" || kind == "cash"
			return
		}
		rest = after
	}
}

// declareCommodity takes the format of a commodity. It may be on lines of its own.
func (h *hledgerReader) declareCommodity(c *cursor) error {
	c.text, _, _ = strings.Cut(c.text, ";")
	alone := *c
	if _, _, err := alone.symbol(); err != nil || strings.TrimSpace(alone.text) == "" {
		return err
	}
	w, err := c.written()
	if err != nil {
		return err
	}
	return h.styles.declare(strings.Clone(w.commodity), w.number, c.line)
}

func (h *hledgerReader) declareFallback(c *cursor) error {
	c.text, _, _ = strings.Cut(c.text, ";")
	w, err := c.written()
	if err != nil {
		return err
	}
	h.styles.fallback = strings.Clone(w.commodity)
	return h.styles.declare(h.styles.fallback, w.number, c.line)
}

func (h *hledgerReader) declareYear(c *cursor) error {
	day, ok := parseDay(c.word()+"-01-01", 0)
	if !ok {
		return bank.Errorf(c.line, "the year of this line cannot be read")
	}
	h.year = day.Year()
	return nil
}
