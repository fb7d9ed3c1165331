// Package panics describes a panic of the program in one line that is safe to share.
package panics

import (
	"fmt"
	"runtime"
	"strings"
)

// Fault is a panic of the program without its message and the values on the stack, which
// may be names, amounts or tokens.
type Fault struct {
	Kind   string   // the type of the panic's value
	Frames []string // functions with line numbers, innermost first
}

// Error returns one line that is safe to share.
func (f *Fault) Error() string {
	return "a fault in the program ended it: " + f.Where() + "; please report this line, which holds no data of yours"
}

// Where returns the panic's type and its place in the code.
func (f *Fault) Where() string { return f.Kind + " at " + strings.Join(f.Frames, " < ") }

// maxFrames is the largest number of stack frames in a Fault.
const maxFrames = 6

// Of returns the Fault for a recovered panic. A deferred function must call it directly. A
// Fault that another goroutine passed on is returned unchanged.
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
