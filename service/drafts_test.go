package service_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tarmac/service/access"
	"tarmac/service/store"
)

const tooManyDrafts = "the organization already has 3 drafts; send or void some first"

func (f *fixture) limitDrafts(a tenant, drafts int, bytes int64) {
	f.t.Helper()
	_, err := f.service.LimitOrganization(f.t.Context(), a.id, func(l *store.OrganizationLimits) {
		l.Drafts, l.DraftBytes = drafts, bytes
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// drafted proposes an invoice and returns it.
func (f *fixture) drafted(a tenant, pairs ...string) (draft proposed) {
	f.t.Helper()
	got := f.propose(a, goodProposal, pairs...)
	if got.status != http.StatusCreated {
		f.t.Fatalf("%d %s", got.status, got.body)
	}
	f.decode(got, &draft)
	return draft
}

func TestDraftsBeyondTheLimitAreRefusedUntilOneIsDecided(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	f.limitDrafts(a, 3, 0)
	first, second := f.drafted(a), f.drafted(a)
	f.drafted(a)
	f.refused("the fourth", f.propose(a, goodProposal), http.StatusConflict, tooManyDrafts)
	f.restart()
	f.refused("the fourth, later", f.propose(a, goodProposal), http.StatusConflict, tooManyDrafts)
	if got := f.propose(b, goodProposal); got.status != http.StatusCreated {
		t.Errorf("another organization: %d %s", got.status, got.body)
	}
	if got := f.send(a.secret, http.MethodPost, prefix+"/webhooks", goodEndpoint); got.status != http.StatusCreated {
		t.Errorf("another write: %d %s", got.status, got.body)
	}

	if _, err := f.service.SendInvoice(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if next := f.drafted(a); next.Number != "INV-000004" {
		t.Errorf("a refusal used up a number: %s", next.Number)
	}
	if _, err := f.service.VoidInvoice(t.Context(), second.ID); err != nil {
		t.Fatal(err)
	}
	f.drafted(a)
	f.refused("the sixth", f.propose(a, goodProposal), http.StatusConflict, tooManyDrafts)
	f.limitDrafts(a, 4, 0)
	f.drafted(a)
}

// largestProposal is a proposal with texts as long as they may be.
func largestProposal() string {
	line := fmt.Sprintf(`{"description":"%s","quantity":"1","unit_price_cents":100}`, strings.Repeat("ẞ", 500))
	lines := strings.TrimSuffix(strings.Repeat(line+",", 100), ",")
	return strings.Replace(goodProposal, `{"description":"Hours","quantity":"1.5","unit_price_cents":160000}`, lines, 1)
}

func TestTheBytesOfDraftsAreLimited(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	f.limitDrafts(a, 0, 1<<20)
	const full = "the organization's drafts already take 1 MiB; send or void some first"
	for n := 0; ; n++ {
		got := f.propose(a, largestProposal())
		if got.status == http.StatusCreated && n < 10 {
			continue
		}
		f.refused("beyond the limit", got, http.StatusConflict, full)
		break
	}
	usage, err := f.service.Drafts(t.Context(), a.id)
	if err != nil || usage.Drafts < 4 || usage.Bytes > 1<<20 || usage.Bytes < 3<<18 {
		t.Errorf("%+v, %v", usage, err)
	}
	if got := f.propose(b, largestProposal()); got.status != http.StatusCreated {
		t.Errorf("another organization: %d %s", got.status, got.body)
	}
}

// 300 of the largest proposals wrote 78 MB before there were limits.
func TestDraftsAreLimitedWithoutALimitOfTheOrganizationsOwn(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for range 300 {
		if got := f.propose(a, largestProposal()); got.status == http.StatusConflict {
			if usage, err := f.service.Drafts(t.Context(), a.id); err != nil || usage.Bytes > 32<<20 {
				t.Errorf("%+v, %v", usage, err)
			}
			return
		}
	}
	t.Error("no proposal was refused")
}

func TestARepeatOfAnAcceptedProposalIsAnsweredAtTheLimit(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.limitDrafts(a, 3, 0)
	first := f.propose(a, goodProposal, "Idempotency-Key", "first")
	f.drafted(a)
	f.drafted(a)
	f.refused("another", f.propose(a, goodProposal, "Idempotency-Key", "other"), http.StatusConflict, tooManyDrafts)
	again := f.propose(a, goodProposal, "Idempotency-Key", "first")
	if again.status != http.StatusCreated || !bytes.Equal(again.body, first.body) {
		t.Errorf("the repeat: %d %s, first %s", again.status, again.body, first.body)
	}
}

// A line of the audit for each of them would fill the disk at the rate that the token may ask at.
func TestRepeatsAndRefusalsLeaveNoLineInTheAudit(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.limitDrafts(a, 3, 0)
	for range 3 {
		f.drafted(a)
	}
	lines := len(f.audit())
	for range 3 {
		f.refused("the fourth", f.propose(a, goodProposal), http.StatusConflict, tooManyDrafts)
	}
	f.limitDrafts(a, 4, 0)
	f.drafted(a, "Idempotency-Key", "k")
	for range 3 {
		f.drafted(a, "Idempotency-Key", "k")
	}
	for range 3 {
		got := f.send(a.secret, http.MethodDelete, prefix+"/webhooks/wh_none", "")
		f.refused("an unknown endpoint", got, http.StatusNotFound, "no such webhook endpoint")
	}
	if got := len(f.audit()); got != lines+1 {
		t.Errorf("%d lines more for one draft", got-lines)
	}
}

func TestTwoProcessesShareTheLimitOfDrafts(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.limitDrafts(a, 3, 0)
	second := *f
	second.open()
	defer second.close()
	var accepted atomic.Int64
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			one := [...]*fixture{f, &second}[i%2]
			got := one.propose(a, goodProposal)
			for got.status == http.StatusTooManyRequests {
				got = one.propose(a, goodProposal)
			}
			if got.status == http.StatusCreated {
				accepted.Add(1)
			}
		})
	}
	wg.Wait()
	if usage, err := f.service.Drafts(t.Context(), a.id); err != nil || accepted.Load() != 3 || usage.Drafts != 3 {
		t.Errorf("%d proposals were accepted, %+v, %v", accepted.Load(), usage, err)
	}
}

// A new token in place of one that was revoked gets neither the draft nor a second one.
func TestAnAnswerBelongsToTheTokenThatMadeTheRequest(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", access.InvoicesPropose)
	other := a
	other.secret = f.token(a, access.InvoicesPropose)
	first := f.propose(a, goodProposal, "Idempotency-Key", "k")
	const used = "this Idempotency-Key was used with another body or by another token"
	f.refused("another token", f.propose(other, goodProposal, "Idempotency-Key", "k"),
		http.StatusUnprocessableEntity, used)
	if again := f.propose(a, goodProposal, "Idempotency-Key", "k"); !bytes.Equal(again.body, first.body) {
		t.Errorf("the same token: %d %s", again.status, again.body)
	}
	if err := f.service.RevokeToken(t.Context(), a.token.PublicID); err != nil {
		t.Fatal(err)
	}
	f.refused("after a rotation", f.propose(other, goodProposal, "Idempotency-Key", "k"), http.StatusUnprocessableEntity,
		used)
	if usage, err := f.service.Drafts(t.Context(), a.id); err != nil || usage.Drafts != 1 {
		t.Errorf("%+v, %v", usage, err)
	}
}
