package books

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Name returns the name of a line's other party. It removes what banks add to names: prefixes of
// payment processors and terminals, numbers of stores, cards and references, dates and phone
// numbers. It returns ledger.UnknownCounterparty for a line without a name.
func Name(l bank.Line) string { return (*Names)(nil).name(l) }

// Names remembers the names in the texts of lines, because many lines have the same text. It is
// safe for concurrent use. A nil Names remembers nothing.
type Names struct {
	mu     sync.Mutex
	inText map[string]string
}

// mostNames is the largest number of texts that Names remembers.
const mostNames = 20_000

// name returns the result of Name.
func (n *Names) name(l bank.Line) string {
	for _, text := range [...]string{l.Counterparty, l.Description} {
		if name := n.clean(text); name != "" {
			return name
		}
	}
	return ledger.UnknownCounterparty
}

// clean returns the result of cleanName.
func (n *Names) clean(text string) string {
	if n == nil || text == "" {
		return cleanName(text)
	}
	n.mu.Lock()
	name, known := n.inText[text]
	n.mu.Unlock()
	if known {
		return name
	}
	name = cleanName(text)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.inText == nil || len(n.inText) == mostNames {
		n.inText = map[string]string{}
	}
	n.inText[text] = name
	return name
}

// leading matches texts before a name. Payment processors put a mark with an asterisk before the
// names of their customers, and banks put the method of payment there.
var leading = regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
	`(?:sq|tst|pp|py|sp|paypal|ic|ec|cke|dd|ext|wpy|zettle|izettle|sumup|fs|bt|in|tcb|2co\.com) ?\* ?`,
	`(?:non-)?pos (?:debit|purchase|pur|dbt|withdrawal|refund|credit|trans(?:action)?)[ :-]+(?:\d{4,}[ :-]+)?`,
	`(?:visa |mastercard |mc )?debit card (?:purchase|payment|transaction)(?: |$)`,
	`(?:recurring |card )?purchase(?: authorized on \d{1,2}/\d{1,2}| return authorized on \d{1,2}/\d{1,2})? `,
	`recurring payment authorized on \d{1,2}/\d{1,2} `,
	`(?:checkcard|check card|check crd|chkcard)(?: purchase)?(?: \d{4,6})? `,
	`(?:visa )?dda (?:pur(?:chase)?|pin|check)(?: ap)?(?: \d{4,6})? `,
	`ach (?:debit|credit|deposit|withdrawal|payment|pmt)[ :-]+`,
	`orig co name: ?`,
	`\d{8,} `,
	`[a-z]{2}\d{2}[a-z]{4}\d{7,22} `,
	`(?:kartenzahlung|lastschrift|gutschrift|dauerauftrag|sepa[ -]lastschrift)[ :/-]+`,
}, "|") + `)`)

// details matches the start of details that follow a name.
var details = regexp.MustCompile(`(?i)\s+(?:` + strings.Join([]string{
	`orig id:`, `des:`, `indn:`, `id:`, `co id:`, `sec:`, `trace ?#:`, `desc date:`, `co entry descr:`,
	`ref(?:erence)?(?: ?(?:#|no\.?|nr\.?|:))\s*\S*\d`, `conf ?(?:#|:)`, `trn ?:`, `mandate `,
	`[ekm]ref[+:]`,
	`card(?: no\.?| number| ending(?: in)?)?:? ?[x*#.…]*\d{4}\b`,
}, "|") + `).*$`)

// trailing matches parts at the end of a text that are not part of the name: amounts in the
// currency of a card payment abroad, numbers of stores, ends of card numbers, dates, phone numbers
// and references.
var trailing = regexp.MustCompile(`(?i)(?:\s+|[*#,-]+\s*)(?:` + strings.Join([]string{
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

// cleanName returns the name that a text contains, or "" if no letter remains.
func cleanName(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters(text) == 0 {
		return ""
	}
	name := repeat(text, func(name string) string {
		if !mayLead(name) {
			return name
		}
		return leading.ReplaceAllString(name, "")
	})
	if mayHaveDetails(name) {
		if shorter := details.ReplaceAllString(name, ""); letters(shorter) >= 2 {
			name = shorter
		}
	}
	return repeat(name, func(name string) string {
		shorter := name
		if end := name[len(name)-1]; end >= '0' && end <= '9' || end == '.' {
			shorter = trailing.ReplaceAllString(name, "")
		}
		if at := strings.LastIndexAny(name, " *#"); shorter == name && at > 0 && isNumber(name[at+1:], name) {
			shorter = name[:at]
		}
		return strings.TrimRight(shorter, " *#-,;:/·")
	})
}

// leadingWords are the first words of the texts without an asterisk that the expression leading
// matches.
var leadingWords = []string{
	"POS", "NON", "VISA", "MASTERCARD", "MC", "DEBIT", "RECURRING", "CARD", "PURCHASE", "CHECKCARD", "CHECK", "CHKCARD",
	"DDA", "ACH", "ORIG", "KARTENZAHLUNG", "LASTSCHRIFT", "GUTSCHRIFT", "DAUERAUFTRAG", "SEPA",
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
	return strings.Contains(upper, " CARD") || strings.Contains(upper, " REF") || strings.Contains(upper, " MANDATE")
}

// repeat calls shorten until the name no longer changes or would have fewer than two letters.
func repeat(name string, shorten func(string) string) string {
	for {
		shorter := shorten(name)
		if shorter == name || letters(shorter) < 2 {
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

func letters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
