package alerts_test

import (
	"strings"
	"testing"
	"time"

	"tarmac/client/alerts"
	"tarmac/client/settings"
)

func TestTheOverviewSaysWhichLimitsAreCrossed(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	set := &settings.Settings{
		Alerts: []settings.Alert{
			{Rule: "runway-below", Limit: "9"}, {Rule: "cash-below", Limit: "1k", To: []string{"gone"}},
			{Rule: "price-rise"}, {Rule: "bill-due"}, {Rule: "perhaps"},
		},
		Channels: []settings.Channel{{Name: "mail", Kind: "mail"}},
	}
	told := map[string]time.Time{"": at}
	state := &alerts.State{Round: at.Add(time.Hour), Alerts: map[string]*alerts.Watched{
		"runway-below|9|": {Words: "runway 8.7 months (below 9)", Told: told, Last: at},
		"cash-below|1k|":  {Words: "cash $5,000.00"},
		"price-rise|5|":   {Words: "1 price rose", Told: map[string]time.Time{"Kestrel": at}, Last: at.Add(time.Minute)},
		"bill-due|7|":     {Words: "not known: no bills", UnknownTold: true},
	}}

	o := alerts.OverviewOf(set, []string{"mail"}, state, func(settings.Channel) string { return "no secret" })

	want := "1  runway-below tells below 9.0 months\n   runway 8.7 months (below 9); told 2026-11-20 09:00 UTC\n" +
		"2  cash-below tells below 1k\n   cash $5,000.00; told never\n" +
		"   there is no channel gone, so all channels tell it\n" +
		"3  price-rise tells of prices that rise by 5 % or more in a year\n   1 price rose; told 2026-11-20 09:01 UTC\n" +
		"4  bill-due tells 7 days before a bill is due\n   not known: no bills; told never\n" +
		"5  perhaps is no rule; there are "
	got := strings.Join(o.Lines(), "\n")
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\nChannel mail (mail), no secret") {
		t.Errorf("the overview is\n%s", got)
	}
	open := ""
	for _, e := range o.Open() {
		open += e.Rule + " "
	}
	if open != "runway-below bill-due " {
		t.Errorf("crossed are %s", open)
	}
	if text := alerts.TextOf(o.Since(at)); text != "price-rise: 1 price rose" || o.LastTold() != at.Add(time.Minute) {
		t.Errorf("since then %q, last %s", text, o.LastTold())
	}
	if text := alerts.TextOf(o.Since(at.Add(-1))); text != "runway-below: runway 8.7 months (below 9), and 1 more alert" {
		t.Errorf("before that %q", text)
	}
}
