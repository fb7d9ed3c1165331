package bookrules

import "context"

// Work is what a derivation of the books may still do. Rules with long loops count their steps with
// it, so that they stop soon after its context ends. What they return is then incomplete, and Err
// says why. A nil Work never ends.
type Work struct {
	ctx   context.Context
	steps int
	err   error
}

// NewWork returns the work of a derivation that ends with the context.
func NewWork(ctx context.Context) *Work { return &Work{ctx: ctx} }

// stepsBetweenLooks is the number of steps after which Stopped looks at the context again. A step
// takes less than a microsecond.
const stepsBetweenLooks = 1 << 12

// Stopped counts a step, and reports whether the work has to end.
func (w *Work) Stopped() bool {
	if w == nil {
		return false
	}
	if w.steps++; w.steps%stepsBetweenLooks == 0 && w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err != nil
}

// Err returns the error of the context if the work has to end.
func (w *Work) Err() error {
	if w == nil {
		return nil
	}
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err
}
