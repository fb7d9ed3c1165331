package ids_test

import (
	"crypto/rand"
	"errors"
	"regexp"
	"slices"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"tarmac/service/ids"
)

func TestIDsOfOneMillisecondKeepTheirOrder(t *testing.T) {
	source, at := ids.NewSource(rand.Reader), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var made []string
	for i := range 5000 {
		id, err := source.New(ids.Event, at.Add(time.Duration(i/1000)*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, id)
	}
	if !slices.IsSorted(made) || len(slices.Compact(slices.Clone(made))) != len(made) {
		t.Error("ids are out of order or repeat")
	}
	if shape := regexp.MustCompile(`^evt_[0-9A-HJKMNP-TV-Z]{26}$`); !shape.MatchString(made[0]) {
		t.Errorf("an id looks like %q", made[0])
	}
}

func TestConcurrentCallsOfASourceReturnUniqueIDs(t *testing.T) {
	source, at := ids.NewSource(rand.Reader), time.Now()
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		seen = map[string]bool{}
	)
	for range 8 {
		wg.Go(func() {
			for range 500 {
				id, err := source.New(ids.Transaction, at)
				mu.Lock()
				if err != nil || seen[id] {
					t.Errorf("id %q, %v", id, err)
				}
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestWithoutEntropyThereIsNoID(t *testing.T) {
	broken := errors.New("no entropy")
	if id, err := ids.NewSource(iotest.ErrReader(broken)).New(ids.Invoice, time.Now()); !errors.Is(err, broken) ||
		id != "" {
		t.Errorf("%q, %v", id, err)
	}
}

func TestADerivedIDDependsOnItsTwoRecordsOnly(t *testing.T) {
	const event, endpoint = "evt_01KAJ2N7Q3W8ZV5T0M4C9XRB6H", "wh_01KAJ2N7Q3W8ZV5T0M4C9XRB6N"
	got := ids.Derived(ids.Delivery, event, endpoint)
	if !regexp.MustCompile(`^whd_01KAJ2N7Q3[0-9A-HJKMNP-TV-Z]{16}$`).MatchString(got) {
		t.Errorf("%s does not begin with the event's time", got)
	}
	if again := ids.Derived(ids.Delivery, event, endpoint); again != got {
		t.Errorf("%s, then %s", got, again)
	}
	for _, other := range []string{
		ids.Derived(ids.Delivery, event, endpoint+"X"), ids.Derived(ids.Delivery, "evt_01KAJ2N7Q3W8ZV5T0M4C9XRB6J", endpoint),
		ids.Derived(ids.Delivery, "evt_short", endpoint),
	} {
		if other == got || len(other) != len(got) {
			t.Errorf("%s beside %s", other, got)
		}
	}
}

func TestAFixedIDDependsOnItsTimeAndKeyOnly(t *testing.T) {
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

	got := ids.Fixed(ids.Transaction, day, "a")

	if !regexp.MustCompile(`^txn_[0-9A-HJKMNP-TV-Z]{26}$`).MatchString(got) {
		t.Errorf("an id looks like %q", got)
	}
	if again := ids.Fixed(ids.Transaction, day, "a"); again != got {
		t.Errorf("%s, then %s", got, again)
	}
	if other := ids.Fixed(ids.Transaction, day, "b"); other == got || other[:14] != got[:14] {
		t.Errorf("another key gives %s beside %s", other, got)
	}
	if later := ids.Fixed(ids.Transaction, day.AddDate(0, 0, 1), "a"); later <= got {
		t.Errorf("a day later is %s, not after %s", later, got)
	}
	if old := ids.Fixed(ids.Transaction, time.Date(1901, 1, 1, 0, 0, 0, 0, time.UTC), "a"); old >= got {
		t.Errorf("1901 is %s, not before %s", old, got)
	}
}
