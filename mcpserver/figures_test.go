package mcpserver_test

import (
	"regexp"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/assistant"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

type arguments map[string]any

// same fails the test if an amount is not the number of cents.
func same(t *testing.T, what string, got assistant.Amount, want int64) {
	t.Helper()
	if got.Cents == nil || *got.Cents != want {
		t.Errorf("%s is %v %q, want %d", what, got.Cents, got.Text, want)
	}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestTransactionsAreThoseOfTheAPI(t *testing.T) {
	client := generated(t).honest(t)
	session := connect(t, options(client), nil)
	october := apiclient.TransactionQuery{From: civil.New(2026, 10, 1), To: civil.New(2026, 10, 31), Limit: 5}
	wanted := arguments{"period": "last month", "limit": 5}

	for pages := 0; ; pages++ {
		got := ask[assistant.Transactions](t, session, "transactions", wanted)
		page := must[*apiclient.TransactionPage](t)(client.TransactionPage(t.Context(), october))
		same(t, "money in", got.MoneyIn, page.Summary.InflowMinor)
		same(t, "money out", got.MoneyOut, page.Summary.OutflowMinor)
		same(t, "net", got.Net, page.Summary.NetMinor)
		if got.Count != page.Summary.Count || *got.FirstDay != "2026-10-01" || *got.LastDay != "2026-10-31" {
			t.Errorf("%d transactions from %s to %s, want %d", got.Count, *got.FirstDay, *got.LastDay, page.Summary.Count)
		}
		if len(got.Rows) != len(page.Data) {
			t.Fatalf("%d rows, want %d", len(got.Rows), len(page.Data))
		}
		for i, row := range page.Data {
			minor, _ := row.Amount.Minor()
			same(t, row.ID, got.Rows[i].Amount, minor)
			if got.Rows[i].ID != row.ID || got.Rows[i].Counterparty.Text != row.CounterpartyName {
				t.Errorf("row %d is %s of %s", i, got.Rows[i].ID, got.Rows[i].Counterparty.Text)
			}
		}
		if got.NextCursor == nil {
			if page.NextCursor != "" || pages < 2 {
				t.Errorf("%d pages were read, and the cursor is %q", pages+1, page.NextCursor)
			}
			return
		}
		wanted["cursor"], october.Cursor = *got.NextCursor, page.NextCursor
	}
}

func TestInvoicesAndEventsAreThoseOfTheAPI(t *testing.T) {
	client := generated(t).honest(t)
	session := connect(t, options(client), nil)

	list := ask[assistant.Invoices](t, session, "invoices", arguments{"status": "sent", "limit": 10})
	one := ask[assistant.Invoice](t, session, "invoice", arguments{"id": list.Invoices[3].ID})
	events := ask[assistant.Events](t, session, "events", arguments{"types": []string{"invoice.paid"}, "limit": 7})

	invoices := must[[]apiclient.Invoice](t)(client.Invoices(t.Context(),
		apiclient.InvoiceFilter{Status: apiclient.InvoiceSent, Limit: 10}))
	page := must[*apiclient.EventPage](t)(client.EventPage(t.Context(),
		apiclient.EventQuery{Types: []apiclient.EventType{apiclient.EventInvoicePaid}, Limit: 7}))
	for i, invoice := range invoices {
		total, _ := invoice.Total.Minor()
		same(t, invoice.Number, list.Invoices[i].Total, total)
		if list.Invoices[i].ID != invoice.ID || list.Invoices[i].Number.Text != invoice.Number {
			t.Errorf("invoice %d is %s", i, list.Invoices[i].ID)
		}
	}
	if one.ID != invoices[3].ID || one.Customer.Text != invoices[3].RecipientName || list.Note == "" {
		t.Errorf("the invoice is %+v, and the list's note %q", one, list.Note)
	}
	for i, event := range page.Data {
		if events.Events[i].ID != event.ID || !events.Events[i].OccurredAt.Equal(event.OccurredAt) {
			t.Errorf("event %d is %+v, want %s", i, events.Events[i], event.ID)
		}
	}
	if len(page.Data) != 7 || events.NextCursor == nil || *events.NextCursor != page.NextCursor {
		t.Errorf("%d events, next %v, want %s", len(page.Data), events.NextCursor, page.NextCursor)
	}
}

// sameCounterparty fails the test if a counterparty is not the one that the dashboard shows.
func sameCounterparty(t *testing.T, got assistant.Counterparty, want spending.Counterparty) {
	t.Helper()
	same(t, want.Name, got.Total, want.Total.Minor)
	same(t, want.Name+" before", got.Before, want.Before.Minor)
	same(t, want.Name+" a month", got.MonthlyAverage, want.Average().Minor)
	if change := want.Change(); !change.Unknown {
		same(t, want.Name+" change", got.Change, change.Minor)
	} else if got.Change.Cents != nil || got.Change.Reason == "" {
		t.Errorf("%s has the change %+v, want none", want.Name, got.Change)
	}
	if got.Name.Text != want.Name || got.Payments != len(want.Rows) || *got.SharePercent != float64(want.Share.Tenths)/10 {
		t.Errorf("%s is %+v, want %d payments and %s", want.Name, got, len(want.Rows), want.Share)
	}
}

// The money out of all counterparties, own transfers and financing included, is that of the API.
func TestSpendAndForecastAreThoseOfTheHistory(t *testing.T) {
	client := generated(t).honest(t)
	session := connect(t, options(client), nil)
	today := civil.Of(noon)

	spend := ask[assistant.Spend](t, session, "spend", arguments{"months": 2, "limit": 5})
	estimate := ask[assistant.Forecast](t, session, "forecast", arguments{"weeks": 4})

	reader := history.NewReader()
	reader.ReadAll(history.Span(today))
	for step := reader.Next(); step != nil; step = reader.Next() {
		reader.Apply(step(t.Context(), client))
	}
	totals := reader.Ledger().Totals(apiclient.Outflow, civil.New(2026, 9, 1), civil.New(2026, 10, 1))
	same(t, "spend", spend.Total, totals.Operating.Minor)
	sum := *spend.Others.Cents
	all := reader.Ledger().Counterparties(apiclient.Outflow, civil.New(2026, 10, 1), 2)
	for i, c := range spend.Counterparties {
		sum += *c.Total.Cents
		sameCounterparty(t, c, all[i])
	}
	if spend.OthersCount != len(all)-5 {
		t.Errorf("%d others, want %d", spend.OthersCount, len(all)-5)
	}
	if sum != totals.Operating.Minor || len(spend.Counterparties) != 5 || spend.FirstMonth != "2026-09" {
		t.Errorf("%d counterparties since %s and the others are %d, want %d", len(spend.Counterparties), spend.FirstMonth,
			sum, totals.Operating.Minor)
	}
	cash := must[*apiclient.CashPosition](t)(client.CashPosition(t.Context()))
	invoices := must[collections.List](t)(collections.Read(t.Context(), client))
	want := must[*forecast.Forecast](t)(forecast.New(reader.Ledger(), invoices, cash, today))
	if len(estimate.Weeks) != 4 || estimate.Kind != "estimate" || len(estimate.Basis) < 3 {
		t.Fatalf("%d weeks, %q, basis %q", len(estimate.Weeks), estimate.Kind, estimate.Basis)
	}
	same(t, "median miss", estimate.MedianMiss, want.MedianMiss().Minor)
	for i, week := range estimate.Weeks {
		same(t, "net", week.Net, want.Weeks[i].Net())
		if week.FirstDay != want.Weeks[i].First.String() || week.LastDay != want.Weeks[i].Last.String() {
			t.Errorf("week %d is %s to %s", i, week.FirstDay, week.LastDay)
		}
		same(t, "money in", week.MoneyIn, want.Weeks[i].In)
		same(t, "money out", week.MoneyOut, want.Weeks[i].Out)
		same(t, "cash", week.Cash, want.Weeks[i].Cash.Minor)
		same(t, "band", week.WorstMiss, want.Weeks[i].Band)
	}
	same(t, "start", estimate.StartCash, want.Start.Minor)
	last := want.Figures(len(want.Weeks) - 1)
	sentence := regexp.MustCompile(`^Estimate: \$\d[\d.]*[kM] ±\$\d[\d.]*[kM] on (\S+) \(\d+ tests on the past\)\.`)
	if said := sentence.FindStringSubmatch(estimate.Sentence); said == nil || last.Band.Unknown ||
		said[1] != want.Weeks[len(want.Weeks)-1].Last.String() {
		t.Errorf("the forecast says %q", estimate.Sentence)
	}
}
