package lifecycle_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"tarmac/service/accounts"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

func TestATransferToTheBankChangesBothBalancesAndAddsNoTransaction(t *testing.T) {
	f := newFixture(t)
	bank := accounts.Linked{
		Name: "Bank", Currency: "USD", BalanceMinor: 500, USDCents: 500, USDKnown: true, ReadAt: created,
	}
	f.write(func(tx *store.Tx) error {
		err := tx.SetAccount(
			f.org, true,
			accounts.Balance{AvailableCents: 1000, HoldingCents: 20, LockedCents: 3, PendingCents: 4, SyncedAt: created},
		)
		return errors.Join(err, tx.SetLinkedAccount(f.org, bank))
	})

	if err := f.move(func(m lifecycle.Transitions) error { return m.TransferToBank(f.org, "Bank", 300) }); err != nil {
		t.Fatal(err)
	}

	f.read(func(s *store.Snapshot) error {
		account, err := s.ManagedAccount(f.org)
		if want := (accounts.Balance{
			AvailableCents: 700, HoldingCents: 20, LockedCents: 3, PendingCents: 4, SyncedAt: storedNow,
		}); account.Balance != want {
			t.Errorf("the account has %+v; want %+v", account.Balance, want)
		}
		linked, err2 := s.LinkedAccounts(f.org)
		bank.BalanceMinor, bank.USDCents, bank.ReadAt = 800, 800, storedNow
		if len(linked) != 1 || linked[0] != bank {
			t.Errorf("the bank has %+v; want %+v", linked, bank)
		}
		all, err3 := s.Summary(f.org, ledger.Filter{})
		if all != (ledger.Summary{}) {
			t.Errorf("the ledger's summary is %+v", all)
		}
		return errors.Join(err, err2, err3)
	})
}

func TestARefusedTransferChangesNoBalance(t *testing.T) {
	f := newFixture(t)
	balance := accounts.Balance{AvailableCents: 1000, HoldingCents: 500, SyncedAt: created}
	linked := []accounts.Linked{
		{Name: "Bank", Currency: "USD", BalanceMinor: 5, USDCents: 5, USDKnown: true, ReadAt: created},
		{Name: "Euro", Currency: "EUR", BalanceMinor: 5, USDCents: 5, USDKnown: true, ReadAt: created},
		{
			Name: "Full", Currency: "USD", BalanceMinor: math.MaxInt64, USDCents: math.MaxInt64, USDKnown: true, ReadAt: created,
		},
	}
	set := func(open bool) {
		f.write(func(tx *store.Tx) error {
			err := tx.SetAccount(f.org, open, balance)
			for _, l := range linked {
				err = errors.Join(err, tx.SetLinkedAccount(f.org, l))
			}
			return err
		})
	}
	for _, c := range []struct {
		name, bank string
		open       bool
		cents      int64
	}{
		{"closed", "Bank", false, 1},
		{"nothing", "Bank", true, 0},
		{"less than nothing", "Bank", true, -1},
		{"more than is available", "Bank", true, 1001},
		{"another currency", "Euro", true, 1},
		{"more than fits", "Full", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			set(c.open)

			err := f.move(func(m lifecycle.Transitions) error { return m.TransferToBank(f.org, c.bank, c.cents) })

			var invalid *lifecycle.Invalid
			if !errors.As(err, &invalid) {
				t.Errorf("the transfer: %v", err)
			}
			f.read(func(s *store.Snapshot) error {
				account, err := s.ManagedAccount(f.org)
				checkInvoice, err2 := s.LinkedAccounts(f.org)
				if account.Balance != balance || !slices.Equal(checkInvoice, linked) {
					t.Errorf("%+v and %+v are left", account.Balance, checkInvoice)
				}
				return errors.Join(err, err2)
			})
		})
	}
	set(true)
	err := f.move(func(m lifecycle.Transitions) error { return m.TransferToBank(f.org, "None", 1) })
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("to a bank that is not linked: %v", err)
	}
}
