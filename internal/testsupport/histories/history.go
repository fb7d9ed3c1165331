// Package histories records what the clients and operators of a service ask at the same time, and
// what they are answered. It then checks that each history is linearizable: that every request took
// effect at one moment between its call and its answer. Only tests import it.
//
// A request whose answer was lost may have taken effect at any later moment, or never.
package histories

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// Kind is what a history is about.
type Kind string

// The kinds of histories.
const (
	// Keys are the proposals of an organization with one Idempotency-Key: the first creates an
	// invoice, and all others are answered with it or refused.
	Keys Kind = "idempotency key"
	// Numbers are the numbers of an organization's invoices, which count its proposals.
	Numbers Kind = "invoice numbers"
	// Payments are the status changes and readings of a payment.
	Payments Kind = "payment"
	// Endpoints are the changes and readings of a webhook endpoint.
	Endpoints Kind = "webhook endpoint"
	// Secrets are the rotations of an endpoint's secret, and the secrets that sign its deliveries.
	Secrets Kind = "signing secret"
)

// models returns the model of each kind, which says what a correct service answers to requests one
// after another.
func models() map[Kind]porcupine.Model {
	return map[Kind]porcupine.Model{
		Keys: modelOf(useKey), Numbers: modelOf(countInvoices), Payments: modelOf(movePayment),
		Endpoints: modelOf(changeEndpoint), Secrets: modelOf(rotateSecret),
	}
}

// modelOf returns the model of a record that has the zero value of S at first. step reports whether
// a record in a given state may answer an input with an output, and returns its next state.
func modelOf[S comparable, I, O any](step func(S, I, O) (S, bool)) porcupine.Model {
	return porcupine.Model{
		Init: func() any { var first S; return first },
		Step: func(state, input, output any) (bool, any) {
			next, ok := step(state.(S), input.(I), output.(O))
			return ok, next
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
}

// record is what a history is about: for example a payment by its id.
type record struct {
	kind Kind
	id   string
}

// History holds the operations of clients by the records that they read or change. It is safe for
// concurrent use.
type History struct {
	began time.Time

	mu         sync.Mutex
	operations map[record][]porcupine.Operation
}

// NewHistory returns a history that begins now.
func NewHistory() *History {
	return &History{began: time.Now(), operations: map[record][]porcupine.Operation{}}
}

// now returns nanoseconds since the history's beginning, by a clock that never jumps.
func (h *History) now() int64 { return time.Since(h.began).Nanoseconds() }

// never is the time of an answer that did not arrive.
const never = math.MaxInt64

func (h *History) add(kind Kind, id string, o porcupine.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := record{kind, id}
	h.operations[r] = append(h.operations[r], o)
}

// Count is the size of all histories of a kind.
type Count struct {
	Records, Operations int
	Lost                int // operations whose answer did not arrive
}

// Counts returns the sizes of the histories by kind.
func (h *History) Counts() map[Kind]Count {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := map[Kind]Count{}
	for r, all := range h.operations {
		n := counts[r.kind]
		n.Records++
		n.Operations += len(all)
		for i := range all {
			if all[i].Return == never {
				n.Lost++
			}
		}
		counts[r.kind] = n
	}
	return counts
}

// Violation is a history that is not linearizable, or that took too long to check.
type Violation struct {
	Kind   Kind
	Record string
	Result porcupine.CheckResult
	// Text lists the operations with their times. The longest sequence that a correct service could
	// have answered is marked.
	Text string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s %s is %s\n%s", v.Kind, v.Record, strings.ToLower(string(v.Result)), v.Text)
}

// Check returns the violations. Each history is checked for at most the given time.
func (h *History) Check(most time.Duration) (violations []Violation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	byKind := models()
	records := slices.SortedFunc(maps.Keys(h.operations), func(a, b record) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	})
	for _, r := range records {
		model, operations := byKind[r.kind], h.operations[r]
		if porcupine.CheckOperationsTimeout(model, operations, most) == porcupine.Ok {
			continue
		}
		result, info := porcupine.CheckOperationsVerbose(model, operations, most)
		violations = append(violations, Violation{r.kind, r.id, result, describe(model, operations, info)})
	}
	return violations
}

// describe lists operations in the order of their calls.
func describe(model porcupine.Model, all []porcupine.Operation, info porcupine.LinearizationInfo) string {
	var longest []int
	for _, sequences := range info.PartialLinearizations() {
		for _, sequence := range sequences {
			if len(sequence) > len(longest) {
				longest = sequence
			}
		}
	}
	place := map[int]string{}
	for n, id := range longest {
		place[id] = fmt.Sprintf("%d.", n+1)
	}
	order := slices.SortedFunc(
		maps.Keys(indexed(all)),
		func(a, b int) int { return cmp.Compare(all[a].Call, all[b].Call) },
	)
	var text strings.Builder
	for _, n := range order {
		o := &all[n]
		answered := "never"
		if o.Return != never {
			answered = milliseconds(o.Return)
		}
		fmt.Fprintf(&text, "%5s client %d, %s to %s ms: %s\n", place[n], o.ClientId, milliseconds(o.Call), answered,
			model.DescribeOperation(o.Input, o.Output))
	}
	return text.String()
}

func indexed(all []porcupine.Operation) map[int]bool {
	places := map[int]bool{}
	for n := range all {
		places[n] = true
	}
	return places
}

func milliseconds(ns int64) string { return fmt.Sprintf("%.3f", float64(ns)/1e6) }
