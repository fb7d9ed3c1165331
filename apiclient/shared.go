package apiclient

import (
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"
)

// SharedPages lets clients in one program share the pages of transactions that they decode. If the
// same bytes arrive again, a client gets the rows of the earlier response as long as anything still
// refers to these rows. SharedPages itself keeps no rows alive. Its zero value is ready to use, and
// it is safe for concurrent use.
type SharedPages struct {
	mu    sync.Mutex
	pages map[bodySum]weak.Pointer[sharedPage]
}

// bodySum identifies a body and how it is read: the same bytes mean something else if the server
// has not applied a preference.
type bodySum struct {
	sum                 [sha256.Size]byte
	reporting, extended bool
}

// maxShared is the maximum number of rows of a shared page, and minShared the minimum. A shared
// page has memory for maxShared rows.
const (
	maxShared = 200
	minShared = 100
)

// sharedPage holds a page and its rows in one piece of memory, so that the weak pointer is valid as
// long as a slice of the rows is in use.
type sharedPage struct {
	page TransactionPage // without Data
	rows [maxShared]Transaction
	n    int
}

// WithSharedPages makes the client share pages of transactions with other clients. Callers must not
// change the rows of a page.
func WithSharedPages(shared *SharedPages) Option {
	return func(c *Client) error {
		c.shared = shared
		return nil
	}
}

// transactionPage decodes a page, or returns the page that another client has decoded from the same
// bytes.
func (c *Client) transactionPage(call call, body []byte) (*TransactionPage, error) {
	if c.shared == nil {
		return decodeTransactions(call, body)
	}
	sum := bodySum{sha256.Sum256(body), call.reporting, call.extended}
	if page := c.shared.get(sum); page != nil {
		return page, nil
	}
	page, err := decodeTransactions(call, body)
	if err != nil || len(page.Data) < minShared || len(page.Data) > maxShared {
		return page, err
	}
	if unreadable, _ := CountUnreadable(page.Data); unreadable > 0 {
		return page, nil // its errors belong to this request
	}
	return c.shared.add(sum, page), nil
}

// get returns the page that was decoded from the bytes with this sum, or nil if its rows are no
// longer in use.
func (s *SharedPages) get(sum bodySum) *TransactionPage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if shared := s.pages[sum].Value(); shared != nil {
		return shared.share()
	}
	return nil
}

// add returns a page with the same content whose rows later calls of get share.
func (s *SharedPages) add(sum bodySum, page *TransactionPage) *TransactionPage {
	shared := &sharedPage{page: *page, n: len(page.Data)}
	copy(shared.rows[:], page.Data)
	shared.page.Data = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages == nil {
		s.pages = map[bodySum]weak.Pointer[sharedPage]{}
	}
	if earlier := s.pages[sum].Value(); earlier != nil {
		return earlier.share()
	}
	s.pages[sum] = weak.Make(shared)
	runtime.AddCleanup(shared, s.forget, sum)
	return shared.share()
}

// forget removes the entry of a page whose rows are no longer in use.
func (s *SharedPages) forget(sum bodySum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages[sum].Value() == nil { // another client may have decoded the page anew
		delete(s.pages, sum)
	}
}

// share returns a page whose rows are those of p. Appending to them copies them.
func (p *sharedPage) share() *TransactionPage {
	page := p.page
	page.Data = p.rows[:p.n:p.n]
	return &page
}
