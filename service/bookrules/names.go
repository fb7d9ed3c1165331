package bookrules

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Name returns the name of a line's other party as the bank writes it, up to a word that announces
// a reference, such as "invoice". It removes what banks add to names: methods of payment, prefixes
// of payment processors and terminals, numbers of stores, cards and references, dates and phone
// numbers. If a label in the text names the other party, such as "B/O:" for money in, the name is
// what follows. A text without letters is a name if it has five digits, as that of a telephone or
// an account has: ShownNames shows it if it repeats. Name returns ledger.UnknownCounterparty for a
// line without a name.
func Name(l bank.Line) string { return new(Names).Name(l) }

// Names remembers the names in the texts of lines, because many lines have the same text.
type Names struct{ inText map[nameText]string }

// nameText is a text that may contain a name. Labels of the sender count only for money in, and
// those of the receiver only for money out.
type nameText struct {
	text string
	in   bool
}

// mostNames is the largest number of texts that Names remembers.
const mostNames = 20_000

// Name returns the result of the function Name.
func (n *Names) Name(l bank.Line) string {
	first := n.clean(l.Counterparty, l.Minor >= 0)
	if first != "" && !onlyMethod(first) {
		return first
	}
	if name := cmp.Or(n.clean(l.Description, l.Minor >= 0), first); name != "" {
		return name
	}
	return cmp.Or(numberOf(l.Counterparty), numberOf(l.Description), ledger.UnknownCounterparty)
}

// clean returns the result of cleanName.
func (n *Names) clean(text string, in bool) string {
	if text == "" {
		return ""
	}
	key := nameText{text, in}
	name, known := n.inText[key]
	if known {
		return name
	}
	name = cleanName(text, in)
	if n.inText == nil || len(n.inText) == mostNames {
		n.inText = map[nameText]string{}
	}
	n.inText[key] = name
	return name
}

// leading matches texts before a name. Payment processors put a mark with an asterisk before the
// names of their customers, and banks put the method of payment there.
var leading = onFirstUse(`(?i)^(?:` + strings.Join([]string{
	`(?:sq|tst|pp|py|sp|paypal|ic|ec|cke|dd|ext|wpy|zettle|izettle|sumup|fs|bt|in|tcb|2co\.com) ?\* ?`,
	`(?:non-)?pos (?:debit|purchase|pur|dbt|withdrawal|refund|credit|trans(?:action)?)[ :-]+(?:\d{4,}[ :-]+)?`,
	`(?:visa |mastercard |mc )?debit card (?:purchase|payment|transaction)(?: |$)`,
	`(?:recurring |card )?purchase(?: authorized on \d{1,2}/\d{1,2}| return authorized on \d{1,2}/\d{1,2})? `,
	`recurring payment authorized on \d{1,2}/\d{1,2} `,
	`(?:checkcard|check card|check crd|chkcard)(?: purchase)?(?: \d{4,6})? `,
	`(?:visa )?dda (?:pur(?:chase)?|pin|check)(?: ap)?(?: \d{4,6})? `,
	`ach (?:debit|credit|deposit|withdrawal|payment|pmt)[ :-]+`,
	`orig co name: ?`,
	`(?:(?:d/d|s/o|c/l|pos[co]?(?:\d{2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))?) |vd[a-z]-)`,
	`(?:kartenzahlung|lastschrift|gutschrift|dauerauftrag|sepa[ -]lastschrift)[ :/-]+`,
}, "|") + `)`)

// details matches the start of details that follow a name.
var details = onFirstUse(`(?i)\s+(?:` + strings.Join([]string{
	`orig id:`, `des:`, `indn:`, `id:`, `co id:`, `sec:`, `trace ?#:`, `desc date:`, `co entry descr:`,
	`ref(?:erence)?(?: ?(?:#|no\.?|nr\.?|:))\s*\S*\d`, `conf ?(?:#|:)`, `trn ?:`, `mandate `,
	`[ekm]ref[+:]`,
	`card(?: no\.?| number| ending(?: in)?)?:? ?[x*#.…]*\d{4}\b`,
}, "|") + `).*$`)

