package outbox

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/webhooks"
)

// No slot stays free while an endpoint wants it, and no endpoint has two more than another
// that still wants one.
func TestFreeSlotsAreSharedEvenly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type wanting struct{ inFlight, waiting, got int }
		n := rapid.IntRange(0, 12).Draw(t, "endpoints")
		grants, by := make([]*grant, n), map[*grant]*wanting{}
		for i := range grants {
			w := &wanting{
				inFlight: rapid.IntRange(0, webhooks.EndpointConcurrency-1).Draw(t, "flying"),
				waiting:  rapid.IntRange(0, 6).Draw(t, "waiting"),
			}
			slots := rapid.SampledFrom([]int{1, webhooks.EndpointConcurrency - w.inFlight}).Draw(t, "room")
			grants[i] = &grant{state: &endpointState{inFlight: w.inFlight}, slots: slots}
			by[grants[i]] = w
		}
		limits := map[*grant]int{}
		for _, t := range grants {
			limits[t] = t.slots
		}
		free := rapid.IntRange(0, 40).Draw(t, "free")
		taken := 0
		err := shareSlots(grants, free, func(who *grant, limit int) (int, error) {
			w := by[who]
			got := min(limit, w.waiting)
			w.waiting -= got
			w.got += got
			taken += got
			return got, nil
		})
		if err != nil || taken > free {
			t.Fatalf("%d of %d taken, %v", taken, free, err)
		}
		for who, w := range by {
			if w.got > limits[who] {
				t.Errorf("%d taken with room for %d", w.got, limits[who])
			}
			wants := w.waiting > 0 && w.got < limits[who]
			if wants && taken < free {
				t.Errorf("%d slots are free and %+v wants one", free-taken, w)
			}
			for _, other := range by {
				if wants && other.got > 0 && other.inFlight+other.got > w.inFlight+w.got+1 {
					t.Errorf("%+v got more while %+v waits", other, w)
				}
			}
		}
	})
}
