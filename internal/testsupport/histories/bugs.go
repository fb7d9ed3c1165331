package histories

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"

	"tarmac/service/payments"
)

// Bug is a defect that is planted before a service, to show that a check finds it.
type Bug struct {
	Name string
	Kind Kind // kind of the histories that violate
	// Service returns a service with the defect.
	Service func(next http.Handler) http.Handler
	// Operator returns an operator with the defect; nil if the defect is the service's.
	Operator func(Operator) Operator
}

// Bugs returns all defects.
func Bugs() []Bug {
	return []Bug{
		{Name: "an endpoint as it was before a change", Kind: Endpoints, Service: stale("/webhooks/")},
		{Name: "a payment as it was before a change", Kind: Payments, Service: stale("/payment-intents/")},
		{Name: "invoices as they were before a proposal", Kind: Numbers, Service: stale("/invoices")},
		{Name: "the invoices of another organization", Kind: Numbers, Service: anotherOrganization},
		{Name: "a change of an endpoint that is confirmed and lost", Kind: Endpoints, Service: lostChange},
		{Name: "a rotation that is confirmed and lost", Kind: Secrets, Service: lostRotation},
		{Name: "a key that is forgotten", Kind: Keys, Service: forgottenKey},
		{Name: "a key that repeats the answer to another body", Kind: Keys, Service: anotherBody},
		{Name: "a number that is given twice", Kind: Numbers, Service: numberTwice},
		{Name: "a change of a payment that is confirmed and lost", Kind: Payments, Operator: lostMove},
	}
}

// sometimes returns a function that is true once in n calls.
func sometimes(n int64) func() bool {
	var calls atomic.Int64
	return func() bool { return calls.Add(1)%n == 0 }
}

// memory holds answers by text.
type memory struct {
	mu  sync.Mutex
	all map[string]*httptest.ResponseRecorder
}

func newMemory() *memory { return &memory{all: map[string]*httptest.ResponseRecorder{}} }

// swap stores an answer and returns the one before, or nil.
func (m *memory) swap(key string, a *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.all[key]
	m.all[key] = a
	return before
}

// ask passes a request on with a body, and returns the answer.
func ask(next http.Handler, r *http.Request, method string, body []byte) *httptest.ResponseRecorder {
	again := r.Clone(r.Context())
	again.Method, again.Body, again.ContentLength = method, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	a := httptest.NewRecorder()
	next.ServeHTTP(a, again)
	return a
}

func bodyOf(r *http.Request) []byte {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return body
}

func answerWith(w http.ResponseWriter, a *httptest.ResponseRecorder, body []byte) {
	maps.Copy(w.Header(), a.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(a.Code)
	_, _ = w.Write(body) // the caller may be gone
}

// stale answers some readings of a path as the first one.
func stale(path string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		first, now := newMemory(), sometimes(3)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, path) {
				next.ServeHTTP(w, r)
				return
			}
			a := ask(next, r, r.Method, nil)
			key := r.Header.Get("Authorization") + r.URL.String()
			if before := first.swap(key, a); before != nil {
				first.swap(key, before)
				if now() {
					a = before
				}
			}
			answerWith(w, a, a.Body.Bytes())
		})
	}
}

// anotherOrganization answers some lists of invoices with the list of whoever asked before.
func anotherOrganization(next http.Handler) http.Handler {
	earlier, now := newMemory(), sometimes(4)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/invoices") {
			next.ServeHTTP(w, r)
			return
		}
		a := ask(next, r, r.Method, nil)
		if before := earlier.swap("", a); before != nil && now() {
			a = before
		}
		answerWith(w, a, a.Body.Bytes())
	})
}

// lostChange confirms some changes of endpoints without passing them on.
func lostChange(next http.Handler) http.Handler {
	now := sometimes(4)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPatch || !now() {
			next.ServeHTTP(w, r)
			return
		}
		body := bodyOf(r)
		a := ask(next, r, http.MethodGet, nil)
		var fields map[string]any
		for _, text := range [][]byte{a.Body.Bytes(), body} {
			if err := json.Unmarshal(text, &fields); err != nil {
				panic(http.ErrAbortHandler)
			}
		}
		changed, err := json.Marshal(fields)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		answerWith(w, a, changed)
	})
}

// lostRotation answers some rotations with a secret that another one replaces at once.
func lostRotation(next http.Handler) http.Handler {
	now := sometimes(3)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/rotate-secret") || !now() {
			next.ServeHTTP(w, r)
			return
		}
		a := ask(next, r, r.Method, nil)
		ask(next, r, r.Method, nil)
		answerWith(w, a, a.Body.Bytes())
	})
}

// forgottenKey passes some proposals on without their key.
func forgottenKey(next http.Handler) http.Handler {
	now := sometimes(4)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Idempotency-Key") != "" && now() {
			r.Header.Del("Idempotency-Key")
		}
		next.ServeHTTP(w, r)
	})
}

// anotherBody answers a proposal whose key was used with another body as if it had the same body.
func anotherBody(next http.Handler) http.Handler {
	first := newMemory()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		if key == "" {
			next.ServeHTTP(w, r)
			return
		}
		a := ask(next, r, r.Method, bodyOf(r))
		key += r.Header.Get("Authorization")
		if a.Code == http.StatusCreated {
			first.swap(key, a)
		} else if before := first.swap(key, nil); before != nil && a.Code == http.StatusUnprocessableEntity {
			first.swap(key, before)
			a = before
			w.Header().Set("Idempotent-Replayed", "true")
		}
		answerWith(w, a, a.Body.Bytes())
	})
}

// numberTwice gives some invoices the number of the one before.
func numberTwice(next http.Handler) http.Handler {
	earlier, now := newMemory(), sometimes(5)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/invoices") {
			next.ServeHTTP(w, r)
			return
		}
		a := ask(next, r, r.Method, bodyOf(r))
		before := earlier.swap(r.Header.Get("Authorization"), a)
		body := a.Body.Bytes()
		if a.Code == http.StatusCreated && before != nil && before.Code == http.StatusCreated && now() {
			body = bytes.ReplaceAll(body, numberIn(body), numberIn(before.Body.Bytes()))
		}
		answerWith(w, a, body)
	})
}

func numberIn(body []byte) []byte {
	var is invoiceAnswer
	if err := json.Unmarshal(body, &is); err != nil {
		panic(http.ErrAbortHandler)
	}
	return []byte(is.Number)
}

// forgetful is an operator that confirms some holds without doing them.
type forgetful struct {
	Operator
	now func() bool
}

func lostMove(o Operator) Operator { return forgetful{o, sometimes(3)} }

func (f forgetful) HoldPayment(ctx context.Context, id, reason string) (payments.Intent, error) {
	if f.now() {
		return payments.Intent{ID: id, Status: payments.Held}, nil
	}
	return f.Operator.HoldPayment(ctx, id, reason)
}
