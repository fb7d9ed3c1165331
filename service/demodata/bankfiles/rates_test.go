package bankfiles_test

import (
	"io"
	"reflect"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/rates"
)

func TestRatesAreReadBack(t *testing.T) {
	want := []bank.Rate{
		{Date: civil.MustParse("2026-09-29"), Currency: "EUR", Numerator: 10_812, Denominator: 10_000},
		{Date: civil.MustParse("2026-09-30"), Currency: "EUR", Numerator: 1, Denominator: 1},
	}

	found := readBack(t, rates.Format(), func(w io.Writer) error { return bankfiles.Rates(w, want) })

	for i := range found.Rates {
		r := &found.Rates[i]
		if i < len(want) && r.Numerator*want[i].Denominator == want[i].Numerator*r.Denominator {
			r.Numerator, r.Denominator = want[i].Numerator, want[i].Denominator
		}
		r.Place = 0
	}
	if !reflect.DeepEqual(found.Rates, want) {
		t.Errorf("the rates are %+v, want %+v", found.Rates, want)
	}
}

func TestRatesAreNotRounded(t *testing.T) {
	third := bank.Rate{Date: civil.MustParse("2026-09-29"), Currency: "EUR", Numerator: 1, Denominator: 3}

	if err := bankfiles.Rates(io.Discard, []bank.Rate{third}); err == nil {
		t.Error("a third was written with four decimals")
	}
}
