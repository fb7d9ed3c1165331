package bankfiles_test

import (
	"io"
	"reflect"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/openitems"
)

func TestOpenItemsAreReadBack(t *testing.T) {
	want := []bank.OpenItem{
		{
			Number: "INV-000123", Party: `Søndergaard, "Sønner" & Co`, Issued: civil.MustParse("2026-09-01"),
			Due: civil.MustParse("2026-10-01"), Currency: "USD", Minor: 1_234_50,
		},
		{Number: "INV-000124", Party: "株式会社みどり", Issued: written, Currency: "EUR", Minor: 7_00},
	}

	found := readBack(t, openitems.Format(), func(w io.Writer) error {
		return bankfiles.OpenItems(w, "Northlight Labs", written, want)
	})

	if len(found.Lists) != 1 || found.Lists[0].AsOf != written {
		t.Errorf("the lists are %+v, want one as of %v", found.Lists, written)
	}
	for i := range found.OpenItems {
		found.OpenItems[i].Place = 0
	}
	if !reflect.DeepEqual(found.OpenItems, want) {
		t.Errorf("the items are %+v, want %+v", found.OpenItems, want)
	}
}
