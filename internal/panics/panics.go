// Package panics describes a panic in one line without data, so that users can share it.
package panics

import (
	"fmt"
	"runtime"
	"strings"
)

// Fault describes a panic. It contains neither the text of the panic nor the arguments of
// functions, because these may be names, amounts or tokens.
type Fault struct {
	Kind   string   // Go type of the panic's value, such as runtime.boundsError
	Frames []string // functions with line numbers, innermost first
}

// Error returns one line that users can report.
func (f *Fault) Error() string {
	return "a fault in the program ended it: " + f.Where() + "; please report this line, which holds no data of yours"
}

// Where returns the Kind and the Frames in one line.
func (f *Fault) Where() string { return f.Kind + " at " + strings.Join(f.Frames, " < ") }

// maxFrames is the maximum number of stack frames in a Fault.
const maxFrames = 6

// Describe returns the Fault for a value that recover returned. A deferred function must call
// Describe directly, because Describe reads the stack. If the value is already a *Fault, because
// another goroutine passed it on in a panic of its own, Describe returns it unchanged.
func Describe(recovered any) *Fault {
	if f, passedOn := recovered.(*Fault); passedOn {
		return f
	}
	f := &Fault{Kind: fmt.Sprintf("%T", recovered)}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for more := true; more && len(f.Frames) < maxFrames; {
		var frame runtime.Frame
		frame, more = frames.Next()
		name, own := strings.CutPrefix(frame.Function, "tarmac/")
		// The innermost frame may belong to a library. List only those of its callers that belong
		// to this program.
		if strings.HasPrefix(name, "runtime.") || !own && len(f.Frames) > 0 {
			continue
		}
		f.Frames = append(f.Frames, fmt.Sprintf("%s:%d", name, frame.Line))
	}
	return f
}
