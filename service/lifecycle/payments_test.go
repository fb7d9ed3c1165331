package lifecycle_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"tarmac/service/accounts"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
	"tarmac/service/store"
)

func seeded(n byte) io.Reader { return rand.NewChaCha8([32]byte{n}) }

var paymentMoves = []struct {
	name string
	to   payments.Status
	move func(lifecycle.Transitions, store.OrgKey, string) (payments.Intent, error)
	want func(*payments.Intent)
}{
	{"hold", payments.Held, func(m lifecycle.Transitions, org store.OrgKey, id string) (payments.Intent, error) {
		return m.HoldPayment(org, id, payments.AwaitingApproval)
	}, func(p *payments.Intent) { p.HeldAt, p.StatusReason = &storedNow, payments.AwaitingApproval }},
	{"approve", payments.Processing, lifecycle.Transitions.ApprovePayment, func(*payments.Intent) {}},
	{"complete", payments.Completed, lifecycle.Transitions.CompletePayment,
		func(p *payments.Intent) { p.CompletedAt = &storedNow }},
	{"fail", payments.Failed, func(m lifecycle.Transitions, org store.OrgKey, id string) (payments.Intent, error) {
		return m.FailPayment(org, id, " the bank refused it ")
	}, func(p *payments.Intent) { p.FailedAt, p.StatusReason = &storedNow, "the bank refused it" }},
	{"cancel", payments.Canceled, lifecycle.Transitions.CancelPayment,
		func(p *payments.Intent) { p.CanceledAt = &storedNow }},
}

var paymentStatuses = []payments.Status{
	payments.Processing, payments.Held, payments.Completed, payments.Failed, payments.Canceled,
}

func TestEveryMoveOfAPaymentFromEveryStatus(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one change after the other")
	}
	for _, m := range paymentMoves {
		t.Run(m.name, func(t *testing.T) {
			f := newFixture(t)
			var wantEvents []string
			for _, from := range paymentStatuses {
				want := f.payment("pi_"+string(from), from)
				var got payments.Intent
				err := f.move(func(moves lifecycle.Transitions) (err error) {
					got, err = m.move(moves, f.org, want.ID)
					return err
				})
				if !from.CanBecome(m.to) {
					var conflict *lifecycle.Conflict
					if !errors.As(err, &conflict) || conflict.Status != string(from) || conflict.Next != string(m.to) ||
						conflict.Record != "the payment "+want.ID {
						t.Errorf("%s: the error is %v (%+v)", from, err, conflict)
					}
				} else {
					want.Status, want.StatusReason, want.UpdatedAt = m.to, "", storedNow
					m.want(&want)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s: %v\n got %+v\nwant %+v", from, err, got, want)
					}
					// Processing has no event.
					if m.to != payments.Processing {
						wantEvents = append(wantEvents, paymentEvent(want.ID, m.to))
					}
				}
				f.checkPayment(want)
				f.checkEvents("after one that was "+string(from), wantEvents...)
			}
		})
	}
}

func paymentEvent(id string, status payments.Status) string {
	return `"type":"payment.` + string(status) + `","version":1,"occurred_at":"2026-11-21T12:00:00.123Z",` +
		`"data":{"payment_intent_id":"` + id + `","amount_cents":500,"currency":"USD"}}`
}

func (f fixture) checkPayment(want payments.Intent) {
	f.Helper()
	f.read(func(snap *store.Snapshot) error {
		got, err := snap.PaymentIntent(f.org, want.ID)
		if err == nil && !reflect.DeepEqual(got, want) {
			f.Errorf("kept\n got %+v\nwant %+v", got, want)
		}
		return err
	})
}

func validPayment() lifecycle.Payment {
	return lifecycle.Payment{
		AmountCents: 5_00, Currency: "USD", Direction: ledger.Outflow, Description: " d ", Counterparty: "c",
	}
}

func TestAPaymentBeginsProcessingOrHeld(t *testing.T) {
	for _, reason := range []string{"", payments.AwaitingApproval, payments.StepUpRequired} {
		f := newFixture(t)
		request := validPayment()
		request.HeldFor = reason
		var got payments.Intent
		err := f.move(func(m lifecycle.Transitions) (err error) {
			got, err = m.CreatePayment(f.org, request)
			return err
		})
		want := payments.Intent{
			ID: got.ID, Status: payments.Processing, AmountCents: 5_00, Currency: "USD", Direction: "outflow", Description: "d",
			Counterparty: "c",
			StatusReason: reason, CreatedAt: storedNow, UpdatedAt: storedNow,
		}
		if reason != "" {
			want.Status, want.HeldAt = payments.Held, &storedNow
		}
		if err != nil || !reflect.DeepEqual(got, want) || !regexp.MustCompile(`^pi_[0-9A-Z]{26}$`).MatchString(got.ID) {
			t.Errorf("%q: %v\n got %+v\nwant %+v", reason, err, got, want)
		}
		f.checkPayment(want)
		if reason == "" {
			f.checkEvents("processing")
		} else {
			f.checkEvents("held", paymentEvent(got.ID, payments.Held))
		}
	}
}

