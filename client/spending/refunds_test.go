package spending_test

import (
	"slices"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// costAndIncome returns what was paid to a counterparty in October 2026 and what was received from
// it, in minor units.
func costAndIncome(l *spending.Ledger, name string) (out, in int64) {
	month := civil.New(2026, 10, 1)
	for _, c := range l.Counterparties(apiclient.Outflow, month, 1) {
		if c.Name == name {
			out = c.Total.Minor
		}
	}
	for _, c := range l.Counterparties(apiclient.Inflow, month, 1) {
		if c.Name == name {
			in = c.Total.Minor
		}
	}
	return out, in
}

func TestMoneyBackReducesTheVendorsCostOnlyWithEvidence(t *testing.T) {
	paid := row("2026-10-03", "Kestrel CRM", -500_00, "Licenses")
	for _, c := range []struct {
		name    string
		rows    []apiclient.Transaction
		out, in int64
	}{
		{"a word", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 120_00, "Refund of 2 seats")}, 380_00, 0},
		{"a German word", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 120_00, "RÜCKERSTATTUNG 4711")},
			380_00, 0},
		{"a word in the name", []apiclient.Transaction{row("2026-10-20", "KESTREL CRM REFUND", 120_00, "")}, 380_00, 0},
		{"an equal earlier payment", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 500_00, "")}, 0, 0},
		{"neither", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 120_00, "")}, 500_00, 120_00},
		{"not refundable", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 120_00, "Non-refundable deposit")},
			500_00, 120_00},
		{"more than was paid", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 500_01, "Refund")}, 500_00, 500_01},
		{"more than was paid in two parts", []apiclient.Transaction{
			row("2026-10-20", "Kestrel CRM", 400_00, "Refund"), row("2026-10-21", "Kestrel CRM", 200_00, "Refund"),
		}, 100_00, 200_00},
		{"before the payment", []apiclient.Transaction{row("2026-10-02", "Kestrel CRM", 500_00, "")}, 500_00, 500_00},
		{"from a customer", []apiclient.Transaction{
			row("2026-10-20", "Kestrel CRM", 120_00, "Refund"), row("2026-08-20", "Kestrel CRM", 9_000_00, "INV-7"),
		}, 500_00, 120_00},
		{"from who pays each month", []apiclient.Transaction{
			row("2026-10-20", "Kestrel CRM", 120_00, "Refund"), row("2026-09-20", "Kestrel CRM", 120_00, "Refund"),
			row("2026-08-20", "Kestrel CRM", 120_00, "Refund"), row("2026-07-20", "Kestrel CRM", 120_00, "Refund"),
			row("2026-06-20", "Kestrel CRM", 120_00, "Refund"), row("2026-05-20", "Kestrel CRM", 120_00, "Refund"),
			row("2026-04-03", "Kestrel CRM", -5_000_00, "Setup"),
		}, 500_00, 120_00},
		{"an own transfer", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 500_00, "own")}, 500_00, 0},
		{"from another", []apiclient.Transaction{row("2026-10-20", "Kestrel CRM Fund", 500_00, "Refund")}, 500_00, 0},
	} {
		out, in := costAndIncome(ledger(append(slices.Clone(c.rows), paid)...), "Kestrel CRM")
		if out != c.out || in != c.in {
			t.Errorf("%s: cost %d and income %d, want %d and %d", c.name, out, in, c.out, c.in)
		}
	}
}

func TestAnEqualPaymentOfOver180DaysBeforeIsNoEvidenceOfARefund(t *testing.T) {
	for day, in := range map[string]int64{"2026-04-23": 0, "2026-04-22": 500_00} {
		l := ledger(row(day, "Kestrel CRM", -500_00, ""), row("2026-10-20", "Kestrel CRM", 500_00, ""))
		if _, got := costAndIncome(l, "Kestrel CRM"); got != in {
			t.Errorf("paid on %s: income is %d", day, got)
		}
	}
}

func TestOnePaymentIsRefundedOnce(t *testing.T) {
	l := ledger(row("2026-10-03", "Kestrel CRM", -500_00, ""), row("2026-10-20", "Kestrel CRM", 500_00, ""),
		row("2026-10-21", "Kestrel CRM", 500_00, ""), row("2026-10-04", "Kestrel CRM", -80_00, ""))
	if out, in := costAndIncome(l, "Kestrel CRM"); out != 80_00 || in != 500_00 {
		t.Errorf("cost %d, income %d", out, in)
	}
}

