package bookrules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

func billsOf(
	t interface{ Fatal(...any) },
	lists []bookrules.OpenList,
	marks map[string]bookrules.Mark,
	payments ...bookrules.Payment,
) bookrules.Bills {
	found, err := bookrules.OpenBills(nil, lists, payments, nil, marks)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// picture describes bills: number, amount to pay, and what is said about them.
func picture(found bookrules.Bills) string {
	var texts []string
	for _, b := range found.All {
		text := fmt.Sprint(b.Number, " ", b.Minor)
		if b.MayBePaid {
			text += "?"
		}
		if b.Mark != bookrules.Unmarked {
			text += " " + string(b.Mark)
		}
		if b.Paid > 0 {
			text += " on " + b.Paid.Date().String()[8:]
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func TestBillsAreSettledByEvidenceAlone(t *testing.T) {
	euros := open("E-7", "Drukkerij Haven B.V.", 3, 9900)
	euros.Currency = "EUR"
	list := openList("quickbooks", 5, open("12", "Harbor Print, Inc.", 1, 10000), open("A-7", "Cloudhost", 2, 5000), euros)
	const all = "12 10000, A-7 5000, E-7 9900"
	for name, test := range map[string]struct {
		payment bookrules.Payment
		want    string
	}{
		"number and amount":              {paid("p", 6, "Jo", "invoice 12", 10000), "A-7 5000, E-7 9900, 12 0 on 06"},
		"number and vendor, half":        {paid("p", 6, "HARBOR PRINT", "inv 12", 5000), "12 5000, A-7 5000, E-7 9900"},
		"the amount, another vendor":     {paid("p", 6, "Jo", "", 10000), "12 10000?, A-7 5000, E-7 9900"},
		"the number in a longer one":     {paid("p", 6, "Jo", "INV 2012", 777), all},
		"the vendor alone":               {paid("p", 6, "CLOUDHOST", "", 4000), "12 10000, A-7 5000?, E-7 9900"},
		"the vendor's name cut short":    {paid("p", 6, "DRUKKERIJ HAV", "", 4000), "12 10000, A-7 5000, E-7 9900?"},
		"on the day of the list":         {paid("p", 5, "Harbor Print", "12", 10000), all},
		"before the list":                {paid("p", 4, "Harbor Print", "12", 10000), all},
		"another currency":               {paid("p", 6, "Drukkerij Haven", "E-7", 10800), "12 10000, A-7 5000, E-7 9900?"},
		"nothing in common":              {paid("p", 6, "Jo", "lunch", 321), all},
		"more than is due":               {paid("p", 6, "Cloudhost", "A-7", 9999), "12 10000, E-7 9900, A-7 0 on 06"},
		"number of one, amount of other": {paid("p", 6, "Jo", "A-7", 10000), "12 10000?, A-7 5000?, E-7 9900"},
	} {
		if got := picture(billsOf(t, []bookrules.OpenList{list}, nil, test.payment)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestEachBillCountsOnce(t *testing.T) {
	invoice := func(day int, item bank.OpenItem) bookrules.OpenList {
		return openList("e-invoice "+item.Number+" of "+item.Party, day, item)
	}
	for name, test := range map[string]struct {
		lists []bookrules.OpenList
		want  string
	}{
		"an e-invoice that the list has": {[]bookrules.OpenList{
			invoice(1, open("A-7", "Cloudhost GmbH", 1, 5000)), openList("xero", 5, open("a7", "CLOUDHOST", 1, 4000)),
		}, "a7 4000"},
		"a newer e-invoice": {[]bookrules.OpenList{
			invoice(9, open("A-7", "Cloudhost", 1, 5000)), openList("xero", 5, open("A-7", "Cloudhost Hosting", 1, 4000)),
		}, "A-7 5000"},
		"an e-invoice that no list has": {[]bookrules.OpenList{
			invoice(1, open("A-7", "Cloudhost", 1, 5000)), openList("xero", 5, open("A-8", "Cloudhost", 2, 4000)),
		}, "A-7 5000, A-8 4000"},
		"an e-invoice that the list has no more": {[]bookrules.OpenList{
			invoice(1, open("A-7", "Cloudhost", 1, 5000)), openList("xero", 3, open("A-7", "Cloudhost", 1, 5000)),
			openList("xero", 5, open("B", "Cloudhost", 2, 1)),
		}, "B 1"},
		"two vendors, one number": {[]bookrules.OpenList{
			invoice(1, open("1", "Cloudhost", 1, 5000)), invoice(1, open("1", "Harbor Print", 1, 5000)),
		}, "1 5000, 1 5000"},
		"the newest list": {[]bookrules.OpenList{
			openList("xero", 1, open("A", "Cloudhost", 1, 5000), open("B", "Cloudhost", 2, 5000)),
			openList("xero", 2, open("B", "Cloudhost", 2, 4000)),
		}, "B 4000"},
		"a credit in the list and as an e-invoice": {[]bookrules.OpenList{
			openList("xero", 5, open("A", "Cloudhost", 1, 5000), open("C", "Cloudhost", 2, -1000)),
			invoice(2, open("C", "Cloudhost Inc", 2, -1000)),
		}, "A 4000"},
		"a credit that the list has no more": {[]bookrules.OpenList{
			openList("xero", 3, open("A", "Cloudhost", 1, 5000), open("C", "Cloudhost", 2, -1000)),
			openList("xero", 5, open("A", "Cloudhost", 1, 4000)), invoice(2, open("C", "Cloudhost", 2, -1000)),
		}, "A 4000"},
		"a credit of another vendor": {[]bookrules.OpenList{
			invoice(1, open("A", "Cloudhost", 1, 5000)), invoice(2, open("C", "Harbor Print", 2, -1000)),
		}, "A 5000"},
	} {
		for range 2 {
			if got := picture(billsOf(t, test.lists, nil)); got != test.want {
				t.Errorf("%s: %s, want %s", name, got, test.want)
			}
			slices.Reverse(test.lists)
		}
	}
}

func TestMarksOfBills(t *testing.T) {
	list := openList("xero", 5, open("1", "Cloudhost", 1, 5000), open("C", "Cloudhost", 2, -1000),
		open("2", "Cloudhost", 3, 700))
	key := func(i int) string { return bookrules.Receivable{OpenItem: list.Items[i]}.ItemKey() }
	for name, test := range map[string]struct {
		marks map[string]bookrules.Mark
		want  string
	}{
		"none":                  {nil, "1 4000, 2 700"},
		"paid":                  {map[string]bookrules.Mark{key(0): bookrules.MarkedPaid}, "1 0 paid"},
		"disputed":              {map[string]bookrules.Mark{key(0): bookrules.MarkedDisputed}, "1 5000 disputed"},
		"a credit that is used": {map[string]bookrules.Mark{key(1): bookrules.MarkedPaid}, "1 5000, 2 700, C 0 paid"},
	} {
		if got := picture(billsOf(t, []bookrules.OpenList{list}, test.marks)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestAnAnswerSettlesABillOfAnotherCurrency(t *testing.T) {
	item := open("E-7", "Drukkerij Haven", 3, 9900)
	item.Currency = "EUR"
	list := openList("xero", 5, item)
	payment := paid("p", 6, "Drukkerij Haven", "", 10800)
	for answer, want := range map[string]string{
		bookrules.Receivable{OpenItem: item}.ItemKey(): "E-7 0 on 06", "": "E-7 9900",
	} {
		found, err := bookrules.OpenBills(nil, []bookrules.OpenList{list}, []bookrules.Payment{payment},
			map[string]string{"p": answer}, nil)

		if got := picture(found); err != nil || got != want || len(found.Questions) > 0 {
			t.Errorf("%q: %s, %+v, %v", answer, got, found.Questions, err)
		}
	}
}

func TestABillThatTheListHasNoMoreIsPaidOnTheDayOfItsPayment(t *testing.T) {
	lists := []bookrules.OpenList{
		openList("xero", 1, open("77", "Cloudhost", 1, 5000)), openList("xero", 9, open("88", "Cloudhost", 2, 5000)),
		openList("e-invoice 99", 2, open("99", "Cloudhost", 3, 5000)),
	}

	found := billsOf(t, lists, nil, paid("p", 4, "Cloudhost", "77", 5000))

	// The payment names the bill that it pays, so nobody asks about the others.
	if got := picture(found); got != "88 5000, 99 5000, 77 0 on 04" || len(found.Questions) > 0 ||
		found.All[2].PaidBy != "p" {
		t.Errorf("%s, %+v", got, found.Questions)
	}
}

// Whatever the order of lists and payments, a bill counts once, and what is left of it is what it
// was less credits and payments.
func TestBillsAddUpInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vendors := []string{"Cloudhost", "CLOUDHOST INC", "Harbor Print", "Jo"}
		item := rapid.Custom(func(t *rapid.T) bank.OpenItem {
			i := open(fmt.Sprint("A", rapid.IntRange(0, 5).Draw(t, "number")), rapid.SampledFrom(vendors).Draw(t, "vendor"),
				rapid.IntRange(1, 9).Draw(t, "issued"), rapid.Int64Range(-80, 300).Draw(t, "due"))
			if i.Minor == 0 {
				i.Minor = 1
			}
			return i
		})
		var lists []bookrules.OpenList
		for n := range rapid.IntRange(1, 5).Draw(t, "lists") {
			source := rapid.SampledFrom([]string{"xero", "csv", fmt.Sprint("e-invoice ", n)}).Draw(t, "source")
			lists = append(lists, openList(source, n+1, rapid.SliceOfN(item, 0, 4).Draw(t, "items")...))
		}
		var payments []bookrules.Payment
		for i := range rapid.IntRange(0, 6).Draw(t, "payments") {
			payments = append(payments, paid(fmt.Sprint("p", i), rapid.IntRange(1, 12).Draw(t, "day"),
				rapid.SampledFrom(vendors).Draw(t, "payee"), rapid.SampledFrom([]string{"A0", "A1 A2", "A3", ""}).Draw(t, "text"),
				rapid.Int64Range(1, 300).Draw(t, "paid")))
		}

		found := billsOf(t, lists, nil, payments...)
		again := billsOf(t, rapid.Permutation(lists).Draw(t, "order"), nil,
			rapid.Permutation(payments).Draw(t, "payments")...)

		if picture(found) != picture(again) {
			t.Fatalf("bills are %s, then %s", picture(found), picture(again))
		}
		newest := map[string]bookrules.OpenList{}
		for _, l := range lists {
			if l.AsOf > newest[l.Source].AsOf {
				newest[l.Source] = l
			}
		}
		most := map[string]int64{} // by number: what the newest lists have
		for _, l := range newest {
			for _, i := range l.Items {
				most[i.Number] += max(i.Minor, 0)
			}
		}
		for _, b := range found.All {
			if most[b.Number] -= b.Minor; b.Minor < 0 || most[b.Number] < 0 {
				t.Fatalf("%s counts more than once: %s", b.Number, picture(found))
			}
		}
	})
}

func TestBillsAreFoundByNumberAndVendor(t *testing.T) {
	lists := []bookrules.OpenList{openList("xero", 5, open("A-1", "Cloudhost", 1, 1), open("A-1", "Harbor", 1, 1),
		open("", "Jo", 1, 1), open("C-2", "Jo", 1, -1))}
	for text, want := range map[string]int{"a1": 2, "A-1 Harbor": 1, "Jo": 1, "c-2": 1, "A": 0, "": 0} {
		if got := bookrules.FindBills(lists, text); len(got) != want {
			t.Errorf("%q is %+v", text, got)
		}
	}
}
