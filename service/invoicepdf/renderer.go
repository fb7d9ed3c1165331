package invoicepdf

import (
	"context"
	"fmt"
	"sync"
)

// Renderer bounds how many documents are rendered at a time, because each takes about 20 MB. For
// each organization it renders one at a time, so that no organization can block the others. It is
// safe for concurrent use.
type Renderer struct {
	fonts []*Font
	slots chan struct{}

	mu        sync.Mutex
	rendering map[string]chan struct{} // by organization; closed when its document is finished
}

// New returns a renderer of at most concurrent documents at a time; numbers below 1 mean 1. It uses
// fonts for characters that DejaVu Sans lacks.
func New(concurrent int, fonts ...*Font) *Renderer {
	return &Renderer{fonts: fonts, slots: make(chan struct{}, max(1, concurrent)), rendering: map[string]chan struct{}{}}
}

// Render calls the function Render for an organization, after waiting while too many documents are
// being rendered. If ctx ends during the wait, the error wraps that of ctx. Other errors are those
// of the function Render.
func (r *Renderer) Render(ctx context.Context, org string, d Document) ([]byte, error) {
	err := ctx.Err()
	if err == nil {
		err = r.acquire(ctx, org)
	}
	if err == nil {
		defer r.release(org)
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
			return Render(d, r.fonts...)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return nil, fmt.Errorf("%s was not rendered: %w", d.Invoice.Number(), err)
}

// acquire waits until no other document of the organization is being rendered.
func (r *Renderer) acquire(ctx context.Context, org string) error {
	for {
		r.mu.Lock()
		done, busy := r.rendering[org]
		if !busy {
			r.rendering[org] = make(chan struct{})
		}
		r.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *Renderer) release(org string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.rendering[org])
	delete(r.rendering, org)
}
