package histories

import (
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A change whose answer was lost may take effect at any later time, but not twice, and not before
// it was requested.
func TestALostChangeTakesEffectOnceOrNever(t *testing.T) {
	before, after := endpointState{"a", "t", "active"}, endpointState{"b", "t", "active"}
	created := op("create", endpointState{}, before, 0, 1)
	lost := op("change", endpointState{url: "b"}, endpointState{}, 2, never)
	stays, changed := op("read", endpointState{}, before, 5, 6), op("read", endpointState{}, after, 7, 8)
	other := endpointState{"c", "t", "active"}
	for name, c := range map[string]struct {
		readings []porcupine.Operation
		want     bool
	}{
		"never":             {[]porcupine.Operation{stays}, true},
		"late":              {[]porcupine.Operation{stays, changed}, true},
		"and is gone again": {[]porcupine.Operation{changed, op("read", endpointState{}, before, 9, 10)}, false},
		"too early":         {[]porcupine.Operation{op("read", endpointState{}, after, 1, 1)}, false},
		"as something else": {[]porcupine.Operation{op("read", endpointState{}, other, 5, 6)}, false},
		"after a change": {
			[]porcupine.Operation{op("change", endpointState{url: "c"}, other, 5, 6), changed}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := NewHistory()
			for _, o := range append([]porcupine.Operation{created, lost}, c.readings...) {
				h.add(Endpoints, "wh_1", o)
			}

			violations := h.Check(time.Minute)

			if got := len(violations) == 0; got != c.want {
				t.Errorf("linearizable: %v, want %v: %v", got, c.want, violations)
			}
		})
	}
}

// op is an operation on an endpoint. A lost one has no result.
func op(what string, fields, result endpointState, call, answered int64) porcupine.Operation {
	return porcupine.Operation{
		Input: endpointChange{
			what,
			fields,
		}, Output: endpointResult{result, answered == never}, Call: call, Return: answered,
	}
}
