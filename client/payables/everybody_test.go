package payables_test

import (
	"testing"

	"tarmac/apiclient"
)

func TestVendorsAreOrderedByWhenTheyMustBePaid(t *testing.T) {
	paid := bill("P", "Cloudhost", "2026-09-01", 0)
	paid.State = apiclient.BillPaid
	disputed := bill("D", "Old Landlord", "2026-08-01", 77)
	disputed.State = apiclient.BillDisputed
	p := of(bill("3", "Cloudhost", "2026-10-27", 400), bill("1", "Harbor Print Inc.", "2026-10-19", 100),
		bill("6", "Jo", "", 3200), bill("5", "HARBOR PRINT", "2026-12-01", 1600), paid, disputed)

	got := ""
	for _, v := range p.Everybody() {
		got += v.Name + " " + v.Total.String() + " " + p.DueTo(&v, 7).String() + ":"
		for _, b := range v.Bills {
			got += " " + b.Number
		}
		for _, b := range v.Closed {
			got += " " + b.Number + "/" + string(b.State)
		}
		got += "\n"
	}
	want := "Harbor Print Inc. $17.00 $0.00: 1 5\nJo $32.00 $32.00: 6\nCloudhost $4.00 $4.00: 3 P/paid\n" +
		"Old Landlord $0.00 $0.00: D/disputed\n"
	if got != want {
		t.Errorf("the vendors are\n%snot\n%s", got, want)
	}
}

func TestTheSentenceAboutBills(t *testing.T) {
	for want, p := range map[string]string{
		"To pay $1: nothing is past due, nothing is due within 7 days.": "2026-12-01",
		"To pay $1: $1 is past due, nothing is due within 7 days.":      "2026-10-01",
		"To pay $1: nothing is past due, $1 is due within 7 days.":      "2026-10-27",
	} {
		if got := of(bill("1", "Jo", p, 100)).Text(); got != want {
			t.Errorf("due %s: %q, want %q", p, got, want)
		}
	}
	if got := of().Text(); got != "" {
		t.Errorf("no bills: %q", got)
	}
}
