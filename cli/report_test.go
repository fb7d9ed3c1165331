package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/browser"
	"tarmac/service/access"
	"tarmac/service/egress"
)

// shownTables returns the cells of all tables of a page, by the section's ID.
const shownTables = `Object.fromEntries([...document.querySelectorAll("section")].map(section => [section.id,
	[...section.querySelectorAll("tr")].map(row => [...row.cells].map(cell => cell.innerText.trim()))]))`

// cents reads an amount of a page, such as "~-$1,234.50".
func cents(t *testing.T, text string) int64 {
	t.Helper()
	return number(t, strings.NewReplacer("$", "", ",", "", ".", "", "+", "", "~", "", "≥", "").Replace(text))
}

// rowOf returns the row of a table whose first cell is label.
func rowOf(t *testing.T, rows [][]string, label string) []string {
	t.Helper()
	for _, row := range rows {
		if len(row) > 0 && row[0] == label {
			return row
		}
	}
	t.Fatalf("there is no row %q in %q", label, rows)
	return nil
}

func TestTheFiguresOfTheReportAreThoseOfTheAPI(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	c := newAPICommands(t, egress.Config{})
	path := filepath.Join(t.TempDir(), "report.html")
	if got := c.must("report", "--company", "Northlight Labs", "-o", path); got != path+"\n" {
		t.Errorf("the report says %q", got)
	}

	page, problems := b.Open("file://" + path)
	var tables map[string][][]string
	page.Evaluate(shownTables, &tables)

	if len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	this := civil.Of(time.Now()).FirstOfMonth()
	for back := 1; back <= 12; back++ {
		month := this.AddMonths(-back).String()[:7]
		got := decoded(t, c.must("transactions", "--period", month, "--limit", "1", "--json")).(map[string]any)
		summary := got["summary"].(map[string]any)
		row := rowOf(t, tables["months"], month)
		for i, name := range []string{"inflow_usd_cents", "outflow_usd_cents", "net_usd_cents"} {
			if want := int64(summary[name].(float64)); cents(t, row[i+1]) != want {
				t.Errorf("%s: %s is %s, the server says %d", month, name, row[i+1], want)
			}
		}
	}
	aging := decoded(t, c.must("aging", "--json")).(map[string]any)
	if got, want := rowOf(t, tables["receivables"], "Outstanding")[1],
		int64(aging["totals"].(map[string]any)["outstanding_cents"].(float64)); cents(t, got) != want {
		t.Errorf("outstanding is %s, the server says %d", got, want)
	}
	position := decoded(t, c.must("cash-position", "--json")).(map[string]any)
	var text string
	page.Evaluate("document.body.innerText", &text)
	runway := strconv.FormatFloat(position["runway_months"].(float64), 'f', 1, 64) + " months"
	if !strings.Contains(text, runway) {
		t.Errorf("%q is not on the page: %s", runway, text)
	}
	for i, week := range sheet(t, c.must("forecast", "--csv")) {
		row := tables["weeks"][i+1]
		if row[0] != week["last_date"] || cents(t, row[3]) != number(t, week["cash_cents"]) {
			t.Errorf("the page says %q, the forecast %q", row, week)
		}
	}
	reminders := sheet(t, c.must("remind", "--csv"))
	if first := tables["remind"][1]; first[0] != reminders[0]["recipient_name"] {
		t.Errorf("the page reminds %q first, the command %q", first, reminders[0])
	}
	bridge := tables["bridge"]
	sum := cents(t, bridge[1][4])
	for _, row := range bridge[2 : len(bridge)-1] {
		sum += cents(t, row[4])
	}
	if net := cents(t, bridge[len(bridge)-1][4]); sum != net || net != cents(t, tables["months"][1][3]) {
		t.Errorf("the bridge leads to %d, its end is %d, the month's net %s", sum, net, tables["months"][1][3])
	}
}

func TestReportWritesAPrivateFileAndReplacesNone(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	path := filepath.Join(t.TempDir(), "report.html")
	c.must("report", "-o", path)

	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info, err)
	}
	refused(t, c.run("report", "-o", path), 1, "already exists")
	masked := c.must("report", "-o", path, "--force", "--mask")
	if page, err := os.ReadFile(path); err != nil || strings.Contains(string(page), "$") || masked != path+"\n" {
		t.Errorf("%v: the masked page has an amount: %s", err, page)
	}
	if page := c.must("report", "-o", "-"); !strings.HasPrefix(page, "<!DOCTYPE html>") {
		t.Errorf("%.80s", page)
	}
	if text := c.must("report", "--text", "--month", "last month"); !strings.Contains(text, "Cash on hand at the end of") {
		t.Errorf("%s", text)
	}
	got := decoded(t, c.must("report", "--json")).(map[string]any)
	if got["month_is_over"] != true || len(got["months"].([]any)) != 12 {
		t.Errorf("%v", got)
	}
}

func TestReportRefusesMonthsThatItCannotReport(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	next := civil.Of(time.Now()).FirstOfMonth().AddMonths(1).String()[:7]
	for args, want := range map[string]string{
		"--month " + next:          "has not begun",
		"--month 1999-01":          "is too old",
		"--month 2026":             "--month must be one month",
		"--month soon":             "--month must be one month",
		"--json --text":            "cannot be combined",
		"--json --mask":            "cannot be combined",
		"--month 2026-01..2026-02": "--month must be one month",
	} {
		refused(t, c.run(append([]string{"report"}, strings.Fields(args)...)...), 2, want)
	}
	current := c.must("report", "--text", "--month", civil.Of(time.Now()).String()[:7])
	if !strings.Contains(strings.Join(strings.Fields(current), " "), "The month is not over") {
		t.Errorf("%s", current)
	}
}

func TestReportSaysWhatTheTokenMayNotRead(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	c.env["TARMAC_TOKEN"] = c.token(access.AccountRead, access.PaymentsRead)

	text := c.must("report", "--text")
	if !strings.Contains(text, "invoices:read") || !strings.Contains(text, "Cash on hand at the end of") {
		t.Errorf("%s", text)
	}
}
