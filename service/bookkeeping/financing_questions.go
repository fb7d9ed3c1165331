package bookkeeping

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/cash"
	"tarmac/service/cutoff"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// regularAnswer is the number in the key of an answer about a payer that has become regular.
const regularAnswer = "regular"

// financingKey returns the key of a question about a payer: payerKey, the number of the answer, and
// bookrules.PayerKey. An answer about larger payments is stored beside the answers about smaller
// ones.
func financingKey(q bookrules.FinancingQuestion) string {
	number := strconv.Itoa(q.Answers + 1)
	if q.Regular {
		number = regularAnswer
	}
	if q.Out {
		return paidKey + number + " " + q.PayerKey
	}
	return payerKey + number + " " + q.PayerKey
}

// storedFinancing returns the text of an answer in the database: the answer, and the amount that it
// was given about, with its currency unless that is the US dollar.
func storedFinancing(answer string, minor int64, currency string) string {
	answer += " " + strconv.FormatInt(minor, 10)
	if currency != bookrules.USD {
		answer += " " + currency
	}
	return answer
}

// parseFinancing returns the answer about a payer with a key and text in the database, and the
// currency of its amount. It returns false if the key is that of another answer. The answer may be
// about money out (isPaidOut).
func parseFinancing(key, stored string) (a bookrules.FinancingAnswer, currency string, ok bool) {
	answer, amount, _ := strings.Cut(stored, " ")
	amount, currency, _ = strings.Cut(amount, " ")
	currency = cmp.Or(currency, bookrules.USD)
	a.Yes = answer == answeredYes
	if rest, found := strings.CutPrefix(key, earlierKey); found {
		month, payer, _ := strings.Cut(rest, " ")
		first, err := civil.Parse(month + "-01")
		a.Month, a.PayerKey = first, payer
		if !bookrules.IsRowKey(payer) {
			a.PayerKey = bookrules.PayerKeyOf(bookrules.Name(bank.Line{Counterparty: payer}))
		}
		return a, currency, err == nil
	}
	rest, found := strings.CutPrefix(key, payerKey)
	if !found {
		rest, found = strings.CutPrefix(key, paidKey)
	}
	number, payer, _ := strings.Cut(rest, " ")
	cents, err := strconv.ParseInt(amount, 10, 64)
	a.PayerKey, a.Regular, a.LargestMinor = payer, number == regularAnswer, cents
	return a, currency, found && err == nil
}

// isPaidOut reports whether a key is that of an answer about money out.
func isPaidOut(key string) bool { return strings.HasPrefix(key, paidKey) }

// financingAnswers returns the user's answers whether money of payers is financing, or whether
// money out isn't a cost. An answer that was given while the books reported in another currency
// is converted by the newest rate; without one, it holds for payments of any size.
func (mt *matching) financingAnswers(out bool) (answers []bookrules.FinancingAnswer) {
	for key, stored := range mt.books.answers {
		a, currency, ok := parseFinancing(key, stored)
		if !ok || isPaidOut(key) != out {
			continue
		}
		if currency != mt.books.currency && a.LargestMinor != 0 {
			quote, known := bookrules.QuoteAt(currency, mt.books.currency, lastDay, mt.valuation.Rates)
			if known {
				a.LargestMinor, known = quote.Convert(a.LargestMinor)
			}
			if !known {
				a.LargestMinor = math.MaxInt64
			}
		}
		answers = append(answers, a)
	}
	return answers
}

// answeredFinancing returns the question about a payer that was answered, with the choices by which
// the answer can be changed. It returns false if the key is that of another answer.
func answeredFinancing(key, stored string) (q question, ok bool) {
	if _, _, ok := parseFinancing(key, stored); !ok {
		return q, false
	}
	_, amount, _ := strings.Cut(stored, " ")
	q = question{key: key, OpenQuestion: ownbooks.OpenQuestion{
		ID: questionID(key), Kind: AboutFinancing, Choices: financingChoices(),
	}}
	if isPaidOut(key) {
		q.Kind, q.Choices = AboutPaidOut, paidOutChoices()
	}
	for n := range q.Choices {
		q.Choices[n].Stored = strings.TrimSpace(q.Choices[n].Stored + " " + amount)
	}
	return q, true
}

