package plain_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/plain"
)

// billing is a client of a server that has bills.
type billing struct {
	plain.Client
	bills apiclient.Bills
}

func (b billing) Bills(context.Context) (*apiclient.Bills, error) { return &b.bills, nil }

// withBills returns a client with a bill that is past due, one that may be paid already, and one
// that is disputed.
func withBills(client plain.Client) billing {
	bill := func(number, vendor string, days int, cents int64) apiclient.Bill {
		return apiclient.Bill{
			Number: number, VendorName: vendor, State: apiclient.BillOpen, DueOn: civil.Of(time.Now()).AddDays(days),
			Open: apiclient.NewAmount(cents, "USD"), Reporting: apiclient.NewAmount(cents, "USD"),
		}
	}
	all := []apiclient.Bill{
		bill("7741", "Harbor Print", -12, 100_000_00), bill("2026-118", "Cloudhost", 4, 1000_00),
		bill("D-1", "Harbor Print", 9, 99_00),
	}
	all[1].MayBePaid, all[2].State = true, apiclient.BillDisputed
	return billing{client, apiclient.Bills{Kept: true, Known: true, Currency: "USD", All: all}}
}

func TestBillsAreSaidInWords(t *testing.T) {
	server := serve(t).client

	text := talk{client: withBills(server)}.say(t, "bills", "bills due", "bills Harbor", "open 1", "2", "forecast",
		"open 1")

	inOrder(t, text,
		`To pay at most \$101,000\.00: past due \$100,000\.00, due within 7 days at most \$1,000\.00\.`,
		`1 disputed bill not included\.`, `1 bill of \$1,000\.00 may be paid already`,
		`By vendor, those past due first:`, `1: Harbor Print, \$100,000\.00, past due`,
		`1: Harbor Print, 7741, \$100,000\.00, due .*, 12 days past due\.`,
		`2: Cloudhost, 2026-118, \$1,000\.00, due .*, may be paid already\.`, `1: Harbor Print, 7741`,
		`Bill: 7741\.`, `Days past due: 12`, `months after \$100,000\.00 past due to vendors\.`,
		`1: week 1, .*including bills of at most \$101,000\.00, cash `, `2 bills of at most \$101,000\.00 are in the weeks`,
		`bill 7741 of Harbor Print, `)

	none := talk{client: server}.say(t, "bills", "2", "forecast")
	inOrder(t, none, `No bills were imported|This server keeps no bills`, `week 1, until`)
	if strings.Contains(none, "including bills") || strings.Contains(none, "past due to vendors") {
		t.Errorf("bills are said where none are known:\n%s", none)
	}
	masked := afterMask(t, talk{client: withBills(server)}.say(t, "mask", "bills", "2", "forecast", "open 1"))
	if strings.Contains(masked, "$") || strings.Contains(masked, "past due to vendors") {
		t.Errorf("masked:\n%s", masked)
	}
}
