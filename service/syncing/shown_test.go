package syncing_test

import (
	"testing"
	"time"

	"tarmac/service/syncing"
)

func TestAWaitIsASentenceThatIsSafeToPrint(t *testing.T) {
	wait := syncing.Wait{
		Label: "Mercury\x1b[2J", Holder: "process 4711 on finance-1",
		Until: time.Date(2026, time.November, 20, 13, 5, 9, 0, time.FixedZone("CET", 3600)),
	}

	const want = "Mercury is being read by process 4711 on finance-1. Waiting, until 12:05:09 UTC at the latest"
	if got := wait.Text(); got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if got := (syncing.Wait{}).Text(); got != "" {
		t.Errorf("the end of a wait is %q", got)
	}
}
