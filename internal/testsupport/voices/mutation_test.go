//go:build long

package voices_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutations are renderers in which a mark, a reason or a number is dropped, with a difference that
// the test of all voices must find then.
var mutations = []struct{ file, old, mutated, found string }{
	{"views/spend/counterparties.go", "\tif t.Mark() == figures.NoMark {\n\t\treturn text", "\tif true {\n\t\treturn text",
		"dashboard Counterparty.all: mark"},
	{"views/spend/changes.go", "s.marked(s.Theme.Strong, change)",
		"s.marked(s.Theme.Strong, figures.Total{Minor: change.Minor, Currency: change.Currency, Kind: 1})",
		"dashboard BridgePart.change_cents: mark"},
	{"views/spend/recurring.go", "s.markedShort(s.Theme.Strong, yearly)", "money.Short(yearly.Minor, yearly.Currency)",
		"dashboard Recurring.yearly_cents: mark"},
	{"views/parts/fact/cash.go", "Sign: f.Mark().Sign(),", "", "dashboard CashPosition.monthly_burn_cents: mark"},
	{"client/answer/spend.go", "(in.Months, \"month\"), total)",
		"(in.Months, \"month\"), figures.Total{Minor: total.Minor, Currency: total.Currency})",
		"command Counterparty.all: mark"},
	{"client/report/document.go", "\treturn t.String()",
		"\treturn figures.Total{Minor: t.Minor, Currency: t.Currency, Kind: t.Kind}.String()",
		"report CounterpartyOfMonth.total_cents: mark"},
	{"client/report/document.go", "\treturn s.String()",
		"\treturn figures.Share{Tenths: s.Tenths, Known: s.Known}.String()",
		"report CounterpartyOfMonth.share: mark"},
	{"client/report/sections_spend.go", "missing.WhyOf(from.Total.Month, from.Total.Average)", "missing.WhyOf()",
		"report CounterpartyOfMonth.total_cents: reason"},
	{"plain/answers.go", "markedInWords(strings.TrimPrefix(value, record.Sign(f.Direction)), f.Mark())",
		"signInWords(figures.Unmarked(strings.TrimPrefix(value, record.Sign(f.Direction))))",
		"line Counterparty.total_cents: mark"},
	{"client/assistant/result.go", "Text: t.String(),", "Text: t.String()[len(t.Mark().Sign()):],",
		"assistant Counterparty.total_cents: mark"},
	{"client/assistant/result.go", "LeftOut: t.Why()}", "LeftOut: \"\"}", "assistant Counterparty.total_cents: reason"},
	{"client/record/record.go", "return f.figure.String()", "return f.figure.String()[len(f.Mark().Sign()):]",
		"command Counterparty.before_cents: mark"},
	{"client/record/spending.go", "&t.Undirected)", "new(int64))", "json BridgePart.undirected_count: cents"},
	{"client/monitor/compare.go", "\"runway \" + c.Mark().Sign() +", "\"runway \" +",
		"check CashPosition.runway_months: mark"},
	{"client/spending/counterparties.go", "c.Total.Unreadable, c.Before.Unreadable = unreadable,",
		"c.Total.Unreadable, c.Before.Unreadable = 0*unreadable,",
		"report CounterpartyOfMonth.total_cents: mark"},
	{"client/spending/bridge.go", "rows.net.before++", "_ = r", "command BridgePart.before_cents: mark"},
	{"client/report/sections_bills.go", "f.total(p.PastDue), f.total(p.Total)}", "f.total(p.Total), f.total(p.Total)}",
		"report Payables.past_due_cents: cents"},
	{"client/record/bill.go", "\"Due soon\", p.Due(days))", "\"Due soon\", p.PastDue)",
		"assistant Payables.due_cents: cents"},
	{"client/payables/payables.go", "sum.MayBeLess = plural", "_ = plural", "command Payables.bills_cents: mark"},
	{"client/spending/counterparties.go", "\t\ttotal.Undirected++\n", "\t\ttotal.Add(0)\n",
		"command Counterparty.before_cents: mark"},
	{"plain/answers.go", "text = s.value(f)\n\tswitch", "text = figures.Unmarked(f.Text())\n\tswitch",
		"line CashPosition.held_cents: mark"},
	{"client/report/sections.go", "text = f.total(t)",
		"text = f.total(figures.Total{Minor: t.Minor, Currency: t.Currency, Kind: t.Kind})",
		"report CashPosition.held_cents: mark"},
	{"client/assistant/result.go", "Text: f.Text(), LeftOut", "Text: figures.Unmarked(f.Text()), LeftOut",
		"assistant CashPosition.held_cents: mark"},
	{"client/monitor/compare.go", "\"cash \" + total.String()", "\"cash \" + money.Text(total.Minor, total.Currency)",
		"check CashPosition.cash_cents: mark"},
	{"client/monitor/compare.go", "one.text + one.total.String()", "one.text + money.Text(one.total.Minor, currency)",
		"check Payables.past_due_cents: mark"},
	{"client/monitor/compare.go", "\"overdue \" + total.String()",
		"\"overdue \" + money.Text(total.Minor, total.Currency)", "check Aging.overdue_cents: mark"},
	{"client/monitor/values.go", "ok && !total.Unknown", "ok", "check CashPosition.held_cents: known"},
	{"client/export/cell.go", "return money.Dash, money.Dash", "return \"0\", \"0.00\"",
		"csv BridgePart.change_cents: known"},
	{"client/record/json.go", "\t\tif !known {\n\t\t\treturn append(b, \"null\"...), nil",
		"\t\tif !known {\n\t\t\treturn append(b, \"0\"...), nil", "json BridgePart.change_cents: known"},
	{"client/assistant/result.go", "if total.Unknown || !f.Known() {", "if total.Unknown {",
		"assistant CashPosition.cash_cents: known"},
	{"views/parts/fact/aging.go", "Sign: s.Mark().Sign(),", "", "dashboard Aging.current_cents: mark"},
	{"views/receivables/customers.go", "case figures.Unmarked(text) != text:", "case false:",
		"dashboard Customer.overdue_cents: mark"},
	{"plain/output.go", "figures.AtMost.Sign()), \" at most \"}", "figures.AtMost.Sign()), \" \"}",
		"line Customer.overdue_cents: mark"},
	{"plain/output.go", "return text + \" (unanswered questions)\"", "return text",
		"line CashPosition.runway_months: mark"},
	{"views/receivables/bills_panels.go", ", Marked: b.marks.Cell(i, c)})", "})",
		"dashboard Vendor.bills_cents: mark"},
	{"views/runway/months.go", "[]mark.State{mark.Of(sums.In), ", "[]mark.State{mark.Whole, ",
		"dashboard MonthSummary.inflow_usd_cents: mark"},
	{"views/parts/fact/text.go", "f.Sign + f.Value", "f.Value", "copy CashPosition.held_cents: mark"},
}

