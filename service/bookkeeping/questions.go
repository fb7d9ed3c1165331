package bookkeeping

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// The kinds of questions.
const (
	// AboutFinancing asks whether an inflow is money of investors or a lender. Until the user
	// answers, the transactions do not count in burn.
	AboutFinancing ownbooks.QuestionKind = "financing"
	// AboutRepeated asks whether lines of equal amount in two files are the same payments. The
	// question arises if one file ends and the other begins within the same day; until the user
	// answers, the lines count as the same payments. It also arises if files of another layout have
	// the amounts of others under other dates; until the user answers, they count as different.
	AboutRepeated ownbooks.QuestionKind = "repeated"
	// AboutPayment asks which open invoice a payment pays. Until the user answers, it pays none.
	AboutPayment ownbooks.QuestionKind = "payment"
	// AboutBill asks which bill a payment pays. Until the user answers, it pays none.
	AboutBill ownbooks.QuestionKind = "bill"
	// AboutSettlement asks whether a paid invoice at a provider is one of the organization's own
	// invoices, which has its number. Until the user answers, the invoice stays open.
	AboutSettlement ownbooks.QuestionKind = "settlement"
	// AboutTransfer asks whether two lines without evidence are a transfer between own accounts.
	// Until the user answers, both are transactions that do not count in burn.
	AboutTransfer ownbooks.QuestionKind = "transfer"
	// AboutOwnMoney asks whether lines are the company's own money, moved to or from an account
	// that isn't in the books. Until the user answers, they don't count in burn.
	AboutOwnMoney ownbooks.QuestionKind = "own_money"
	// AboutPaidOut asks whether money out is a loan that is paid back, a deposit, or money for an
	// own account that isn't in the books. Until the user answers, it doesn't count in burn.
	AboutPaidOut ownbooks.QuestionKind = "paid_out"
)

// question is an open question with what follows from its answer. Its id is a hash of the field
// key, so that a question has the same id after each import.
type question struct {
	ownbooks.OpenQuestion

	key     string // identifies the question in the table of answers
	about   string // subject of the question without its amount, for Position.Note of the cash position
	account int64
	file    int64 // readings that the question is about; 0 for a question about a line
	lineGroup
	other *otherLine // line of another account that the question is also about; nil if there is none
	// payment is what a question about an invoice or a bill asks, whose choices are made when they
	// are shown. none is the text of the choice that the payment pays no item. payment is nil for
	// other questions.
	payment *bookrules.PaymentQuestion
	none    string
	// flows are the transactions that net burn leaves out until the question is answered, and
	// reportedFlows those in the currency of reports if that is not the US dollar.
	flows, reportedFlows []store.QuestionFlow
}

// otherLine is a line of an account.
type otherLine struct {
	account int64
	lineGroup
}

// shown returns the question with its choices.
func (q *question) shown() ownbooks.OpenQuestion {
	shown := q.OpenQuestion
	if q.payment != nil {
		shown.Choices = q.itemChoices()
	}
	return shown
}

// notice returns the question for a report, with what the books do until it is answered, and what
// the net burn is if the money is income.
func (q *question) notice() string {
	text := q.Text + " " + q.Meanwhile
	for _, c := range q.Choices {
		if income := q.Kind == AboutFinancing; (income || q.Kind == AboutPaidOut) && c.Answer == answeredNo &&
			c.Changes != "" {
			text += " If it is " + map[bool]string{true: "income", false: "a cost"}[income] + ": " + c.Changes + "."
		}
	}
	return text
}

// Texts of answers in the database.
const (
	answeredYes    = "yes"
	answeredNo     = "no"
	differentLines = "yes" // answer to the question whether lines are different
	sameLines      = "no"
	paysNothing    = "none"
)

