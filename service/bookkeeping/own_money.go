package bookkeeping

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
)

// transferFacts returns what is known about transfers, apart from the texts of lines.
func (mt *matching) transferFacts() bookrules.TransferFacts {
	facts := bookrules.TransferFacts{Decisions: mt.transferDecisions(), SameID: mt.sameIDs()}
	mt.answeredPatterns = map[bookrules.TransferPattern]int{}
	for _, key := range slices.Sorted(maps.Keys(mt.books.answers)) {
		named, ok := parsePattern(key)
		if !ok {
			continue
		}
		answer, amount, _ := strings.Cut(mt.books.answers[key], " ")
		largest, err := strconv.ParseInt(amount, 10, 64)
		pattern, known := mt.patternWith(named)
		if err != nil || !known {
			continue // it's about an account that isn't in the books at present
		}
		mt.answeredPatterns[pattern]++
		facts.Answers = append(facts.Answers, bookrules.TransferAnswer{
			TransferPattern: pattern, LargestMinor: largest, Yes: answer == answeredYes,
		})
	}
	return facts
}

// namedPattern is a bookrules.TransferPattern with the names of accounts, which don't change when
// files are imported again. An account that isn't in the books has the zero name.
type namedPattern struct {
	out, in           accountName
	outWords, inWords string
}

// patternKey returns the key of the question about lines with a pattern: ownMoneyKey, the number
// of the answer, and the pattern. An answer about larger amounts is stored with those about
// smaller ones.
func (mt *matching) patternKey(p bookrules.TransferPattern) string {
	out, in := mt.own[p.Out].Account, mt.own[p.In].Account
	return fmt.Sprintf("%s%d %q %q %q %q %q %q", ownMoneyKey, mt.answeredPatterns[p]+1, out.Currency, out.Identity,
		in.Currency, in.Identity, p.OutWords, p.InWords)
}

// parsePattern returns the pattern of a result of patternKey. It returns false for other keys.
func parsePattern(key string) (p namedPattern, ok bool) {
	if !strings.HasPrefix(key, ownMoneyKey) {
		return p, false
	}
	number := 0
	_, err := fmt.Sscanf(key, ownMoneyKey+"%d %q %q %q %q %q %q", &number, &p.out.currency, &p.out.identity,
		&p.in.currency, &p.in.identity, &p.outWords, &p.inWords)
	return p, err == nil
}

// patternWith returns a pattern with the keys of its accounts. It returns false if the books
// don't have them.
func (mt *matching) patternWith(named namedPattern) (p bookrules.TransferPattern, ok bool) {
	p.OutWords, p.InWords = named.outWords, named.inWords
	for key, name := range map[*int64]accountName{&p.Out: named.out, &p.In: named.in} {
		if name == (accountName{}) {
			continue
		}
		n, known := mt.named[name]
		if !known {
			return p, false
		}
		*key = mt.accounts[n].Key
	}
	return p, true
}

// patternOf returns the pattern of two lines that may be a transfer.
func (mt *matching) patternOf(pair bookrules.Pair) bookrules.TransferPattern {
	out, in := &mt.movements[pair.Out], &mt.movements[pair.In]
	return bookrules.TransferPattern{
		Out: out.Account, In: in.Account,
		OutWords: bookrules.PayeeWords(out.Payee), InWords: bookrules.PayeeWords(in.Payee),
	}
}

// elsewherePattern returns the pattern of a line whose other half isn't in the books.
func (mt *matching) elsewherePattern(movement int) bookrules.TransferPattern {
	m := &mt.movements[movement]
	if m.Minor > 0 {
		return bookrules.TransferPattern{In: m.Account, InWords: bookrules.PayeeWords(m.Payee)}
	}
	return bookrules.TransferPattern{Out: m.Account, OutWords: bookrules.PayeeWords(m.Payee)}
}

// askAboutOwnMoney adds one question for all pairs of a pattern that may be transfers, and one
// for all lines of a pattern whose other half isn't in the books.
func (mt *matching) askAboutOwnMoney() {
	asked := map[bookrules.TransferPattern]*question{}
	pairs, lines := map[bookrules.TransferPattern][]bookrules.Pair{}, map[bookrules.TransferPattern][]int{}
	var order []bookrules.TransferPattern
	leaveOut := func(p bookrules.TransferPattern, movements ...int) {
		if asked[p] == nil {
			asked[p], order = &question{}, append(order, p)
		}
		for _, n := range movements {
			mt.leaveOut(asked[p], &mt.movements[n])
		}
	}
	for _, pair := range mt.transfers.Suspected {
		p := mt.patternOf(pair)
		pairs[p] = append(pairs[p], pair)
		leaveOut(p, pair.Out, pair.In)
	}
	for _, movement := range mt.transfers.Elsewhere {
		p := mt.elsewherePattern(movement)
		lines[p] = append(lines[p], movement)
		leaveOut(p, movement)
	}
	for _, p := range order {
		var q question
		if len(pairs[p]) > 0 {
			q = mt.patternQuestion(pairs[p])
		} else {
			q = mt.elsewhereQuestion(lines[p])
		}
		q.key, q.flows, q.reportedFlows = mt.patternKey(p), asked[p].flows, asked[p].reportedFlows
		mt.add(q)
	}
}

