package bank

import (
	"context"
	"errors"
	"io"
	"time"
)

// Limits of what reading may cost. Reading a file takes a few steps for each of its bytes, however
// often it is read, so a file that needs more is refused.
const (
	MaxFile       = 1 << 30   // bytes of a file
	maxFiles      = 4 << 30   // bytes of all files of an import
	maxUnpacked   = 256 << 20 // bytes unpacked from a file
	freeSteps     = 256 << 20 // steps of a file of any size
	stepsOfByte   = 64
	freeTime      = time.Minute // time to read a file of any size
	timeOfMB      = 10 * time.Second
	betweenChecks = 64 << 10 // steps between two looks at the context
)

// Budget bounds what an import or one of its files may cost: bytes, bytes unpacked from archives,
// steps of readers, and time. A step is a byte that is looked at, or a token.
type Budget struct {
	ctx             context.Context
	left            int64 // bytes of files; of an import only
	steps, maxSteps int64
	unpacked        int64
	next            int64 // steps at which to look at the context again
}

// NewBudget returns the budget of an import. Reading ends with an error when ctx is done.
func NewBudget(ctx context.Context) *Budget {
	return &Budget{ctx: ctx, left: maxFiles, maxSteps: freeSteps + stepsOfByte*maxFiles}
}

// File returns the budget of a file of the import. The caller must call cancel when the file is
// read. File returns an error if the file is too large.
func (b *Budget) File(size int64) (file *Budget, cancel context.CancelFunc, err error) {
	if size > MaxFile {
		return nil, nil, Errorf(0, "is larger than 1 GB: split it")
	}
	if b.left -= size; b.left < 0 {
		return nil, nil, Errorf(0, "makes the import larger than 4 GB: import fewer files at a time")
	}
	most := freeTime + timeOfMB*time.Duration(size>>20)
	ctx, cancel := context.WithTimeoutCause(b.ctx, most, Errorf(0, "takes longer than %v to read", most))
	return &Budget{ctx: ctx, maxSteps: freeSteps + stepsOfByte*size}, cancel, nil
}

// Step counts a token of n bytes, or n bytes that are looked at. It returns an error when the
// budget is used up or the context is done. Readers call it for whatever they repeat.
func (b *Budget) Step(n int) error {
	if b.steps += int64(n) + 1; b.steps < b.next {
		return nil
	}
	b.next = b.steps + betweenChecks
	if b.steps > b.maxSteps {
		return Errorf(0, "takes more than %d steps to read, far more than its size explains", b.maxSteps)
	}
	if b.ctx.Err() == nil {
		return nil
	}
	if late := (*Error)(nil); errors.As(context.Cause(b.ctx), &late) {
		return late
	}
	return b.ctx.Err()
}

// Steps returns the number of steps so far.
func (b *Budget) Steps() int64 { return b.steps }

// Reader counts what is read from r as steps.
func (b *Budget) Reader(r io.Reader) io.Reader { return counting{b, r} }

type counting struct {
	budget *Budget
	in     io.Reader
}

// Read implements io.Reader.
func (c counting) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	if over := c.budget.Step(n); over != nil {
		return 0, over
	}
	return n, err
}

// Unpacked counts what is read from r, which unpacks a part of the file. Reading more than 256 MB
// from all parts of the file is an error.
func (b *Budget) Unpacked(r io.Reader) io.Reader { return unpacking{b.Reader(r), b} }

type unpacking struct {
	io.Reader
	budget *Budget
}

// Read implements io.Reader.
func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	u.budget.maxSteps += stepsOfByte * int64(n)
	if u.budget.unpacked += int64(n); u.budget.unpacked > maxUnpacked {
		return 0, Errorf(0, "is larger than %d MB when unpacked", maxUnpacked>>20)
	}
	return n, err
}