// Prefixes of the keys of answers. The rest of a key identifies the lines.
const (
	doubtKey   = "different "
	datesKey   = "dates "
	paymentKey = "payment "
	// payerKey is the prefix for answers whether money of a payer is financing. earlierKey is that
	// of earlier versions, which asked about the payments of a payer in a month.
	payerKey   = "payer "
	earlierKey = "financing "
	// paidKey is the prefix for answers whether money out is a cost.
	paidKey = "paid "

	// billKey is the prefix for what the user says about bills, which nobody asks.
	billKey = "bill "

	settlementKey = "settlement "
	transferKey   = "transfer "
	// ownMoneyKey is the prefix for answers about lines with a bookrules.TransferPattern.
	ownMoneyKey = "own "
)

// questionIDs is the prefix of ids of questions.
const questionIDs = "ask_"

// questionID returns the id of the question with the given key.
func questionID(key string) string { return questionIDs + shortHash(key) }

// shortHash returns ten hexadecimal digits that identify a text.
func shortHash(text string) string {
	const size = 5
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:size])
}

// doubtKeyOf returns the key of the question whether equal lines of an account are different
// transactions.
func doubtKeyOf(a bookrules.Account, d bookrules.Doubt) string {
	if d.Making != "" {
		return fmt.Sprintf("%s%s %q %s", datesKey, a.Currency, d.Making, a.Identity)
	}
	return fmt.Sprintf("%s%s %d %d %s", doubtKey, a.Currency, d.Day, d.Minor, a.Identity)
}

// paymentAnswers returns the keys of the invoices that payments pay according to the user. The keys
// of the map are the ids of the payments' transactions.
func (l *ledgerBooks) paymentAnswers() map[string]string {
	answers := map[string]string{}
	for question, answer := range l.answers {
		if id, ok := strings.CutPrefix(question, paymentKey); ok {
			if answer == paysNothing {
				answer = ""
			}
			answers[id] = answer
		}
	}
	return answers
}

// ask sets mt.questions to the open questions, the oldest first. Those of one day are in the order
// of their kinds and texts, whatever the order of accounts and files.
func (mt *matching) ask(aboutFinancing, aboutPaid []bookrules.FinancingQuestion) {
	mt.questions = []*question{}
	for n := range mt.accounts {
		for _, d := range mt.accounts[n].doubts {
			mt.add(mt.repeatedQuestion(&mt.accounts[n], d))
		}
	}
	byID := map[string]*inflow{}
	if len(aboutFinancing)+len(mt.receivables.Questions) > 0 {
		for flow := range mt.inflowTransactions() {
			byID[flow.known] = flow
		}
	}
	for _, q := range aboutFinancing {
		mt.add(mt.financingQuestion(q, byID))
	}
	for _, q := range aboutPaid {
		mt.add(mt.paidOutQuestion(q))
	}
	for n := range mt.receivables.Questions {
		q := &mt.receivables.Questions[n]
		mt.add(mt.paymentQuestion(q, byID[q.Payment.ID]))
	}
	for n := range mt.bills.Questions {
		mt.add(mt.billQuestion(&mt.bills.Questions[n]))
	}
	for _, s := range mt.unsettled {
		mt.add(mt.settlementQuestion(s))
	}
	mt.askAboutOwnMoney()
	for _, q := range mt.aboutAccounts {
		mt.add(q)
	}
	slices.SortStableFunc(mt.questions, func(x, y *question) int {
		return cmp.Or(cmp.Compare(x.day, y.day), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Text, y.Text),
			cmp.Compare(x.key, y.key))
	})
}

// add adds a question unless it is answered.
func (mt *matching) add(q question) {
	if mt.books.answers[q.key] != "" {
		return
	}
	q.ID = questionID(q.key)
	if q.Date == "" {
		q.Date = q.day.Date().String()
	}
	mt.questions = append(mt.questions, &q)
}

