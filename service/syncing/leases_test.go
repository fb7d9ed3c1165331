package syncing_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tarmac/internal/processes"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// holdAs claims the connection for a reading of the process with a name, for five minutes of the
// clock, which stands still.
func (f *fixture) holdAs(t *testing.T, holder string) {
	t.Helper()
	now := f.clock.now()
	err := f.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.ClaimReading(f.list(t)[0].Key, now, now.Add(5*time.Minute), time.Time{}, holder)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheReadingOfADeadProcessIsTakenOverAtOnce(t *testing.T) {
	own := processes.Self()
	if own == "" {
		t.Skip("processes have no identities here")
	}
	f := connected(t, nil, 100)
	f.holdAs(t, own+"0") // another process with this one's number
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()

	outcomes, err := f.Sync(ctx, f.org, "", syncing.SyncOptions{})

	if err != nil || outcomes[0].Problem != "" {
		t.Errorf("%+v, %v", outcomes, err)
	}
}

func TestAReadingSaysForWhomItWaits(t *testing.T) {
	f := connected(t, nil, 100)
	f.holdAs(t, "linux|finance-1|boot|0||4711|99")
	ctx, cancel := context.WithCancel(t.Context())
	var waits []syncing.Wait

	_, err := f.Sync(ctx, f.org, "", syncing.SyncOptions{Waiting: func(w syncing.Wait) {
		waits = append(waits, w)
		cancel()
	}})

	want := syncing.Wait{Label: "Bank", Holder: "process 4711 on finance-1", Until: f.clock.now().Add(5 * time.Minute)}
	if len(waits) != 1 || waits[0] != want {
		t.Errorf("it waits for %+v", waits)
	}
	if err == nil || !strings.Contains(err.Error(), "Bank is still being read by process 4711 on finance-1") {
		t.Errorf("the error is %v", err)
	}
}

func TestAReadingSaysThatItsWaitIsOver(t *testing.T) {
	f := connected(t, nil, 100)
	f.holdAs(t, "linux|finance-1|boot|0||4711|99")
	var waits []syncing.Wait

	_, err := f.Sync(t.Context(), f.org, "", syncing.SyncOptions{Waiting: func(w syncing.Wait) {
		if waits = append(waits, w); len(waits) == 1 {
			f.clock.advance(6 * time.Minute) // the lease ends
		}
	}})

	if err != nil || len(waits) != 2 || waits[1] != (syncing.Wait{}) {
		t.Errorf("%+v, %v", waits, err)
	}
}
