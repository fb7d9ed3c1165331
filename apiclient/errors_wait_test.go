package apiclient_test

import (
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
)

// The wait in an error's text is never shorter than RetryAfter.
func TestAnErrorTellsNoShorterWait(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		time.Millisecond: "again in 1s", time.Second: "again in 1s", 1200 * time.Millisecond: "again in 2s",
		time.Minute: "again in 1m0s",
	} {
		if got := (&apiclient.Error{Status: 429, RetryAfter: wait}).Error(); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %q", wait, got)
		}
	}
}
