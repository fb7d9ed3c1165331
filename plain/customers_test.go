package plain_test

import (
	"strings"
	"testing"
)

func TestCustomersAreListedAndReminded(t *testing.T) {
	text := talk{client: serve(t).client}.say(t, "receivables", "remind", "open 1", "back", "open 99", "customers")

	inOrder(
		t, text, `Whom to remind first: overdue amount × days beyond usual, by invoice\. Estimates: usual is the median `,
		`  1: .*, at (most|least) \$[\d,.]+ overdue, \d invoices?, the oldest \d+ days past due`,
		`usually \d+ days late, \d+ paid`,
		`Type open and a number`,
		`Reminder to billing@.*, for your own mail; nothing is sent\.`, `Hello,`, `- INV-\d+, due \d{4}-\d\d-\d\d`,
		`Please let us know`, `Enter a number from the list`, `no habit yet`,
	)
}

func TestMaskedRemindersHideAmounts(t *testing.T) {
	text := talk{client: serve(t).client}.say(t, "mask", "remind", "open 1", "back", "open 2", "back", "open 3")

	if _, after, _ := strings.Cut(text, "Amounts are hidden."); after == "" || strings.Contains(after, "$") {
		t.Errorf("an amount is shown:\n%s", text)
	}
}
