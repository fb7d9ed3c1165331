package outbox

import "time"

// Setters for tests, mostly to shorten time-outs.

func (d *Dispatcher) SetTimeout(timeout time.Duration) { d.limits.timeout = timeout }
func (d *Dispatcher) SetDrain(drain time.Duration)     { d.limits.drainTimeout = drain }
func (d *Dispatcher) SetBackoff(backoff time.Duration) {
	d.limits.backoff, d.limits.maxBackoff = backoff, backoff
}
func (d *Dispatcher) SetSlow(slots int, after time.Duration) {
	d.limits.slow, d.limits.slowAfter = slots, after
}
