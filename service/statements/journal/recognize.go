package journal

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"tarmac/service/statements/bank"
)

// dialect is the file syntax of a journal: that of hledger and ledger, or that of beancount.
type dialect uint8

const (
	noJournal dialect = iota
	hledgerJournal
	beancountJournal
)

var (
	dated = regexp.MustCompile(`^(\d{4}[-/.])?\d{1,2}[-/.]\d{1,2}(=[-/.\d]+)?(\s|$)`)
	// postingLine matches an indented account with an amount after two blanks or a tab. elided
	// matches one without an amount.
	postingLine = regexp.MustCompile(`^\s+[*!]?\s*[(\[]?[\pL\d].*(  |\t).*\d`)
	elided      = regexp.MustCompile(`^\s+[*!]?\s*[(\[]?[\pL\d]`)

	beancountDirective = regexp.MustCompile(`^\d{4}[-/]\d\d[-/]\d\d\s+` +
		`(open|close|commodity|balance|pad|note|document|event|query|custom|price)\s+["\pL]|^(option|plugin)\s+"`)
	beancountTransaction = regexp.MustCompile(`^\d{4}[-/]\d\d[-/]\d\d\s+(\*|!|txn)\s*("|$)`)

	directive = regexp.MustCompile(`^(account|commodity|include|alias|payee|tag|apply|end|decimal-mark|bucket|year|` +
		`D|P|Y|N|A|assert|check|define|expr|eval|python|value|test)\b|^[~=!@]`)
)

// recognize returns the dialect of a file that begins like a journal, and no dialect for other
// files.
func recognize(head []byte) dialect {
	if bytes.IndexByte(head, 0) >= 0 {
		return noJournal
	}
	text, _ := io.ReadAll(bank.Decode(bytes.NewReader(head), head, ""))
	c := count(strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"))
	switch {
	case c.others > c.transactions/8:
		return noJournal
	case c.beancount > 0 && c.quoted == c.dated, c.quoted > 0 && c.quoted == c.dated && c.transactions > 0:
		return beancountJournal
	case c.transactions > 0, c.includes > 0:
		return hledgerJournal
	}
	return noJournal
}

// counts has the number of lines of each kind at the start of a file.
type counts struct {
	transactions int // dated lines that are followed by a posting with an amount
	dated        int // first lines of transactions
	quoted       int // first lines of transactions in the form of beancount, with quoted texts
	beancount    int // directives that only beancount has
	includes     int
	others       int // lines that cannot be in a journal
}

func count(lines []string) counts {
	var c counts
	// open is true inside a transaction that has no amount yet. comment is true inside a block of
	// comments.
	open, comment := false, false
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case comment || trimmed == "comment" || trimmed == "test":
			comment = trimmed != "end comment" && trimmed != "end test" && trimmed != "end"
		case trimmed == "":
			open = false
		case strings.ContainsRune(";#*%|", rune(line[0])):
		case line[0] == ' ' || line[0] == '\t':
			if open && postingLine.MatchString(line) {
				c.transactions++
				open = false
			}
			if !elided.MatchString(line) && !strings.ContainsRune(";#", rune(trimmed[0])) && open {
				c.others++
			}
		case beancountDirective.MatchString(line):
			c.beancount++
		case dated.MatchString(line):
			c.dated++
			if open = true; beancountTransaction.MatchString(line) {
				c.quoted++
			}
		case directive.MatchString(line):
			if strings.HasPrefix(line, "include ") {
				c.includes++
			}
		case strings.HasPrefix(line, "pushtag") || strings.HasPrefix(line, "poptag"):
			c.beancount++
		default:
			c.others++
		}
	}
	return c
}
