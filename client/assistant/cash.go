package assistant

import (
	"context"
	"errors"
	"time"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/money"
)

// Cash is a company's balance, its cash on hand, net burn and runway.
type Cash struct {
	Account  Balance  `json:"account" jsonschema:"the account at the provider, read now"`
	Position Position `json:"position" jsonschema:"all settled cash, held and locked included, and how long it lasts"`
}

// Balance holds the parts of the account's balance.
type Balance struct {
	Status    string     `json:"status" jsonschema:"open, not_open, other or unknown"`
	Available Amount     `json:"available" jsonschema:"what can be spent now"`
	Holding   Amount     `json:"holding"`
	Locked    Amount     `json:"locked"`
	Pending   Amount     `json:"pending"`
	SyncedAt  *time.Time `json:"synced_at" jsonschema:"when the provider reported the balance (UTC)"`
	Age       *int64     `json:"age_seconds" jsonschema:"time since synced_at; null if unknown"`
}

// Position holds cash, net burn and runway.
type Position struct {
	AsOf          *time.Time `json:"as_of" jsonschema:"UTC"`
	CashOnHand    Amount     `json:"cash_on_hand" jsonschema:"all settled cash, held and locked included"`
	Spendable     Amount     `json:"spendable" jsonschema:"used for the runway; held, locked and pending excluded"`
	NetBurn       Amount     `json:"net_burn_per_month" jsonschema:"estimate from past months; 0 if not burning"`
	IsBurning     *bool      `json:"is_burning" jsonschema:"true if money out exceeds money in"`
	RunwayMonths  *float64   `json:"runway_months" jsonschema:"estimate: months until the spendable cash is gone"`
	ZeroCashMonth *string    `json:"zero_cash_month" jsonschema:"estimate: the month in which cash runs out"`
	Others        []Figure   `json:"others" jsonschema:"further figures of the cash"`
	RunwayReason  string     `json:"runway_reason,omitempty" jsonschema:"why there is no runway"`
	Note          *Untrusted `json:"note" jsonschema:"the server's note on the runway"`
}

// Figure is an amount with its label.
type Figure struct {
	Label  string `json:"label"`
	Amount Amount `json:"amount"`
}

// GetCash returns the balance and the cash position. If only one of them can be read, the amounts
// of the other one are unknown. If neither can be read, GetCash returns the error of the position.
func GetCash(ctx context.Context, source Source, now time.Time) (*Cash, error) {
	account, accountErr := source.Account(ctx)
	currency := ""
	if accountErr == nil {
		currency = account.Currency
	}
	position, positionErr := cash.Read(ctx, source)
	if positionErr != nil && (accountErr != nil || errors.Is(positionErr, context.Canceled)) {
		return nil, positionErr
	}
	found := Cash{Position: positionOf(position, positionErr, currency)}
	found.Account = balanceOf(account, accountErr, found.Position.CashOnHand.Currency, now)
	return &found, nil
}

// balanceOf describes an account. The currency is that of the position, in case the account could
// not be read.
func balanceOf(a *apiclient.Account, err error, currency string, now time.Time) Balance {
	if err != nil {
		none := unknown(currency, ReasonOf(err))
		return Balance{Status: "unknown", Available: none, Holding: none, Locked: none, Pending: none}
	}
	b := Balance{Status: word(a.Status), SyncedAt: plausible(a.SyncedAt)}
	if b.SyncedAt != nil {
		age := int64(max(now.Sub(*b.SyncedAt), 0).Seconds())
		b.Age = &age
	}
	if a.Balance == nil {
		reason := "there is no balance"
		if a.Status == apiclient.AccountNotOpen {
			reason = "no account is open yet"
		}
		none := unknown(a.Currency, reason)
		b.Available, b.Holding, b.Locked, b.Pending = none, none, none, none
		return b
	}
	o := record.Balance(a)
	b.Available, b.Holding = amountIn(o.Get("available_cents")), amountIn(o.Get("holding_cents"))
	b.Locked, b.Pending = amountIn(o.Get("locked_cents")), amountIn(o.Get("pending_cents"))
	return b
}

// positionOf describes a position. The currency is that of the account, in case the position could
// not be read.
func positionOf(c figures.Cash, err error, currency string) Position {
	if err != nil {
		none := unknown(currency, ReasonOf(err))
		return Position{CashOnHand: none, Spendable: none, NetBurn: none, Others: []Figure{}, RunwayReason: none.Reason}
	}
	o := record.CashPosition(c)
	p := Position{
		AsOf: plausible(&c.Position.AsOf), CashOnHand: amountIn(o.Get("cash_cents")),
		Spendable: amountIn(o.Get("runway_cash_cents")), NetBurn: amountIn(o.Get("monthly_burn_cents")),
		Others: []Figure{}, RunwayReason: c.Reason,
	}
	for _, f := range o.Listed("runway_cash_cents") {
		p.Others = append(p.Others, Figure{f.Label, amountIn(f)})
	}
	if c.Burning != figures.BurningUnknown {
		burning := c.Burning == figures.IsBurning
		p.IsBurning = &burning
	}
	if note := c.Note(); note != "" {
		note := untrustedUpTo(note, 4*MaxText)
		p.Note = &note
	}
	if c.Runway != nil {
		months := float64(c.Runway.Tenths()) / 10
		p.RunwayMonths = &months
		if zero := c.ZeroMonth(); zero != money.Dash {
			p.ZeroCashMonth = &zero
		}
	}
	return p
}
