package outbox

import "time"

// The tests that wait for a time-out wait for less.

func (d *Dispatcher) SetTimeout(timeout time.Duration) { d.limits.timeout = timeout }
func (d *Dispatcher) SetDrain(drain time.Duration)     { d.limits.drain = drain }
func (d *Dispatcher) SetBackoff(most time.Duration)    { d.limits.backoff, d.limits.most = most, most }
func (d *Dispatcher) SetSlow(slots int, after time.Duration) {
	d.limits.slow, d.limits.slowAfter = slots, after
}
