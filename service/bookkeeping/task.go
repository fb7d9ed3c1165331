package bookkeeping

import "tarmac/internal/panics"

// task is a function that runs in a goroutine of its own.
type task struct {
	done  chan struct{}
	err   error
	fault *panics.Fault
}

// start runs a function in a goroutine.
func start(run func() error) *task {
	t := &task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		defer func() {
			if r := recover(); r != nil {
				t.fault = panics.Describe(r)
			}
		}()
		t.err = run()
	}()
	return t
}

// wait waits for the end of the function and returns its error. If the function panicked, wait
// panics too. A nil task has ended without error.
func (t *task) wait() error {
	if t == nil {
		return nil
	}
	<-t.done
	if t.fault != nil {
		panic(t.fault)
	}
	return t.err
}