func financingChoices() []ownbooks.Choice {
	return []ownbooks.Choice{
		{Answer: "yes", Text: "financing: it does not count in burn", Stored: answeredYes},
		{Answer: "no", Text: "earned: it counts in burn", Stored: answeredNo},
	}
}

// financingQuestion returns a question about the money of a payer. It is found by the payer's
// newest payment, and has the date of the oldest.
func (mt *matching) financingQuestion(q bookrules.FinancingQuestion, byID map[string]*inflow) question {
	newest := &mt.movements[byID[q.Rows[len(q.Rows)-1]].movement]
	asked := question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutFinancing,
			Date: q.Dates[0].String(),
			Text: fmt.Sprintf("%s %s from %s %s: is it investors' or a lender's money?%s",
				money.Format(q.Minor, mt.books.currency), mt.books.currency,
				payerText(q.Payer), datesText(q.Dates), earlierText(q)),
			Meanwhile: "It does not count in burn.",
			Choices:   financingChoices(),
		},
		key:       financingKey(q),
		account:   newest.Account,
		lineGroup: lineGroup{newest.Day, newest.Minor},
		about:     fmt.Sprintf("%s on %s", payerText(q.Payer), q.Dates[len(q.Dates)-1]),
	}
	movements := map[string]int{}
	for _, id := range q.Rows {
		movements[id] = byID[id].movement
	}
	mt.completeFinancing(&asked, &q, movements)
	return asked
}

// completeFinancing sets what burn leaves out until a question about a payer or a payee is
// answered, how the answers are stored, and what they make of the net burn. movements has the
// indexes of the question's transactions.
func (mt *matching) completeFinancing(asked *question, q *bookrules.FinancingQuestion, movements map[string]int) {
	for _, id := range q.Rows {
		mt.leaveOut(asked, &mt.movements[movements[id]])
	}
	for n := range asked.Choices {
		asked.Choices[n].Stored = storedFinancing(asked.Choices[n].Stored, q.LargestMinor, mt.books.currency)
	}
	if mt.change == nil {
		mt.change = mt.burnChange()
	}
	mt.change.describe(asked.Choices, q.Rows)
}

// payerText names the payer with a name or a bookrules.PayerKey.
func payerText(payer string) string {
	if strings.HasPrefix(payer, ledger.UnknownCounterparty) || bookrules.IsRowKey(payer) {
		return "a payer without a name"
	}
	return payer
}

// datesText says when payments were made, such as "in 2 payments on 2026-09-03 and 2026-10-05".
func datesText(dates []civil.Date) string {
	const most = 4 // dates that are listed
	last := len(dates) - 1
	switch {
	case last == 0:
		return "on " + dates[0].String()
	case last >= most:
		return fmt.Sprintf("in %d payments from %s to %s", len(dates), dates[0], dates[last])
	}
	texts := make([]string, last)
	for n := range texts {
		texts[n] = dates[n].String()
	}
	return fmt.Sprintf("in %d payments on %s and %s", len(dates), strings.Join(texts, ", "), dates[last])
}

// earlierText says what the user has answered about the payer before.
func earlierText(q bookrules.FinancingQuestion) string {
	switch {
	case q.Regular:
		return " You said that it is, and now it comes regularly."
	case q.Earlier == nil:
		return ""
	case q.Earlier.Yes:
		return " Smaller payments are, as you said."
	}
	return " Smaller payments are not, as you said."
}

// burnChange holds what the net burn of a company follows from, for the effect of answers on it.
type burnChange struct {
	currency string
	window   cutoff.BurnWindow
	flow     cash.Flow
	// cents has possible financing in the window, in minor units, by id of the transaction. Money
	// out is negative.
	cents map[string]int64
}