// sum returns the sum and the largest amount of lines, without their sign. The sum is unknown if it
// doesn't fit.
func (mt *matching) sum(movements []int) (total, largest int64, known bool) {
	known = true
	for _, n := range movements {
		minor := max(mt.movements[n].Minor, -mt.movements[n].Minor)
		sum, fits := money.Add(total, minor)
		total, largest, known = sum, max(largest, minor), known && fits
	}
	return total, largest, known
}

// ofPattern sets how the answer to a question about own money is stored, and returns the amounts in
// words, such as "17 times, 212,400.00 EUR in all".
func (q *question) ofPattern(mt *matching, movements []int) string {
	total, largest, known := mt.sum(movements)
	for n := range q.Choices {
		q.Choices[n].Stored += " " + strconv.FormatInt(largest, 10)
	}
	currency := mt.own[mt.movements[movements[0]].Account].Currency
	text := money.Format(total, currency) + " " + currency
	if !known {
		text = money.Dash
	}
	if len(movements) == 1 {
		return text
	}
	return fmt.Sprintf("%d times, %s in all", len(movements), text)
}

// patternQuestion asks about pairs of lines of one pattern that may be transfers.
func (mt *matching) patternQuestion(pairs []bookrules.Pair) question {
	q := mt.transferQuestion(pairs[0])
	outs := make([]int, len(pairs))
	for n, pair := range pairs {
		outs[n] = pair.Out
	}
	amounts := q.ofPattern(mt, outs)
	if len(pairs) == 1 {
		return q
	}
	out, in := &mt.movements[pairs[0].Out], &mt.movements[pairs[0].In]
	q.Text = fmt.Sprintf("%s (%s) → %s (%s), %s: own transfers?", mt.accountLabel(out), cmp.Or(out.Payee, "no text"),
		mt.accountLabel(in), cmp.Or(in.Payee, "no text"), amounts)
	q.Meanwhile = "They don't count in burn."
	q.Choices[0].Text = "own transfers, also later ones like these"
	q.Choices[1].Text = "no transfers: each counts as cost and as income"
	q.about = fmt.Sprintf("%s → %s, %s", mt.accountLabel(out), mt.accountLabel(in), amounts)
	return q
}

// elsewhereQuestion asks about lines of one pattern whose other half isn't in the books.
func (mt *matching) elsewhereQuestion(movements []int) question {
	m := &mt.movements[movements[0]]
	q := question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutOwnMoney, Meanwhile: "It doesn't count in burn.", Choices: ownMoneyChoices(m.Minor < 0),
		},
		account: m.Account, lineGroup: lineGroup{m.Day, m.Minor},
	}
	amounts := q.ofPattern(mt, movements)
	direction, elsewhere := "to", "in an account that isn't imported"
	if m.Minor > 0 {
		direction, elsewhere = "from", "from an account that isn't imported"
	}
	q.about = fmt.Sprintf("%s %s %s", amounts, direction, cmp.Or(m.Payee, "an account without a name"))
	q.Text = fmt.Sprintf("%s: %s: is it your own money, %s?", mt.accountLabel(m), q.about, elsewhere)
	return q
}

func ownMoneyChoices(out bool) []ownbooks.Choice {
	other := "income: it counts in burn"
	if out {
		other = "a cost: it counts in burn"
	}
	return []ownbooks.Choice{
		{Answer: "yes", Text: "own money: it doesn't count in burn. Import that account next", Stored: answeredYes},
		{Answer: "no", Text: other, Stored: answeredNo},
	}
}

// answeredOwnMoney returns the question about a pattern that was answered, with the choices by
// which the answer can be changed. It returns false if the key is that of another answer.
func (l *ledgerBooks) answeredOwnMoney(key, stored string) (q question, ok bool) {
	p, ok := parsePattern(key)
	if !ok {
		return q, false
	}
	_, amount, _ := strings.Cut(stored, " ")
	label := func(name accountName) string {
		for _, a := range l.accounts {
			if (accountName{a.Currency, a.Identity}) == name {
				return ShortNumber(a.Number)
			}
		}
		return "an account without statements"
	}
	q = question{key: key, OpenQuestion: ownbooks.OpenQuestion{ID: questionID(key), Kind: AboutTransfer}}
	switch {
	case p.in == accountName{}:
		q.Kind, q.Choices = AboutOwnMoney, ownMoneyChoices(true)
		q.Text = fmt.Sprintf("Money from %s to %s: is it your own?", label(p.out), p.outWords)
	case p.out == accountName{}:
		q.Kind, q.Choices = AboutOwnMoney, ownMoneyChoices(false)
		q.Text = fmt.Sprintf("Money from %s to %s: is it your own?", p.inWords, label(p.in))
	default:
		q.Text = fmt.Sprintf("%s (%s) → %s (%s): own transfers?", label(p.out), p.outWords, label(p.in), p.inWords)
		q.Choices = []ownbooks.Choice{
			{Answer: "yes", Text: "own transfers, also later ones like these", Stored: answeredYes},
			{Answer: "no", Text: "no transfers: each counts as cost and as income", Stored: answeredNo},
		}
	}
	for n := range q.Choices {
		q.Choices[n].Stored += " " + amount
	}
	return q, true
}

// accountLabel names the account of a line.
func (mt *matching) accountLabel(m *bookrules.Movement) string {
	return ShortNumber(mt.own[m.Account].Number)
}
