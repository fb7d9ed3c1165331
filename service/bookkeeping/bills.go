package bookkeeping

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service/bookrules"
	"tarmac/service/payables"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// matchBills finds out which bills of imported lists are to be paid, and which payments have paid
// others.
func (mt *matching) matchBills() error {
	lists := bookrules.ListsOf(mt.allLists, bank.Payable)
	if len(lists) == 0 {
		return nil
	}
	payments, err := mt.outflowPayments(bookrules.EarliestList(lists))
	if err == nil {
		mt.bills, err = bookrules.OpenBills(mt.books.work, lists, payments, mt.books.paymentAnswers(), mt.books.billMarks())
	}
	return err
}

// outflowPayments returns the money out after a day that may pay bills: transactions, which
// payments of cards and other transfers between own accounts are not.
func (mt *matching) outflowPayments(after bookrules.Day) (payments []bookrules.Payment, err error) {
	span, any := mt.span()
	span.First = max(span.First, after+1)
	if !any || span.First > span.Last {
		return nil, nil
	}
	mt.outflows = map[string]int{}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		err := mt.books.lines(a, span, func(at int, l bank.Line) error {
			movement := a.firstMovement + at
			m, treatment := &mt.movements[movement], mt.transfers.Treatments[movement]
			if m.Minor >= 0 || treatment != bookrules.IsRow && treatment != bookrules.IsSuspected {
				return nil
			}
			id := bookrules.TransactionID(a.Account, *m.Merged)
			mt.outflows[id] = movement
			payments = append(payments, bookrules.Payment{
				ID: id, Day: m.Day, Minor: -m.Minor, Currency: a.Currency, Payer: m.Payee,
				Text: m.Payee + " " + l.Counterparty + " " + l.Description + " " + l.Reference,
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return payments, nil
}

// billMarks returns what the user has said about bills.
func (l *ledgerBooks) billMarks() map[string]bookrules.Mark {
	marks := map[string]bookrules.Mark{}
	for question, answer := range l.answers {
		if key, ok := strings.CutPrefix(question, billKey); ok && answer != string(payables.Open) {
			marks[key] = bookrules.Mark(answer)
		}
	}
	return marks
}

func (mt *matching) billQuestion(q *bookrules.PaymentQuestion) question {
	m := &mt.movements[mt.outflows[q.Payment.ID]]
	asked := question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutBill,
			Text: fmt.Sprintf("%s %s to %s on %s: which bill does it pay?",
				money.Format(q.Payment.Minor, q.Payment.Currency), q.Payment.Currency, q.Payment.Payer, m.Day.Date()) +
				moreText(q),
			Meanwhile: "It pays none, and the bills count in full.",
		},
		key: paymentKey + q.Payment.ID, account: m.Account, lineGroup: lineGroup{m.Day, m.Minor},
	}
	asked.payment, asked.none = q, "no bill"
	return asked
}

// itemChoices returns a choice for each item that a payment may pay, and one for none.
func (q *question) itemChoices() (choices []ownbooks.Choice) {
	for n, item := range q.payment.Items() {
		c := itemChoice(&item)
		repeated := slices.ContainsFunc(choices, func(o ownbooks.Choice) bool { return o.Answer == c.Answer })
		if c.Answer == "" || repeated {
			c.Answer = "#" + strconv.Itoa(n+1)
		}
		choices = append(choices, c)
	}
	return append(choices, ownbooks.Choice{Answer: paysNothing, Text: q.none, Stored: paysNothing})
}

func itemChoice(item *bookrules.Receivable) ownbooks.Choice {
	return ownbooks.Choice{
		Answer: item.Number, Stored: item.ItemKey(),
		Text: fmt.Sprintf("%s of %s, %s %s due", item.Number, item.Party,
			money.Format(item.Minor, item.Currency), item.Currency),
	}
}

// moreText says how an item is chosen that a question does not list.
func moreText(q *bookrules.PaymentQuestion) string {
	if !q.More {
		return ""
	}
	return fmt.Sprintf(" These are the %d likeliest; `books questions answer` takes the number of any other.",
		bookrules.MostChoices)
}

// setBills replaces the bills of the API.
func (p *publisher) setBills() error {
	bills := make([]payables.Bill, 0, len(p.matching.bills.All))
	for _, b := range p.matching.bills.All {
		rates, err := p.matching.books.ratesOn(b.AsOf, b.Currency)
		if err != nil {
			return err
		}
		bill := billOf(b)
		if cents, known := bookrules.Convert(b.Minor, b.Currency, bookrules.USD, b.AsOf, rates); known {
			bill.USDCents = &cents
		}
		if p.matching.books.currency != bookrules.USD {
			if minor, known := bookrules.Convert(b.Minor, b.Currency, p.matching.books.currency, b.AsOf, rates); known {
				bill.ReportingMinor = &minor
			}
		}
		bills = append(bills, bill)
	}
	return p.tx.ReplaceBills(p.matching.books.Org, bills)
}

func billOf(b bookrules.Bill) payables.Bill {
	bill := payables.Bill{
		Number: b.Number, Vendor: b.Party, Currency: b.Currency, OpenMinor: b.Minor, Issued: b.Issued, Due: b.Due,
		Paid: b.Paid.Date(), PaidBy: b.PaidBy, State: payables.Open, MayBePaid: b.MayBePaid, Source: b.Source,
	}
	switch {
	case b.Minor == 0:
		bill.State = payables.Paid
	case b.Mark == bookrules.MarkedDisputed:
		bill.State = payables.Disputed
	}
	return bill
}

// ErrManyBills means that a text names several bills.
var ErrManyBills = errors.New("several bills have this number")

// MarkBill stores what the user says about a bill: that it is paid or disputed. Open takes back an
// earlier mark, and payments decide again. The text is the bill's number, and the vendor's name
// after it if several vendors have the number. MarkBill returns store.ErrNotFound for an unknown
// bill and ErrManyBills, with the vendors, if the text names several.
func (b *Books) MarkBill(ctx context.Context, text string, state payables.State) (
	marked ownbooks.MarkedBill, err error,
) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.changeBooks(ctx, func(c *change) error {
		return c.derive(func(l *ledgerBooks) (derivedBooks, error) {
			bill, err := l.findBill(text)
			if err != nil {
				return derivedBooks{}, err
			}
			key := billKey + bill.ItemKey()
			c.edits.answers = map[string]string{key: string(state)}
			l.answers[key] = string(state)
			mt, err := l.matching()
			if err == nil {
				marked = ownbooks.MarkedBill{
					Number: termtext.Line(bill.Number), Vendor: termtext.Line(bill.Party), State: string(state),
					Open: len(mt.questions),
				}
			}
			return derivedBooks{matching: mt}, err
		})
	})
	return marked, err
}

func (l *ledgerBooks) findBill(text string) (bookrules.Receivable, error) {
	lists, err := l.BookOpenLists(l.Org)
	if err != nil {
		return bookrules.Receivable{}, err
	}
	found := bookrules.FindBills(bookrules.ListsOf(lists, bank.Payable), text)
	keys := map[string]bool{}
	var vendors []string
	for _, bill := range found {
		if !keys[bill.ItemKey()] {
			keys[bill.ItemKey()] = true
			vendors = append(vendors, termtext.Line(bill.Party+" in "+bill.Currency))
		}
	}
	switch len(vendors) {
	case 0:
		return bookrules.Receivable{}, fmt.Errorf("bill %s: %w", termtext.Line(text), store.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return bookrules.Receivable{}, fmt.Errorf("%w: %s; name the vendor after the number", ErrManyBills,
		strings.Join(vendors, ", "))
}
