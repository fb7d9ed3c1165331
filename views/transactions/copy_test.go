package transactions

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/views"
)

// given returns the message of a command, or nil for a nil command.
func given(cmd tea.Cmd) tea.Msg {
	if cmd == nil {
		return nil
	}
	return cmd()
}

func TestPartsOfATransactionAreCopied(t *testing.T) {
	d := open(t, 10)
	for key, want := range map[string]views.Copy{
		"y": {What: "the transaction's id", Text: "tx_0000001"},
		"t": {What: "the transaction", Text: "2026-11-19\t¥1,500,000\t$1,234.56\t株式会社トラベル\t" +
			"servers tx_0000001\tcard\t—\tLinked bank\ttx_0000001"},
		"a": {What: "the amount", Text: "+¥1,500,000"},
		"c": {What: "the counterparty", Text: "株式会社トラベル"},
		"m": {What: "the memo", Text: "servers tx_0000001"},
	} {
		d.press("y")
		d.says("Copy  y id  t row as text  a amount")
		if !d.Typing() {
			t.Fatal("letters would be commands")
		}
		if got := given(d.Update(press(key))); got != want {
			t.Errorf("%s copies %#v", key, got)
		}
		if d.Typing() {
			t.Errorf("after %s it still asks", key)
		}
	}
	d.press("y")
	if got, ok := given(d.Update(press("f"))).(views.Notice); !ok ||
		!strings.Contains(got.Text, "the reference is unknown") {
		t.Errorf("what is not known is copied: %#v", got)
	}
	d.press("j", "y")
	if got, ok := given(d.Update(press("a"))).(views.Notice); !ok || !strings.Contains(got.Text, "the amount is unknown") {
		t.Errorf("a dash is copied for money: %#v", got)
	}
	d.press("g", "y")
	d.server.insert(0, 1)
	d.latest()
	if got := given(d.Update(press("y"))); got != (views.Copy{What: "the transaction's id", Text: "tx_0000001"}) {
		t.Errorf("what came in meanwhile is copied: %#v", got)
	}
	for _, key := range []string{"esc", "z"} {
		d.press("y")
		if got := given(d.Update(press(key))); got != nil || d.Typing() {
			t.Errorf("%s copies %#v", key, got)
		}
	}
	d.press("y")
	if !d.Back() || d.Typing() {
		t.Error("going back does not end the choice")
	}
}

func TestWithoutARowThereIsNothingToCopyExportOrGoTo(t *testing.T) {
	d := open(t, 0)
	d.press("y", "e", "t", "%", "G")
	if d.Typing() || d.seek != nil {
		t.Errorf("it asks what nothing can be done with:\n%s", d.text())
	}
}

func TestARowAsTextHasNoFormulaForASpreadsheet(t *testing.T) {
	row := tabSeparated(record.Transaction(apiclient.Transaction{
		ID: "tx_1", Date: civil.MustParse("2026-11-19"), Direction: apiclient.Outflow,
		Amount: apiclient.NewAmount(500, "EUR"), Reporting: apiclient.NewAmount(500, "USD"),
		USD:              apiclient.NewAmount(500, "USD"),
		CounterpartyName: "\u00a0=1+1", Memo: "@SUM(A1)",
	}))
	if want := "2026-11-19\t-€5.00\t-$5.00\t'\u00a0=1+1\t'@SUM(A1)\t—\t—\t—\ttx_1"; row != want {
		t.Errorf("%q, want %q", row, want)
	}
}