// TestADroppedMarkIsFound runs the test of all voices on each mutation, for the companies that
// leave something out.
func TestADroppedMarkIsFound(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutations {
		t.Run(m.found+" in "+m.file, func(t *testing.T) {
			path := filepath.Join(root, filepath.FromSlash(m.file))
			source, err := os.ReadFile(path)
			if err != nil || strings.Count(string(source), m.old) != 1 {
				t.Fatalf("%q is in the file %d times: %v", m.old, strings.Count(string(source), m.old), err)
			}
			mutated, overlay := filepath.Join(t.TempDir(), "mutated.go"), filepath.Join(t.TempDir(), "overlay.json")
			text := strings.Replace(string(source), m.old, m.mutated, 1)
			list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: mutated}})
			if err != nil {
				t.Fatal(err)
			}
			for name, content := range map[string]string{mutated: text, overlay: string(list)} {
				if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			run := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", overlay, "-run",
				"^TestAllVoicesSayTheSame$/^companies$/^(half|some|not_open|unknown|unreadable|unanswered|an_account)", ".")

			output, err := run.CombinedOutput()

			if err == nil || !strings.Contains(string(output), `"`+m.found+`"`) {
				t.Errorf("%q is not found: %v\n%s", m.found, err, output[:min(len(output), 4000)])
			}
		})
	}
}
