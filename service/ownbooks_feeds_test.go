package service_test

import (
	"net/url"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
)

func TestTheBurnOfOwnBooksAddsUpFilesAndAManagedAccount(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", "account:read", "payments:read")
	f.importFiles(a, year.source())
	b, err := f.service.Books(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	reading := `{"account":"4455660731","currency":"USD","bank":"Mercury","from":"2026-01-01","to":"2026-11-22",` +
		`"closing":"5000.00","closing_date":"2026-11-22"}` + "\n"
	for _, line := range monthly(1, 11, "-500.00", "Payroll") {
		parts := strings.Fields(line)
		reading += `{"account":"4455660731","date":"` + parts[0] + `","amount":"` + parts[1] + `","currency":"USD",` +
			`"description":"` + parts[2] + `","id":"` + parts[0] + `"}` + "\n"
	}

	_, err = b.Import(t.Context(), []bookkeeping.Source{textFile("mercury", reading)}, bookkeeping.Options{
		Feed: &bookkeeping.Feed{Connection: "con_1", Provider: "mercury", Title: "Mercury", OwnFeed: true},
	})

	if err != nil {
		t.Fatal(err)
	}
	got := f.ownCash(a)
	if got.Burn != 150000 || got.Cash != 1500000 || !got.Sufficient || !strings.HasPrefix(got.RunwayNote,
		"About 10.0 months at the average net burn of the 3 full months 2026-08 to 2026-10.") {
		t.Errorf("the position is %+v", got)
	}
	sources := map[string]int{}
	for _, row := range f.all(a, url.Values{}) {
		sources[row.Source]++
	}
	if sources["svc"] != 11 || sources["linked_bank"] != 11 {
		t.Errorf("transactions by source are %v", sources)
	}
}
