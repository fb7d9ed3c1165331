package report_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/payables"
	"tarmac/client/report"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
)

func digestText(t *testing.T, in report.Input, masked bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.NewDigest(in).WriteText(&b, masked); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDigestsAreWhatTheyWere(t *testing.T) {
	for name, in := range cases() {
		text := digestText(t, in, false)
		golden(t, "digest-"+strings.ReplaceAll(name, " ", "-")+".txt", text)
		for line := range strings.SplitSeq(text, "\n") {
			if len([]rune(line)) > report.TextWidth {
				t.Errorf("%s: the line %q is wider than %d", name, line, report.TextWidth)
			}
		}
	}
	golden(t, "digest-masked.txt", digestText(t, company().input(), true))
}

func TestAMaskedDigestHasNoAmounts(t *testing.T) {
	amount := regexp.MustCompile(`[$€]\d|\d,\d{3}\.|\d\.\d months|\d %`)
	if found := amount.FindString(digestText(t, company().input(), true)); found != "" {
		t.Errorf("it shows %q", found)
	}
}

func TestADigestSaysWhatIsAboveTheUsual(t *testing.T) {
	b := newBooks()
	for back := 11; back >= 0; back-- {
		b.add(month(back, 5), "Cloud", -1000_00)
	}
	b.add("2026-11-17", "Cloud", -1099_99) // not a tenth more
	b.add("2026-11-18", "Cloud", -1100_01)
	b.add("2026-11-18", "Newcomer", -50_00)
	b.add("2026-11-10", "Stranger", -9000_00) // before the week
	var out bytes.Buffer
	if err := report.NewDigest(b.input()).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Unusual []struct {
			Name    string `json:"counterparty_name"`
			Amount  int64  `json:"amount_cents"`
			Highest *int64 `json:"highest_before_cents"`
		}
		Week struct {
			Out int64 `json:"outflow_cents"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Unusual) != 2 || got.Unusual[0].Amount != -1100_01 || *got.Unusual[0].Highest != -1000_00 ||
		got.Unusual[1].Name != "Newcomer" || got.Unusual[1].Highest != nil {
		t.Errorf("%+v", got.Unusual)
	}
	if want := int64(1099_99 + 1100_01 + 50_00); got.Week.Out != want {
		t.Errorf("the week's money out is %d, want %d", got.Week.Out, want)
	}
}

// The bank writes the name of a vendor in its own way.
func TestADigestHasABillOrThePaymentThatItReplaces(t *testing.T) {
	b := newBooks()
	for back := 12; back >= 1; back-- {
		b.add(month(back, 24), "CLOUDHOST", -1000_00)
	}
	in := b.input()
	due := civil.Of(sample.Now).AddDays(3)
	in.Bills.Value = payables.Of(&apiclient.Bills{Kept: true, Known: true, Currency: "USD", All: []apiclient.Bill{{
		Number: "7", VendorName: "Cloudhost, Inc.", State: apiclient.BillOpen, DueOn: due,
		Open: apiclient.NewAmount(1100_00, "USD"), Reporting: apiclient.NewAmount(1100_00, "USD"),
	}}}, civil.Of(sample.Now))

	with := report.NewDigest(in).Due
	in.Bills.Value = nil
	without := report.NewDigest(in).Due

	if len(with) != 1 || with[0].Kind != "bill" || len(without) != 1 || without[0].Kind != "recurring" {
		t.Errorf("due are %+v, without the bill %+v", with, without)
	}
}