func (mt *matching) repeatedQuestion(d *derived, doubt bookrules.Doubt) question {
	if doubt.Making != "" {
		return datesQuestion(d, doubt)
	}
	fewest, most := max(doubt.Before, doubt.After), doubt.Before+doubt.After
	return question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutRepeated,
			Text: fmt.Sprintf("%s: one file ends and another begins on %s, and both have %s %s. Is that the same payment?",
				ShortNumber(d.Number), doubt.Day.Date(), money.Format(doubt.Minor, d.Currency), d.Currency),
			Meanwhile: "It counts as the same.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: "the same: " + plural.Count(fewest, "line"), Stored: sameLines},
				{Answer: "no", Text: "different ones: " + plural.Count(most, "line"), Stored: differentLines},
			},
		},
		key: doubtKeyOf(d.Account, doubt), account: d.Key, lineGroup: lineGroup{doubt.Day, doubt.Minor},
	}
}

// datesQuestion asks whether lines of files of another layout are those of others with other dates.
func datesQuestion(d *derived, doubt bookrules.Doubt) question {
	format, _, _ := strings.Cut(doubt.Making, " ")
	return question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutRepeated,
			Text: fmt.Sprintf("%s: %d of %s that only a %s file has may be lines of other files, which have the same amounts "+
				"up to %s earlier or later, first %s %s on %s and %s. Are they the same payments?",
				ShortNumber(d.Number), doubt.Before, plural.Count(doubt.After, "line"), format,
				plural.Count(bookrules.MaxShift, "day"), money.Format(doubt.Minor, d.Currency), d.Currency,
				doubt.Other.Date(), doubt.Day.Date()),
			Meanwhile: "They count as different ones.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: "the same: " + plural.Count(doubt.Before, "line") + " less", Stored: sameLines},
				{Answer: "no", Text: "different ones: nothing changes", Stored: differentLines},
			},
		},
		key:       doubtKeyOf(d.Account, doubt),
		account:   d.Key,
		lineGroup: lineGroup{doubt.Day, doubt.Minor},
		other:     &otherLine{d.Key, lineGroup{doubt.Other, doubt.Minor}},
	}
}

func (mt *matching) paymentQuestion(q *bookrules.PaymentQuestion, payment *inflow) question {
	m := &mt.movements[payment.movement]
	asked := question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutPayment,
			Text: fmt.Sprintf("%s %s from %s on %s: which invoice does it pay?",
				money.Format(m.Minor, q.Payment.Currency), q.Payment.Currency, payment.payer, m.Day.Date()) +
				moreText(q),
			Meanwhile: "It pays none.",
		},
		key: paymentKey + q.Payment.ID, account: m.Account, lineGroup: lineGroup{m.Day, m.Minor},
	}
	asked.payment, asked.none = q, "no invoice"
	return asked
}

// leaveOut adds the transaction of a line that burn leaves out until the question is answered.
func (mt *matching) leaveOut(q *question, m *bookrules.Movement) {
	q.flows = mt.appendFlow(q.flows, m, bookrules.USD)
	if mt.books.currency != bookrules.USD {
		q.reportedFlows = mt.appendFlow(q.reportedFlows, m, mt.books.currency)
	}
}

// appendFlow appends the transaction of a line. It appends none if its amount in the currency is
// not known.
func (mt *matching) appendFlow(
	flows []store.QuestionFlow, m *bookrules.Movement, currency string,
) []store.QuestionFlow {
	cents, known := bookrules.Convert(m.Minor, mt.own[m.Account].Currency, currency, m.Day, mt.valuation.Rates)
	switch {
	case !known:
		return flows
	case m.Minor < 0:
		cents = -max(cents, -cents)
	}
	return append(flows, store.QuestionFlow{Day: m.Day, Cents: cents})
}

// storedQuestions returns the open questions for the database.
func (mt *matching) storedQuestions() []store.BookQuestion {
	stored := make([]store.BookQuestion, len(mt.questions))
	for n, q := range mt.questions {
		stored[n] = store.BookQuestion{
			Key: q.key, Kind: string(q.Kind), Day: q.day, Text: q.about, Flows: q.flows, ReportedFlows: q.reportedFlows,
		}
	}
	return stored
}