func TestAnInvalidPaymentIsRefused(t *testing.T) {
	f := newFixture(t)
	for name, change := range map[string]func(*lifecycle.Payment){
		"nothing":            func(p *lifecycle.Payment) { p.AmountCents = 0 },
		"less than nothing":  func(p *lifecycle.Payment) { p.AmountCents = -1 },
		"too much":           func(p *lifecycle.Payment) { p.AmountCents = 1_000_000_000_001 },
		"no currency":        func(p *lifecycle.Payment) { p.Currency = "" },
		"small letters":      func(p *lifecycle.Payment) { p.Currency = "usd" },
		"a long currency":    func(p *lifecycle.Payment) { p.Currency = "USDT" },
		"no description":     func(p *lifecycle.Payment) { p.Description = " " },
		"a long description": func(p *lifecycle.Payment) { p.Description = strings.Repeat("ł", 501) },
		"two lines":          func(p *lifecycle.Payment) { p.Description = "a\nb" },
		"no UTF-8":           func(p *lifecycle.Payment) { p.Counterparty = "\xff" },
		"no counterparty":    func(p *lifecycle.Payment) { p.Counterparty = "" },
		"held for fun":       func(p *lifecycle.Payment) { p.HeldFor = "fun" },
	} {
		request := validPayment()
		change(&request)
		err := f.move(func(m lifecycle.Transitions) error {
			_, err := m.CreatePayment(f.org, request)
			return err
		})
		var invalid *lifecycle.Invalid
		if !errors.As(err, &invalid) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.read(func(snap *store.Snapshot) error {
		all, err := snap.PaymentIntents(f.org, 10)
		if len(all) != 0 {
			t.Errorf("there are payments: %+v", all)
		}
		return err
	})
}

func TestAReasonMustFollowTheRulesOfItsStatus(t *testing.T) {
	f := newFixture(t)
	want := f.payment("pi_1", payments.Processing)
	for name, move := range map[string]func(lifecycle.Transitions) (payments.Intent, error){
		"a hold for fun": func(m lifecycle.Transitions) (payments.Intent, error) {
			return m.HoldPayment(f.org, "pi_1", "fun")
		},
		"a hold for nothing": func(m lifecycle.Transitions) (payments.Intent, error) {
			return m.HoldPayment(f.org, "pi_1", "")
		},
		"a failure in lines": func(m lifecycle.Transitions) (payments.Intent, error) {
			return m.FailPayment(f.org, "pi_1", "a\nb")
		},
		"a failure at length": func(m lifecycle.Transitions) (payments.Intent, error) {
			return m.FailPayment(f.org, "pi_1", strings.Repeat("a", 201))
		},
	} {
		err := f.move(func(m lifecycle.Transitions) error {
			_, err := move(m)
			return err
		})
		var invalid *lifecycle.Invalid
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.checkPayment(want)
	err := f.move(func(m lifecycle.Transitions) error {
		p, err := m.FailPayment(f.org, "pi_1", "")
		if p.StatusReason != "the payment could not be made" {
			t.Errorf("without a reason it is %q", p.StatusReason)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnAccountOpensAndCloses(t *testing.T) {
	f := newFixture(t)
	change := func(fn func(lifecycle.Transitions) error) error { return f.move(fn) }
	closing := func(m lifecycle.Transitions) error { return m.CloseAccount(f.org, "org_a") }
	opening := func(b accounts.Balance) func(lifecycle.Transitions) error {
		return func(m lifecycle.Transitions) error { return m.OpenAccount(f.org, "org_a", b) }
	}
	is := func(want store.Account) {
		t.Helper()
		f.read(func(snap *store.Snapshot) error {
			got, err := snap.ManagedAccount(f.org)
			if got != want {
				t.Errorf("the account is %+v; want %+v", got, want)
			}
			return err
		})
	}
	var conflict *lifecycle.Conflict
	if err := change(closing); !errors.As(err, &conflict) ||
		err.Error() != "the account of org_a is not_open already; it can become open" {
		t.Errorf("closing none: %v", err)
	}
	var invalid *lifecycle.Invalid
	for _, b := range []accounts.Balance{
		{PendingCents: -1}, {AvailableCents: 1 << 62, LockedCents: 1 << 62}, {AvailableCents: 1 << 62, PendingCents: 1 << 62},
	} {
		if err := change(opening(b)); !errors.As(err, &invalid) {
			t.Errorf("opening with %+v: %v", b, err)
		}
	}
	is(store.Account{})
	b := accounts.Balance{AvailableCents: 1, HoldingCents: 2, LockedCents: 3, PendingCents: 4}
	if err := change(opening(b)); err != nil {
		t.Error(err)
	}
	b.SyncedAt = storedNow
	is(store.Account{Exists: true, Open: true, Balance: b})
	if err := change(opening(accounts.Balance{})); !errors.As(err, &conflict) ||
		err.Error() != "the account of org_a is open already; it can become not_open" {
		t.Errorf("opening twice: %v", err)
	}
	is(store.Account{Exists: true, Open: true, Balance: b})
	if err := change(closing); err != nil {
		t.Error(err)
	}
	is(store.Account{Exists: true})
}
