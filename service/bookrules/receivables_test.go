package bookrules_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// open returns an item that was issued on a day of September 2026.
func open(number, customer string, issued int, minor int64) bank.OpenItem {
	return bank.OpenItem{
		Number: number, Party: customer, Issued: civil.New(2026, 9, issued), Currency: "USD", Minor: minor,
	}
}

// openList returns what a source listed on a day of October 2026.
func openList(source string, asOf int, items ...bank.OpenItem) bookrules.OpenList {
	return bookrules.OpenList{
		Key:    nextLine(),
		Source: source,
		AsOf:   bookrules.DayOf(civil.New(2026, 10, asOf)),
		Items:  items,
	}
}

// paid returns a payment of a day of October 2026.
func paid(id string, day int, payer, text string, minor int64) bookrules.Payment {
	return bookrules.Payment{
		ID: id, Day: bookrules.DayOf(civil.New(2026, 10, day)), Minor: minor, Currency: "USD", Payer: payer, Text: text,
	}
}

func receivablesOf(
	t *testing.T,
	lists []bookrules.OpenList,
	invoices []bookrules.OwnInvoice,
	payments ...bookrules.Payment,
) bookrules.Receivables {
	t.Helper()
	found, err := bookrules.OpenReceivables(nil, lists, invoices, payments, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// stillOpen returns numbers and amounts.
func stillOpen(found bookrules.Receivables) []string {
	var texts []string
	for _, item := range found.Open {
		texts = append(texts, fmt.Sprint(item.Number, " ", item.Minor))
	}
	return texts
}

func TestOpenItemsOfLists(t *testing.T) {
	euros := open("1", "Acme", 1, 100)
	euros.Currency = "EUR"
	for name, test := range map[string]struct {
		lists    []bookrules.OpenList
		invoices []bookrules.OwnInvoice
		want     []string
	}{
		"the newest list of a source": {
			[]bookrules.OpenList{
				openList("xero", 9, open("2", "Acme", 2, 50)),
				openList("xero", 1, open("1", "Acme", 1, 100), open("2", "Acme", 2, 70)),
			}, nil, []string{"2 50"},
		},
		"an item that two sources list": {
			[]bookrules.OpenList{
				openList("xero", 1, open("INV-1", "Acme Inc.", 1, 100)), openList("stripe", 9, open("inv 1", "ACME", 1, 60)),
			}, nil, []string{"inv 1 60"},
		},
		"the same number of other customers and currencies": {
			[]bookrules.OpenList{
				openList("xero", 1, open("1", "Acme", 1, 100)), openList("stripe", 9, open("1", "Blue", 2, 60)),
				openList("csv", 9, euros),
			}, nil, []string{"1 100", "1 100", "1 60"},
		},
		"an own invoice that is imported too": {
			[]bookrules.OpenList{openList("xero", 9, open("INV-000001", "Acme", 1, 60))},
			[]bookrules.OwnInvoice{{ID: "inv_1", Number: "INV-000001", Customer: "Acme", Currency: "USD", Minor: 100}},
			[]string{"INV-000001 100"},
		},
		"items without a number": {
			[]bookrules.OpenList{openList("xero", 9, open("", "Acme", 1, 60), open("", "Acme", 1, 60))}, nil,
			[]string{" 60", " 60"},
		},
		"credits pay the oldest items of their customer": {
			[]bookrules.OpenList{openList("xero", 9, open("3", "Acme", 3, 100), open("C1", "ACME INC", 5, -130),
				open("1", "Acme", 1, 100), open("2", "Blue", 1, 100))}, nil, []string{"2 100", "3 70"},
		},
		"a credit above all items": {
			[]bookrules.OpenList{openList("xero", 9, open("C1", "Acme", 1, -500), open("1", "Acme", 1, 100))}, nil, nil,
		},
	} {
		for range 2 {
			got := stillOpen(receivablesOf(t, test.lists, test.invoices))
			slices.Reverse(test.lists)

			if !slices.Equal(got, test.want) {
				t.Errorf("%s: %q, want %q", name, got, test.want)
			}
		}
	}
}

func TestPaymentsOfOpenItems(t *testing.T) {
	list := openList("xero", 5, open("1042", "Acme Corporation", 1, 10000), open("INV-7", "Blue", 2, 5000))
	foreign := paid("p", 6, "Acme Corp", "invoice 1042", 10000)
	foreign.Currency = "EUR"
	for name, test := range map[string]struct {
		payment bookrules.Payment
		open    []string
		asked   string // numbers of the items asked about
	}{
		"number and exact amount":  {paid("p", 6, "Jo", "invoice 1042", 10000), []string{"INV-7 5000"}, ""},
		"number and payer, a part": {paid("p", 6, "ACME CORP", "RE 1042.", 4000), []string{"1042 6000", "INV-7 5000"}, ""},
		"a number with a dash":     {paid("p", 6, "BLUE", "inv 7", 5000), []string{"1042 10000"}, ""},
		"both numbers, exact sum":  {paid("p", 6, "Jo", "1042 and INV-7", 15000), nil, ""},
		"more than is due":         {paid("p", 6, "Acme Corp", "1042", 99999), []string{"INV-7 5000"}, ""},
		"on the day of the list":   {paid("p", 5, "Acme Corp", "1042", 10000), []string{"1042 10000", "INV-7 5000"}, ""},
		"part of a longer number":  {paid("p", 6, "Jo", "110421", 77), []string{"1042 10000", "INV-7 5000"}, ""},
		"the number alone":         {paid("p", 6, "Jo", "1042", 77), []string{"1042 10000", "INV-7 5000"}, "1042"},
		"the payer alone":          {paid("p", 6, "Acme Corp", "", 77), []string{"1042 10000", "INV-7 5000"}, "1042"},
		"the amount alone":         {paid("p", 6, "Jo", "", 5000), []string{"1042 10000", "INV-7 5000"}, "INV-7"},
		"payer and amount":         {paid("p", 6, "Blue", "thanks", 5000), []string{"1042 10000", "INV-7 5000"}, "INV-7"},
		"another currency":         {foreign, []string{"1042 10000", "INV-7 5000"}, "1042"},
		"nothing in common":        {paid("p", 6, "Jo", "hello", 77), []string{"1042 10000", "INV-7 5000"}, ""},
		"a number and its payer's other item": {
			paid("p", 6, "Blue", "INV-7 PO 1042", 2000), []string{"1042 10000", "INV-7 3000"}, "",
		},
	} {
		found := receivablesOf(t, []bookrules.OpenList{list}, nil, test.payment)

		var asked []string
		for _, q := range found.Questions {
			for _, item := range q.Items() {
				asked = append(asked, item.Number)
			}
		}
		if got := stillOpen(found); !slices.Equal(got, test.open) || strings.Join(asked, " ") != test.asked {
			t.Errorf("%s: %q, asked %q; want %q and %q", name, got, asked, test.open, test.asked)
		}
	}
}

func TestAPersonSaysWhatAPaymentPays(t *testing.T) {
	list := openList("xero", 5, open("1042", "Acme", 1, 10000))
	payment := paid("p", 6, "Jo", "", 4000)
	key := bookrules.Receivable{OpenItem: list.Items[0]}.ItemKey()
	for answer, want := range map[string][]string{key: {"1042 6000"}, "": {"1042 10000"}} {
		found, err := bookrules.OpenReceivables(
			nil, []bookrules.OpenList{list},
			nil,
			[]bookrules.Payment{payment},
			map[string]string{"p": answer},
		)

		if got := stillOpen(found); err != nil || !slices.Equal(got, want) || len(found.Questions) > 0 {
			t.Errorf("%q: %q, %v, %v", answer, got, found.Questions, err)
		}
	}
}

func TestAnOwnInvoiceIsPaidByAnImportedPayment(t *testing.T) {
	invoice := bookrules.OwnInvoice{
		ID: "inv_1", Number: "INV-000001", Customer: "Acme", Currency: "USD", Minor: 10000, Issued: civil.New(2026, 10, 6),
	}

	found := receivablesOf(t, nil, []bookrules.OwnInvoice{invoice},
		paid("early", 5, "Acme", "INV-000001", 10000), paid("later", 7, "Acme", "INV-000001", 10000))

	if len(found.Open) > 0 || len(found.Applied) != 1 || found.Applied[0].Item.Invoice != "inv_1" ||
		found.Applied[0].Payment != "later" || found.Applied[0].Minor != 10000 {
		t.Errorf("receivables are %+v", found)
	}
}

func TestItemsThatPaymentsHavePaidAreKnownWithTheDay(t *testing.T) {
	lists := []bookrules.OpenList{
		openList("xero", 1, open("99", "Acme", 1, 5000), open("100", "Acme", 2, 700), open("101", "Acme", 3, 900)),
		openList("xero", 9, open("101", "Acme", 3, 900), open("102", "Acme", 4, 800)),
	}

	found := receivablesOf(t, lists, nil, paid("a", 5, "Acme", "99", 5000), paid("b", 12, "Acme", "101", 400),
		paid("c", 14, "Acme", "101", 500))

	var got []string
	for _, p := range found.Paid {
		got = append(got, p.Number+" "+p.Paid.Date().String())
	}
	// 100 is in no list any more, and no payment says that it was paid.
	if want := []string{"101 2026-10-14", "99 2026-10-05"}; !slices.Equal(got, want) {
		t.Errorf("paid are %q, want %q", got, want)
	}
	if got := stillOpen(found); !slices.Equal(got, []string{"102 800"}) {
		t.Errorf("open are %q", got)
	}
}

func TestReceivablesBeyondAllNumbersAreAnError(t *testing.T) {
	credits := openList("xero", 5, open("1", "Acme", 1, math.MinInt64), open("2", "Acme", 1, math.MinInt64))

	_, err := bookrules.OpenReceivables(nil, []bookrules.OpenList{credits}, nil, nil, nil)

	if !errors.Is(err, bookrules.ErrOverflow) {
		t.Errorf("error is %v", err)
	}
}

// Nothing is paid twice: what is open and what was applied is what was due, and no payment pays
// more than its amount, in any order of lists and payments.
func TestReceivablesAndPaymentsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []bank.OpenItem
		var due int64
		for i := range rapid.IntRange(0, 6).Draw(t, "items") {
			minor := rapid.Int64Range(1, 300).Draw(t, "due")
			items = append(
				items,
				open(fmt.Sprint("A", i), rapid.SampledFrom([]string{"Acme", "Blue"}).Draw(t, "of"), i+1, minor),
			)
			due += minor
		}
		lists := []bookrules.OpenList{openList("xero", 5, items...)}
		var payments []bookrules.Payment
		for i := range rapid.IntRange(0, 8).Draw(t, "payments") {
			text := rapid.SampledFrom([]string{"A0", "A1 A2", "A3", "", "A0 A1 A2"}).Draw(t, "text")
			payments = append(payments, paid(
				fmt.Sprint("p", i),
				rapid.IntRange(4, 9).Draw(t, "day"),
				rapid.SampledFrom([]string{"ACME INC", "Blue", "Jo"}).
					Draw(t, "payer"),
				text,
				rapid.Int64Range(1, 300).Draw(t, "paid"),
			))
		}

		found, err := bookrules.OpenReceivables(nil, lists, nil, payments, nil)
		again, _ := bookrules.OpenReceivables(nil, lists, nil, rapid.Permutation(payments).Draw(t, "order"), nil)

		if err != nil || fmt.Sprint(found) != fmt.Sprint(again) {
			t.Fatalf("receivables are %+v, %v, then %+v", found, err, again)
		}
		left := map[string]int64{}
		for _, p := range payments {
			left[p.ID] = p.Minor
		}
		for _, a := range found.Applied {
			due -= a.Minor
			left[a.Payment] -= a.Minor
			if left[a.Payment] < 0 {
				t.Fatalf("payment %s pays more than it is", a.Payment)
			}
		}
		for _, item := range found.Open {
			due -= item.Minor
		}
		if due != 0 {
			t.Fatalf("%d are lost", due)
		}
	})
}