// trailing matches parts at the end of a text that are not part of the name: amounts in the
// currency of a card payment abroad, numbers of stores, ends of card numbers, dates, phone numbers
// and references.
var trailing = onFirstUse(`(?i)(?:\s+|[*#,-]+\s*)(?:` + strings.Join([]string{
	`(?-i:[A-Z]{3}) [\d.,']*\d[.,]\d{2}`,
	`#\s?\d+`,
	`(?:store|shop|filiale|branch) ?#?\d{2,}`,
	`(?:x+|[*•.…]{2,})\d{4}`,
	`\d{1,2}[/.]\d{1,2}(?:[/.](?:\d{2}|\d{4}))?\.?`,
	`\d{4}-\d{2}-\d{2}`,
	`(?:\+?1[ .-])?\(?\d{3}\)?[ .-]\d{3}[ .-]?\d{4}`,
	`(?:ref|no|nr)\.? ?\d{3,}`,
	`\d{5,}`,
	`0\d{2,}`,
}, "|") + `)$`)

// cleanName returns the name that a text of a line contains, or "" if no letter remains. in is true
// for money in.
func cleanName(text string, in bool) string {
	text = strings.Join(strings.Fields(text), " ")
	if !hasLetters(text, 1) {
		return ""
	}
	if party := labelled(text, in); party != "" {
		text = party
	}
	text = withoutDirection(text, in)
	name := repeat(text, func(name string) string {
		if mayLead(name) {
			if shorter := leading().ReplaceAllString(name, ""); !onlyMethod(shorter) {
				name = shorter
			}
		}
		return withoutMethod(withoutNumber(name))
	})
	if mayHaveDetails(name) {
		if shorter := details().ReplaceAllString(name, ""); hasLetters(shorter, 2) {
			name = shorter
		}
	}
	name = repeat(withoutReference(name), func(name string) string {
		shorter := name
		if end := name[len(name)-1]; end >= '0' && end <= '9' || end == '.' {
			shorter = withoutTrailing(name)
		}
		if at := strings.LastIndexAny(name, " *#"); shorter == name && at > 0 && isNumber(name[at+1:], name) {
			shorter = name[:at]
		}
		return trimName(shorter)
	})
	return withoutLongNumber(name)
}

// withoutTrailing returns a name without what the expression trailing matches. Of a reference such
// as "A-10423", it removes the letters too.
func withoutTrailing(name string) string {
	const prefix = 2 // letters
	if number, plain := plainNumber(name); plain {
		if len(number) >= 5 || len(number) > 2 && number[0] == '0' {
			return name[:len(name)-len(number)-1]
		}
		return name
	}
	match := trailing().FindStringIndex(name)
	if match == nil {
		return name
	}
	shorter := name[:match[0]]
	if at := strings.LastIndexByte(shorter, ' '); at > 0 && name[match[0]] == '-' && len(shorter)-at-1 <= prefix {
		return shorter[:at]
	}
	return shorter
}

// trimName removes punctuation from the end of a name that was cut.
func trimName(name string) string { return strings.TrimRight(name, " *#-,;:/·(") }

// leadingWords are the first words of the texts without an asterisk that the expression leading
// matches.
var leadingWords = []string{
	"POS", "NON", "VISA", "MASTERCARD", "MC", "DEBIT", "RECURRING", "CARD", "PURCHASE", "CHECKCARD", "CHECK", "CHKCARD",
	"DDA", "ACH", "D/D", "S/O", "C/L", "VD", "ORIG", "KARTENZAHLUNG", "LASTSCHRIFT", "GUTSCHRIFT", "DAUERAUFTRAG", "SEPA",
}

