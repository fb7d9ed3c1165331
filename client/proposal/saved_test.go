package proposal_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/client/state"
)

var now = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// proposer counts the proposals that it receives.
type proposer struct{ sent int }

func (p *proposer) ProposeInvoice(
	context.Context, apiclient.InvoiceProposal, ...apiclient.ProposeOption,
) (*apiclient.Invoice, error) {
	p.sent++
	return &apiclient.Invoice{ID: "inv_1"}, nil
}

func TestADraftIsWrittenAndOpenedAgain(t *testing.T) {
	store := draft.NewStore(state.Directory(t.TempDir()))
	d, _, err := proposal.OpenDraft(store, "org", rand.Reader, now)
	if !errors.Is(err, fs.ErrNotExist) || d.Key == "" {
		t.Fatalf("a new draft: key %q, error %v", d.Key, err)
	}
	saved := proposal.Saved{Draft: d, Store: store, Org: "org"}
	saved.Draft.Description = "Consulting"

	if err := saved.Write(now)(); err != nil {
		t.Fatal(err)
	}

	again, _, err := proposal.OpenDraft(store, "org", rand.Reader, now)
	if err != nil || again.Description != "Consulting" || again.Key != d.Key {
		t.Errorf("opened again: %+v, %v", again, err)
	}
}

func TestTheLastWriteDecidesWhateverTheOrder(t *testing.T) {
	store := draft.NewStore(state.Directory(t.TempDir()))
	saved := proposal.Saved{Draft: draft.Draft{Key: "k"}, Store: store, Org: "org"}
	saved.Draft.Description = "first"
	first := saved.Write(now)
	saved.Draft.Description = "second"
	second := saved.Write(now)

	if err := errors.Join(second(), first()); err != nil {
		t.Fatal(err)
	}

	if d, _, err := store.Open("org", now); err != nil || d.Description != "second" {
		t.Errorf("the file has %q, %v", d.Description, err)
	}
}

func TestADraftThatWasSentGetsANewKeyWhenItChanges(t *testing.T) {
	saved := proposal.Saved{Draft: draft.Draft{Key: "k"}}

	if err := saved.Change(rand.Reader); err != nil || saved.Draft.Key != "k" {
		t.Errorf("before sending the key became %q, %v", saved.Draft.Key, err)
	}
	saved.MarkSent(now)
	if err := saved.Change(rand.Reader); err != nil || saved.Draft.Key == "k" || saved.KeyUsed {
		t.Errorf("after sending the key is %q, %v", saved.Draft.Key, err)
	}
}

func TestAChangeWithoutRandomnessKeepsTheUsedKey(t *testing.T) {
	saved := proposal.Saved{Draft: draft.Draft{Key: "k"}, KeyUsed: true}

	err := saved.Change(bytes.NewReader(nil))

	if err == nil || saved.Draft.Key != "k" || !saved.KeyUsed {
		t.Errorf("key %q, used %v, error %v", saved.Draft.Key, saved.KeyUsed, err)
	}
}

func TestADiscardedDraftLeavesNoFile(t *testing.T) {
	store := draft.NewStore(state.Directory(t.TempDir()))
	saved := proposal.Saved{Draft: draft.Draft{Key: "k", Description: "Consulting"}, Store: store, Org: "org"}
	if err := saved.Write(now)(); err != nil {
		t.Fatal(err)
	}

	remove, err := saved.Discard(rand.Reader)
	if err := errors.Join(err, remove()); err != nil {
		t.Fatal(err)
	}

	if saved.Draft.Description != "" || saved.Draft.Key == "k" {
		t.Errorf("the draft is %+v", saved.Draft)
	}
	if _, _, err := store.Open("org", now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file: %v", err)
	}
}

func TestASecondSendingKeepsTheTimeOfTheFirst(t *testing.T) {
	saved := proposal.Saved{}

	saved.MarkSent(now)
	saved.MarkSent(now.Add(time.Hour))

	if !saved.Draft.SentAt.Equal(now) {
		t.Errorf("sent at %v", saved.Draft.SentAt)
	}
}

func TestAProposalWhoseDraftCannotBeMarkedIsSentOnlyOnRequest(t *testing.T) {
	full := errors.New("no space left on device")
	write := func() error { return full }
	server := &proposer{}

	_, err := proposal.Send(t.Context(), server, apiclient.InvoiceProposal{}, "k", write, false)
	if unsaved := (*proposal.NotSavedError)(nil); !errors.As(err, &unsaved) || !errors.Is(err, full) || server.sent != 0 {
		t.Errorf("sent %d times, error %v", server.sent, err)
	}

	invoice, err := proposal.Send(t.Context(), server, apiclient.InvoiceProposal{}, "k", write, true)
	if err != nil || invoice == nil || server.sent != 1 {
		t.Errorf("on request: sent %d times, error %v", server.sent, err)
	}
}

func TestWithoutAStoreNothingIsSaved(t *testing.T) {
	d, openElsewhere, err := proposal.OpenDraft(nil, "org", rand.Reader, now)
	if !errors.Is(err, fs.ErrNotExist) || openElsewhere || d.Key == "" {
		t.Fatalf("opened: %+v, %v, %v", d, openElsewhere, err)
	}
	saved := proposal.Saved{Draft: d, Org: "org"}

	err = errors.Join(saved.Write(now)(), saved.Remove()())

	if err != nil {
		t.Error(err)
	}
}
