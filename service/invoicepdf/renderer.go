package invoicepdf

import (
	"context"
	"fmt"
	"sync"
)

// Renderer renders documents, so many at a time: one takes about 20 MB while it
// is made. Of one organization it makes one at a time, so that whoever asks for
// very many keeps nobody else waiting. It is safe for concurrent use.
type Renderer struct {
	fonts []*Font
	turns chan struct{}

	mu     sync.Mutex
	making map[string]chan struct{} // by organization; closed when its document is made
}

// New returns a renderer of at most so many documents at a time, at least one. What
// the embedded fonts lack is set in those that are given.
func New(concurrent int, fonts ...*Font) *Renderer {
	return &Renderer{fonts: fonts, turns: make(chan struct{}, max(1, concurrent)), making: map[string]chan struct{}{}}
}

// Render waits for its turn and renders d for an organization. It returns what
// Render returns, or an error that wraps ctx's when ctx ends before the turn comes.
func (r *Renderer) Render(ctx context.Context, org string, d Document) ([]byte, error) {
	err := ctx.Err()
	if err == nil {
		err = r.begin(ctx, org)
	}
	if err == nil {
		defer r.end(org)
		select {
		case r.turns <- struct{}{}:
			defer func() { <-r.turns }()
			return Render(d, r.fonts...)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return nil, fmt.Errorf("%s was not rendered: %w", d.Invoice.Number(), err)
}

// begin waits until nothing else is made for the organization.
func (r *Renderer) begin(ctx context.Context, org string) error {
	for {
		r.mu.Lock()
		made, busy := r.making[org]
		if !busy {
			r.making[org] = make(chan struct{})
		}
		r.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-made:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *Renderer) end(org string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.making[org])
	delete(r.making, org)
}