// mayLead reports whether the expression leading can match the text. For most texts it cannot, and
// the slow regular expression need not run.
func mayLead(text string) bool {
	const longest = 12 // bytes before the asterisk of a payment processor
	first, _, _ := strings.Cut(text[:min(len(text), 2*longest)], " ")
	return strings.IndexByte(text[:min(len(text), longest)], '*') >= 0 || text[0] >= '0' && text[0] <= '9' ||
		strings.ContainsAny(first, "0123456789") || slices.ContainsFunc(leadingWords, func(word string) bool {
		return len(text) > len(word) && strings.EqualFold(text[:len(word)], word)
	})
}

// mayHaveDetails reports whether the expression details can match the text. Like mayLead, it saves
// running a slow regular expression.
func mayHaveDetails(text string) bool {
	if strings.ContainsAny(text, ":#+") {
		return true
	}
	upper := strings.ToUpper(text)
	return strings.Contains(upper, " MANDATE ") || anyAfter(upper, " REF", func(rest string) bool {
		rest = strings.TrimLeft(strings.TrimPrefix(rest, "ERENCE"), " ")
		return strings.HasPrefix(rest, "NO") || strings.HasPrefix(rest, "NR")
	}) || anyAfter(upper, " CARD", func(rest string) bool {
		for _, word := range [...]string{" NO", " NUMBER", " ENDING", " IN"} {
			rest = strings.TrimPrefix(rest, word)
		}
		return beginsWithDigit(strings.TrimLeft(rest, " X*.…"))
	})
}

// anyAfter reports whether a text has what is wanted somewhere after a word.
func anyAfter(text, word string, wanted func(rest string) bool) bool {
	for {
		_, rest, found := strings.Cut(text, word)
		if !found || wanted(rest) {
			return found
		}
		text = rest
	}
}

// plainNumber returns the number that a text ends in, after a blank, if the expression trailing can
// match nothing but the number there. Like mayLead, it saves running a slow regular expression.
func plainNumber(text string) (number string, plain bool) {
	before := strings.TrimRight(text, "0123456789")
	number = text[len(before):]
	if number == "" || len(before) < 2 || before[len(before)-1] != ' ' {
		return "", false
	}
	before = before[:len(before)-1]
	return number, !strings.ContainsAny(before[len(before)-1:], "#.)*,-0123456789") &&
		!slices.ContainsFunc(numbered, func(word string) bool {
			return len(before) >= len(word) && strings.EqualFold(before[len(before)-len(word):], word)
		})
}

// numbered are the words of the expression trailing before a number.
var numbered = []string{"STORE", "SHOP", "FILIALE", "BRANCH", "REF", "NO", "NR"}

// numberOf returns a text without letters that has at least longNumber digits, or "".
func numberOf(text string) string {
	if digits(text) < longNumber || hasLetters(text, 1) {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// repeat calls shorten until the name no longer changes or would have fewer than two letters.
func repeat(name string, shorten func(string) string) string {
	for {
		shorter := shorten(name)
		if shorter == name || !hasLetters(shorter, 2) {
			return name
		}
		name = shorter
	}
}

// isNumber reports whether the last word of a text in capitals is the number of a store or a
// reference: it has four digits and is not a year, or it has at least seven letters and digits, at
// least three of them digits.
func isNumber(word, text string) bool {
	digits := 0
	for _, r := range word {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r < 'A' || r > 'Z':
			return false
		}
	}
	if digits == len(word) {
		year := strings.HasPrefix(word, "19") || strings.HasPrefix(word, "20")
		return digits == 4 && !year && text == strings.ToUpper(text)
	}
	return len(word) >= 7 && digits >= 3
}

// hasLetters reports whether a text has at least the given number of letters.
func hasLetters(text string, least int) bool {
	for _, r := range text {
		if unicode.IsLetter(r) {
			if least--; least <= 0 {
				return true
			}
		}
	}
	return false
}

func letters(text string) int { return count(text, unicode.IsLetter) }

func digits(text string) int { return count(text, unicode.IsDigit) }

func count(text string, is func(rune) bool) (n int) {
	for _, r := range text {
		if is(r) {
			n++
		}
	}
	return n
}