// burnChange returns the flow of the months over which burn is averaged today.
func (mt *matching) burnChange() *burnChange {
	known := cutoff.Of(mt.known, civil.Of(mt.books.Now()))
	c := &burnChange{
		currency: mt.books.currency, cents: map[string]int64{},
		window: known.Window(),
	}
	if !c.window.Sufficient {
		return c
	}
	categories := map[int]string{} // of money in that is not operating
	for n := range mt.inflows {
		flow := &mt.inflows[n]
		switch {
		case mt.financing[flow.known] && flow.category == "":
			categories[flow.movement] = ledger.CategoryFinancing
			if row := mt.bareTransaction(flow.movement); row.ReportingKnown {
				c.cents[flow.known] = row.ReportingMinor
			}
		case flow.category != "":
			categories[flow.movement] = flow.category
		}
	}
	days := bookrules.Span{First: bookrules.DayOf(c.window.First), Last: bookrules.DayOf(c.window.Last)}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		from, to := indexes(a.merged, days)
		for at := from; at < to; at++ {
			mt.addFlow(&c.flow, a, at, categories)
		}
	}
	for n := range mt.inflows {
		day := mt.movements[mt.inflows[n].movement].Day
		if !days.Contains(day) {
			delete(c.cents, mt.inflows[n].known)
		}
	}
	for id, movement := range mt.paidBy {
		m := &mt.movements[movement]
		if minor, known := mt.valuation.Value(m.Minor, mt.own[m.Account].Currency, m.Day); known && days.Contains(m.Day) {
			c.cents[id] = minor
		}
	}
	return c
}

// addFlow adds the transaction of the line a.merged[at] to a flow, unless it is not operating.
// categories has the categories of money in.
func (mt *matching) addFlow(flow *cash.Flow, a *derived, at int, categories map[int]string) {
	movement := a.firstMovement + at
	m, minor := &a.merged[at], a.merged[at].Minor
	category := categories[movement]
	if minor < 0 {
		category = cmp.Or(mt.categories[movement], mt.paidOut[movement])
	}
	if mt.transfers.Treatments[movement] != bookrules.IsRow {
		if minor, category = -mt.lost[movement], ""; minor == 0 {
			return
		}
	}
	if row := (ledger.Transaction{Category: category}); !row.Operating() {
		return
	}
	cents, known := mt.valuation.Value(minor, a.Currency, m.Day)
	flow.Rows++
	switch {
	case !known && minor < 0:
		flow.Unconverted, flow.UnconvertedOut = flow.Unconverted+1, flow.UnconvertedOut+1
	case !known:
		flow.Unconverted++
	case minor < 0:
		flow.OutflowCents -= cents
	default:
		flow.InflowCents += cents
	}
}

// describe says for the choices of a question what the net burn is with each of them. rows are the
// transactions that the question is about.
func (c *burnChange) describe(choices []ownbooks.Choice, rows []string) {
	earned := c.flow
	changes := false
	for _, id := range rows {
		if cents, inWindow := c.cents[id]; inWindow {
			changes = true
			earned.InflowCents += max(cents, 0)
			earned.OutflowCents += max(-cents, 0)
			earned.Rows++
		}
	}
	if !changes {
		return
	}
	for n, flow := range [...]cash.Flow{c.flow, earned} {
		p, err := cash.EstimateBooks(cash.BooksInput{Currency: c.currency, Flow: flow, Months: int64(c.window.Months)})
		if err != nil || !flow.Known() {
			return
		}
		choices[n].Changes, choices[n].BurnCents = burnText(p.MonthlyBurnCents, c.currency), &p.MonthlyBurnCents
	}
}

func burnText(minor int64, currency string) string {
	if minor == 0 {
		return "no net burn"
	}
	return "net burn is " + money.Text(minor, currency) + " a month"
}
