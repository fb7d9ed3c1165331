package figures_test

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

func TestNobodyOwesAnythingIsSaidOnlyWhereAListSaysSo(t *testing.T) {
	list := func(source, day string) apiclient.ImportedList {
		return apiclient.ImportedList{Source: source, AsOf: civil.MustParse(day)}
	}
	for name, c := range map[string]struct {
		imported *apiclient.ImportedReceivables
		want     string
		unknown  bool
	}{
		"a server without own books": {nil, "No open receivables: nobody owes anything.", false},
		"own books without a list": {&apiclient.ImportedReceivables{},
			"No list of open invoices was imported. Import one with `tarmac import FILE`: a CSV of", true},
		"an empty list": {&apiclient.ImportedReceivables{Lists: []apiclient.ImportedList{list("xero", "2026-09-30")}},
			"No open receivables: nobody owes anything as of 30 Sep 2026.", false},
		"lists of several sources": {
			&apiclient.ImportedReceivables{Lists: []apiclient.ImportedList{list("a", "2026-11-02"), list("b", "2026-10-01")}},
			"nobody owes anything as of 1 Oct 2026.", false},
	} {
		a := &apiclient.ReceivablesAging{Imported: c.imported}

		got, sums := figures.NoReceivables(a), figures.AgingOf(a)

		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
		if sums.Outstanding.Unknown != c.unknown || sums.Overdue.Unknown != c.unknown {
			t.Errorf("%s: outstanding %v, overdue %v", name, sums.Outstanding, sums.Overdue)
		}
	}
}

func TestInvoicesOfTheServiceAreKnownWithoutAList(t *testing.T) {
	a := &apiclient.ReceivablesAging{
		Currency: "USD",
		Imported: &apiclient.ImportedReceivables{}, Buckets: apiclient.AgingBuckets{CurrentCents: 500},
	}

	if got := figures.AgingOf(a).Outstanding.String(); got != "$5.00" {
		t.Errorf("outstanding %s", got)
	}
}
