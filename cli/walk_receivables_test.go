//go:build unix

package cli_test

import (
	"regexp"
	"strings"
	"testing"
)

// "Whom do I call first?" takes one key, the reminder another, and the invoice two more.
func TestWhomToRemindFirstTakesFiveKeysAtMost(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	sizes(t, func(t *testing.T, columns, rows int) {
		w := openDashboard(t, columns, rows, environ)

		w.do("3", "whom to remind first", `[0-9] days late  `)
		w.do("y", "copied")
		reminder := w.copied()
		number := regexp.MustCompile(`INV-\d+`).FindString(reminder)
		if !strings.HasPrefix(reminder, "Hello,\n") || number == "" {
			t.Fatalf("copied %q", reminder)
		}

		w.do("enter", "Open invoices of", number)
		w.do("enter", "Invoice ─", number)
		w.do("esc", "Open invoices of")
		w.do("esc", "whom to remind first")
		w.close()
	})
}
