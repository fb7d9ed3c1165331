package invoicepdf

import (
	"context"
	"fmt"
	"sync"
)

// Renderer bounds how many documents are rendered at a time, because each takes about 20 MB.
// It renders one at a time for each organization, so that none can block the others. It is
// safe for concurrent use.
type Renderer struct {
	fonts []*Font
	slots chan struct{}

	mu        sync.Mutex
	rendering map[string]chan struct{} // by organization; closed when its document is done
}

// New returns a renderer of at most concurrent documents at a time, and at least one. It uses
// the fonts for characters that DejaVu lacks.
func New(concurrent int, fonts ...*Font) *Renderer {
	return &Renderer{fonts: fonts, slots: make(chan struct{}, max(1, concurrent)), rendering: map[string]chan struct{}{}}
}

// Render waits for a slot and renders d for an organization. The errors are those of the
// function Render. If ctx ends before there is a slot, the error wraps that of ctx.
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

// acquire waits until no other document is rendered for the organization.
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