func TestARefundCountsOnceItsPaymentIsRead(t *testing.T) {
	refund := spending.NewLedger([]apiclient.Transaction{row("2026-10-20", "Kestrel CRM", 500_00, "")}, nil, nil)
	payment := spending.NewLedger([]apiclient.Transaction{row("2026-09-20", "Kestrel CRM", -500_00, "")}, nil, nil)
	if _, in := costAndIncome(refund, "Kestrel CRM"); in != 500_00 {
		t.Errorf("without its payment, income is %d", in)
	}
	joined := spending.Join("USD", [][]spending.Row{refund.Rows, payment.Rows})
	if out, in := costAndIncome(joined, "Kestrel CRM"); out != -500_00 || in != 0 {
		t.Errorf("cost %d, income %d", out, in)
	}
	if _, in := costAndIncome(spending.Join("USD", [][]spending.Row{joined.Rows[:1]}), "Kestrel CRM"); in != 500_00 {
		t.Errorf("after the payment was undone, income is %d", in)
	}
}

func TestARefundIsInTheCategoryOfItsPayment(t *testing.T) {
	l := ledger(row("2026-10-03", "Kestrel CRM", -500_00, "Software"), row("2026-10-20", "Kestrel CRM", 120_00, "Refund"))
	all := l.Categories(apiclient.Outflow, civil.New(2026, 10, 1), 1, func(t *apiclient.Transaction) string {
		if t.Direction == apiclient.Outflow {
			return "Software"
		}
		return "Sales"
	})
	if len(all) != 1 || all[0].Name != "Software" || all[0].Total.Minor != 380_00 {
		t.Errorf("%+v", all)
	}
}

func TestTotalsWithRefundsStillAddUpToTheServers(t *testing.T) {
	l := ledger(row("2026-10-03", "Kestrel CRM", -500_00, ""), row("2026-10-20", "Kestrel CRM", 120_00, "Refund"),
		row("2026-10-21", "Customer", 900_00, ""))
	month := civil.New(2026, 10, 1)
	out, in := l.Totals(apiclient.Outflow, month, month), l.Totals(apiclient.Inflow, month, month)
	if out.Operating.Minor != 380_00 || out.Refunds.Minor != 120_00 || out.All.Minor != 500_00 || out.Rows != 1 {
		t.Errorf("money out: %+v", out)
	}
	if in.Operating.Minor != 900_00 || in.Refunds.Minor != 120_00 || in.All.Minor != 1_020_00 || in.Rows != 2 {
		t.Errorf("money in: %+v", in)
	}
}

func TestARefundAboveTheMonthsCostLeavesTheOtherSharesKnown(t *testing.T) {
	l := ledger(row("2026-09-03", "Kestrel CRM", -500_00, ""), row("2026-10-20", "Kestrel CRM", 500_00, "Refund"),
		row("2026-10-21", "Rent", -300_00, ""), row("2026-10-21", "Cloud", -100_00, ""))
	all := l.Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 1)
	if len(all) != 3 || all[0].Share.Tenths != 750 || all[1].Share.Tenths != 250 || all[2].Share.Known {
		t.Errorf("%+v", all)
	}
	if c := all[2]; c.Total.Minor != -500_00 || c.Before.Minor != 500_00 {
		t.Errorf("%+v", c)
	}
}

func TestARefundIsNeitherARecurringPaymentNorATransfer(t *testing.T) {
	var rows []apiclient.Transaction
	for _, month := range []string{"05", "06", "07", "08", "09", "10"} {
		rows = append(rows, row("2026-"+month+"-05", "Kestrel CRM", -2_000_00, ""))
	}
	rows = append(rows, row("2026-10-08", "Kestrel CRM", 2_000_00, ""))
	l := ledger(rows...)
	if pairs := l.SuspectedTransfers(func(civil.Date) bool { return true }); len(pairs) > 0 {
		t.Errorf("suspected: %+v", pairs)
	}
	if all := l.Recurring(civil.New(2026, 10, 20)); len(all) != 1 || len(all[0].Payments) != 6 {
		t.Errorf("recurring: %+v", all)
	}
}
