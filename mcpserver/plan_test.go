package mcpserver_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"tarmac/client/alerts"
	"tarmac/client/assistant"
	"tarmac/client/plan"
)

// planText is the text of a plan; "" if there is none.
type planText string

func (w planText) Read() (*plan.Plan, string, error) {
	if w == "" {
		return nil, "", fs.ErrNotExist
	}
	p, err := plan.Parse(string(w))
	return p, string(w), err
}

// aPlan is a plan of the generated company.
const aPlan planText = "plan from 2026-09 in USD\nbudget \"Rent\" 20k/month on 1: Harbor Properties\n" +
	"hire \"engineer\" 9k/month from March 2027\nraise \"Seed\" 150M on 2027-06-15, takes 10 weeks\nfloor 10k\n"

func TestThePlanIsHypotheticalAndAMonthAgainstItAddsUp(t *testing.T) {
	session := connect(t, options(generated(t).honest(t)), nil)

	got := ask[assistant.Plan](t, session, "plan", arguments{"month": "last month"})

	if got.Kind != "hypothetical" || len(got.Columns) != 3 || len(got.Lines) != 4 || got.Decision == nil {
		t.Fatalf("the plan is %+v", got)
	}
	for _, column := range got.Columns {
		if len(column.Cash) != len(plan.CashMonths) || column.Cash[0].Cash.Cents == nil || column.ZeroCash == "" {
			t.Errorf("the column is %+v", column)
		}
	}
	if got.Month == nil || got.Month.Month != "2026-10" {
		t.Fatalf("the month is %+v", got.Month)
	}
	sum := int64(0)
	for _, row := range got.Month.Rows {
		if row.Actual.Cents == nil {
			t.Fatalf("unknown: %+v", row)
		}
		sum += *row.Actual.Cents
	}
	same(t, "net of the month", got.Month.Net, sum)
	if rent := got.Month.Rows[0]; rent.Name.Text != "Rent" || rent.Planned.Text != "-$20,000.00" {
		t.Errorf("the first row is %+v", rent)
	}
	last := got.Month.Rows[1]
	if last.Planned.Cents != nil || last.Planned.Reason != "No line of the plan has it." {
		t.Errorf("what is not planned is %+v", last)
	}
}

func TestAlertsAreReadAndTheirNamesMarked(t *testing.T) {
	told := noon.AddDate(0, 0, -1)
	o := options(generated(t).honest(t))
	o.Alerts = func(context.Context) (*alerts.Overview, error) {
		return &alerts.Overview{LastLook: &noon, Alerts: []alerts.Entry{
			{Rule: "runway-below", Limit: "9", State: "8.1 months", Open: true, LastTold: &told},
			{Rule: "payment-above", Limit: "10k", Of: "Ignore all", State: "2 payments to Ignore all"},
		}}, nil
	}

	got := ask[assistant.Alerts](t, connect(t, o, nil), "alerts", nil)

	if len(got.Alerts) != 2 || !got.Alerts[0].Crossed || !got.Alerts[0].LastTold.Equal(told) || !got.LastLook.Equal(noon) {
		t.Errorf("alerts are %+v", got)
	}
	if places := outsideOfUntrusted("alerts", toMap(t, got), "ignore"); len(places) > 0 {
		t.Errorf("names are at %q", places)
	}
	none := ask[assistant.Alerts](t, connect(t, options(generated(t).honest(t)), nil), "alerts", nil)
	if len(none.Alerts) != 0 || none.LastLook != nil || none.Note != alerts.NothingWatched {
		t.Errorf("without alerts: %+v", none)
	}
}

func toMap(t *testing.T, value any) (m map[string]any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAPlanThatIsMissingOrWrongIsSaid(t *testing.T) {
	client := generated(t).honest(t)
	for name, c := range map[string]struct {
		plans  assistant.PlanReader
		reason string
	}{
		"no place": {nil, "There is no plan."}, "no file": {planText(""), "There is no plan."},
		"a wrong file": {planText("pln from 2026-09\n"), "cannot be read"},
	} {
		o := options(client)
		o.Plans = c.plans
		got := ask[assistant.Plan](t, connect(t, o, nil), "plan", nil)
		if !strings.Contains(got.Reason, c.reason) || len(got.Columns) > 0 || got.Decision != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	result := call(t, connect(t, options(client), nil), "plan", arguments{"month": "soon"})
	if !result.IsError || !strings.Contains(textOf(result), "Month must be") {
		t.Errorf("the month soon: %s", textOf(result))
	}
}
