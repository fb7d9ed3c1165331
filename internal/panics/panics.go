// Package panics describes a panic in one line without data, so that users can share it.
package panics

import (
	"fmt"
	"runtime"
	"strings"
)

// Fault describes a panic. It lacks the panic's message and the arguments of functions, which may
// be names, amounts or tokens.
type Fault struct {
	Kind   string   // Go type of the panic's value, such as runtime.boundsError
	Frames []string // functions with line numbers, innermost first
}

// Error returns one line for users to report.
func (f *Fault) Error() string {
	return "a fault in the program ended it: " + f.Where() + "; please report this line, which holds no data of yours"
}

// Where returns the Kind and the Frames in one line.
func (f *Fault) Where() string { return f.Kind + " at " + strings.Join(f.Frames, " < ") }

// maxFrames is the largest number of stack frames in a Fault.
const maxFrames = 6

// Of returns the Fault for the value that recover returned. A deferred function must call Of
// directly, because Of reads the stack. If recovered is itself a *Fault, which a goroutine
// passed to another that panicked with it, Of returns it unchanged.
func Of(recovered any) *Fault {
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
		// The innermost frame may be a library's; callers are listed only if they are ours.
		if strings.HasPrefix(name, "runtime.") || !own && len(f.Frames) > 0 {
			continue
		}
		f.Frames = append(f.Frames, fmt.Sprintf("%s:%d", name, frame.Line))
	}
	return f
}
