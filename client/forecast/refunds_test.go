package forecast_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
)

func TestARefundReducesTheOtherCosts(t *testing.T) {
	refund := row(civil.New(2026, 11, 10), "vendor 3", 26_00)
	refund.Memo = "refund"
	f := estimated(t, ledger(append(sample(), refund)), nil)
	if w := f.Weeks[0]; w.AverageIn != 100_00 || w.AverageOut != 51_00 {
		t.Errorf("average in %d, out %d", w.AverageIn, w.AverageOut)
	}
	if b := f.Basis; b.In != 2600_00 || b.Out != 26*52_00+6*1000_00-26_00 {
		t.Errorf("%+v", b)
	}
}

func TestRefundsAboveTheOtherCostsMakeNone(t *testing.T) {
	var rows []apiclient.Transaction
	for _, r := range sample() {
		if r.Direction == apiclient.Inflow || r.CounterpartyName == "Rent" {
			rows = append(rows, r)
		}
	}
	refund := row(civil.New(2026, 11, 10), "Rent", 1000_00)
	refund.Memo = "refund"
	f := estimated(t, ledger(append(rows, refund)), nil)
	if w := f.Weeks[0]; w.AverageOut != 0 || w.Out != 0 {
		t.Errorf("average out %d, out %d", w.AverageOut, w.Out)
	}
}

func TestMoneyThatComesOnceIsNotRepeated(t *testing.T) {
	once := row(civil.New(2026, 10, 10), "State Treasury", 52_000_00)
	once.Category = ownbooks.TaxRefund
	f := estimated(t, ledger(append(sample(), once)), nil)
	if w := f.Weeks[0]; w.In != 100_00 {
		t.Errorf("money in is %d", w.In)
	}
	if f.Basis.In != 2600_00 {
		t.Errorf("the basis has %d in", f.Basis.In)
	}
}
