// Package panics tells of a panic of the program in one line that can be shown to
// anybody.
package panics

import (
	"fmt"
	"runtime"
	"strings"
)

// Fault is a panic of the program, told without what it says and without the values
// on its stack: those are names, amounts, tokens.
type Fault struct {
	Kind   string   // the type of what was panicked with
	Places []string // functions and their lines, the innermost first
}

// Error returns one line that can be shown to anybody.
func (f *Fault) Error() string {
	return "a fault in the program ended it: " + f.Where() + "; please report this line, which holds no data of yours"
}

// Where returns what Error tells of the fault itself, for what goes on after it.
func (f *Fault) Where() string { return f.Kind + " at " + strings.Join(f.Places, " < ") }

// mostPlaces is how far up the stack a Fault tells.
const mostPlaces = 6

// Of describes the panic that its caller, a deferred function, has recovered. One
// that was passed on from another goroutine stays what it was.
func Of(recovered any) *Fault {
	if f, passedOn := recovered.(*Fault); passedOn {
		return f
	}
	f := &Fault{Kind: fmt.Sprintf("%T", recovered)}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for more := true; more && len(f.Places) < mostPlaces; {
		var frame runtime.Frame
		frame, more = frames.Next()
		name, own := strings.CutPrefix(frame.Function, "tarmac/")
		// What broke is told whoever's it is, what led there only where it is ours.
		if strings.HasPrefix(name, "runtime.") || !own && len(f.Places) > 0 {
			continue
		}
		f.Places = append(f.Places, fmt.Sprintf("%s:%d", name, frame.Line))
	}
	return f
}
