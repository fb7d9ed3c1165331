package payables_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-10-20")

// bill returns an open bill that is due on a day; "" is on receipt.
func bill(number, vendor, due string, cents int64) apiclient.Bill {
	b := apiclient.Bill{
		Number: number, VendorName: vendor, State: apiclient.BillOpen, Open: apiclient.NewAmount(cents, "USD"),
		Reporting: apiclient.NewAmount(cents, "USD"),
	}
	if due != "" {
		b.DueOn = civil.MustParse(due)
	}
	return b
}

func of(bills ...apiclient.Bill) *payables.Payables {
	return payables.Of(&apiclient.Bills{Kept: true, Known: true, Currency: "USD", All: bills}, today)
}

func TestBillsAreSummedByWhenTheyAreDue(t *testing.T) {
	disputed := bill("D", "Jo", "2026-10-01", 77)
	disputed.State = apiclient.BillDisputed
	paid := bill("P", "Jo", "2026-10-01", 0)
	paid.State = apiclient.BillPaid
	p := of(bill("1", "Harbor Print Inc.", "2026-10-19", 100), bill("2", "Cloudhost", "2026-10-20", 200),
		bill("3", "Cloudhost", "2026-10-27", 400), bill("4", "Cloudhost", "2026-10-28", 800),
		bill("5", "HARBOR PRINT", "2026-08-01", 1600), bill("6", "Jo", "", 3200), disputed, paid)

	want := "$63.00 $17.00 $38.00 [$46.00 $1.00 $0.00 $16.00 $0.00]"
	if got := fmt.Sprint(p.Total, p.PastDue, p.Due(7), p.Buckets); got != want {
		t.Errorf("sums are %s, want %s", got, want)
	}
	var vendors []string
	for _, v := range p.Vendors {
		vendors = append(vendors, fmt.Sprint(v.Name, " ", v.Total, " ", v.PastDue, " ", len(v.Bills)))
	}
	want = "HARBOR PRINT $17.00 $17.00 2, Jo $32.00 $0.00 1, Cloudhost $14.00 $0.00 3"
	if got := strings.Join(vendors, ", "); got != want {
		t.Errorf("vendors are %s, want %s", got, want)
	}
	if len(p.Disputed) != 1 || len(p.Paid) != 1 || len(payables.OfVendor(p.Open, "cloud")) != 3 {
		t.Errorf("payables are %+v", p)
	}
}

func TestSumsOfBillsSayWhatTheyDoNotKnow(t *testing.T) {
	asked := bill("1", "Jo", "", 400000)
	asked.MayBePaid = true
	foreign := bill("2", "Jo", "", 0)
	foreign.Reporting = apiclient.UnknownAmount("USD")
	for name, test := range map[string]struct {
		payables *payables.Payables
		text     string
		mark     figures.Mark
		why      string
	}{
		"may be paid": {of(asked, bill("3", "Jo", "", 100)), "≤$4,001.00", figures.AtMost,
			"1 bill of $4,000.00 may be paid already; `tarmac books questions` asks."},
		"no rate": {of(foreign, bill("3", "Jo", "", 100)), "~$1.00", figures.Partial,
			"1 bill without a USD rate not counted."},
		"no rates": {of(foreign), "—", figures.NoMark, "1 bill without a USD rate not counted."},
		"nothing":  {of(), "$0.00", figures.NoMark, ""},
		"not kept": {payables.Of(&apiclient.Bills{}, today), "—", figures.NoMark, payables.NotKept},
		"no list":  {payables.Of(&apiclient.Bills{Kept: true}, today), "—", figures.NoMark, payables.NoList},
		"left out": {payables.Of(&apiclient.Bills{Kept: true, Known: true, Currency: "USD", Omitted: 2,
			All: []apiclient.Bill{bill("3", "Jo", "", 100)}}, today), "~$1.00", figures.Partial,
			"2 bills more than the server sends not counted."},
	} {
		if got := test.payables.Total; got.String() != test.text || got.Mark() != test.mark || got.Why() != test.why {
			t.Errorf("%s: %s, %d, %q", name, got, got.Mark(), got.Why())
		}
	}
}
