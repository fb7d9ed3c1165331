package export_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/figures"
	"tarmac/client/record"
)

// things are records with every kind of field. The second has only missing values.
func things() []record.Object {
	at, tries := time.Date(2026, 10, 5, 14, 2, 0, 0, time.FixedZone("", 3600)), int64(3000)
	return []record.Object{
		{
			record.Text("name", "", "=1+1"),
			{Name: "total_cents", Kind: record.KindAmount, Amount: apiclient.NewAmount(123456, "USD")},
			record.Count("tries", "", &tries), record.Time("sent_at", "", &at), record.Flag("seen", "", true),
		},
		{
			record.Null("name"), {Name: "total_cents", Kind: record.KindAmount}, record.Count("tries", "", nil),
			record.Time("sent_at", "", nil), record.Flag("seen", "", false),
		},
	}
}

func written(t *testing.T, name string, sample record.Object, records []record.Object) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if at, err := export.Write(t.Context(), path, sample, records); err != nil || at != path {
		t.Fatalf("%s: %s, %v", name, at, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRecordsAreWrittenInBothFormats(t *testing.T) {
	for name, want := range map[string]string{
		"a.csv": "name,total_cents,total,tries,sent_at,seen,currency\r\n'=1+1,123456,1234.56,3000,2026-10-05T13:02:00Z," +
			"true,USD\r\n,—,—,,,false,USD\r\n",
		"a.json": "[\n" + `{"name":"=1+1","total_cents":123456,"tries":3000,"sent_at":"2026-10-05T13:02:00Z","seen":true},` +
			"\n" +
			`{"name":null,"total_cents":null,"tries":null,"sent_at":null,"seen":false}` + "\n]\n",
	} {
		if got := written(t, name, things()[0], things()); got != want {
			t.Errorf("%s holds\n%s\nnot\n%s", name, got, want)
		}
	}
}

// Event data is on one line and contains neither formulas nor characters that affect a
// terminal.
func TestDataOfAnEventIsVisibleAndNoFormula(t *testing.T) {
	data := func(raw string) string {
		event := record.Event(apiclient.Event{Data: json.RawMessage(raw)})
		text := written(t, "a.csv", record.Event(apiclient.Event{}), []record.Object{event})
		_, row, _ := strings.Cut(text, "\r\n")
		return strings.TrimPrefix(strings.TrimSuffix(row, "\r\n"), ",,0,0001-01-01T00:00:00Z,")
	}
	for raw, want := range map[string]string{
		`{"a": "b,c"}`: `"{""a"":""b,c""}"`, `-1`: `'-1`, "{\"a\":\n\"\u202egnp\"}": `"{""a"":""\u202egnp""}"`, "": "",
	} {
		if got := data(raw); got != want {
			t.Errorf("%s is written as %s, want %s", raw, got, want)
		}
	}
}

// The columns do not depend on the number of rows. An undefined field has a column, but is
// not an amount even if its name ends in cents.
func TestColumnsAreTheSameWithoutRows(t *testing.T) {
	names := "name,total_cents,total,tries,sent_at,seen,currency\r\n"
	if got := written(t, "a.csv", things()[0], nil); got != names {
		t.Errorf("%q, want %q", got, names)
	}
	if got := written(t, "a.json", things()[0], nil); got != "[]\n" {
		t.Errorf("%q", got)
	}
	all := things()
	all[0] = all[0].WithExtra([]apiclient.Field{{Name: "=fee_cents", Value: "12"}})
	want := "name,total_cents,total,tries,sent_at,seen,'=fee_cents,currency\r\n'=1+1,123456,1234.56,3000," +
		"2026-10-05T13:02:00Z,true,12,USD\r\n,—,—,,,false,,USD\r\n"
	if got := written(t, "a.csv", things()[0], all); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAListThatCannotBeWrittenLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	sample := record.Event(apiclient.Event{})
	broken := []record.Object{record.Event(apiclient.Event{Data: json.RawMessage("{")})}
	if at, err := export.Write(t.Context(), filepath.Join(dir, "a.json"), sample, broken); err == nil {
		t.Errorf("it became %s", at)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := export.Write(t.Context(), filepath.Join(dir, "b.csv"), sample, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken: %v", err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := export.Write(over, filepath.Join(dir, "c.csv"), sample, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("one that was left: %v", err)
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the directory holds %q", got)
	}
}

func TestAnAmountIsInMinorAndInWholeUnits(t *testing.T) {
	for _, c := range []struct {
		amount apiclient.Amount
		want   string
	}{
		{apiclient.NewAmount(123_456_789, "USD"), "123456789,1234567.89"},
		{apiclient.NewAmount(-5, "USD"), "-5,-0.05"}, // a number and not a formula
		{apiclient.NewAmount(1500, "JPY"), "1500,1500"},
		{apiclient.NewAmount(1500, "KWD"), "1500,1.500"},
		{apiclient.UnknownAmount("USD"), "—,—"},
	} {
		o := record.Object{record.Text("currency", "", "X"), {Name: "total_cents", Kind: record.KindAmount, Amount: c.amount}}
		want := "currency,total_cents,total\r\nX," + c.want + "\r\n"
		if got := written(t, "a.csv", o, []record.Object{o}); got != want {
			t.Errorf("%v is %q, want %q", c.amount, got, want)
		}
	}
}

// The files have the values of the API and nothing that is derived from them for people.
func TestDerivedFieldsAreInNoFile(t *testing.T) {
	months := apiclient.MonthsOf(120)
	for _, runway := range []*apiclient.Months{nil, &months} {
		position := record.CashPosition(figures.CashOf(&apiclient.CashPosition{
			OrgID: "org_1", Status: "open", CashCents: 500, MonthlyBurnCents: 25, IsBurning: true, Sufficient: true,
			RunwayMonths: runway, RunwayNote: "About 12.0 months.",
		}, figures.Window{}))
		var table, object strings.Builder
		if err := errors.Join(export.WriteCSV(&table, position), position.WriteJSON(&object)); err != nil {
			t.Fatal(err)
		}
		names, _, _ := strings.Cut(table.String(), "\r\n")
		if want := "org_id,status,as_of,cash_cents,cash,monthly_burn_cents,monthly_burn,is_burning,sufficient," +
			"runway_cash_cents,runway_cash,runway_months,runway_note,currency"; names != want {
			t.Errorf("the columns are\n%s\nnot\n%s", names, want)
		}
		for _, name := range []string{"held", "zero_cash", "runway_sentences", "runway_reason"} {
			if strings.Contains(object.String(), name) {
				t.Errorf("JSON has %s: %s", name, object.String())
			}
		}
	}
}
