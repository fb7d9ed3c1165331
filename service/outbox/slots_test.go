package outbox

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/webhooks"
)

// Free slots are shared so that none stays free while somebody wants it, and that
// nobody has two more than another who still wants one.
func TestShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type wanting struct{ flying, waiting, got int }
		n := rapid.IntRange(0, 12).Draw(t, "endpoints")
		among, by := make([]*turn, n), map[*turn]*wanting{}
		for i := range among {
			w := &wanting{flying: rapid.IntRange(0, webhooks.EndpointConcurrency-1).Draw(t, "flying"), waiting: rapid.IntRange(0, 6).Draw(t, "waiting")}
			room := rapid.SampledFrom([]int{1, webhooks.EndpointConcurrency - w.flying}).Draw(t, "room")
			among[i] = &turn{lane: &lane{flying: w.flying}, room: room}
			by[among[i]] = w
		}
		rooms := map[*turn]int{}
		for _, t := range among {
			rooms[t] = t.room
		}
		free := rapid.IntRange(0, 40).Draw(t, "free")
		taken := 0
		err := share(among, free, func(who *turn, limit int) (int, error) {
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
			if w.got > rooms[who] {
				t.Errorf("%d taken with room for %d", w.got, rooms[who])
			}
			wants := w.waiting > 0 && w.got < rooms[who]
			if wants && taken < free {
				t.Errorf("%d slots are free and %+v wants one", free-taken, w)
			}
			for _, other := range by {
				if wants && other.got > 0 && other.flying+other.got > w.flying+w.got+1 {
					t.Errorf("%+v got more while %+v waits", other, w)
				}
			}
		}
	})
}
