package assistant

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/client/answer"
	"tarmac/client/record"
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
	from := answer.Source{Client: source, Now: now}
	account, accountErr := answer.Account(ctx, from)
	position, positionErr := answer.Cash(ctx, from, answer.CashParams{})
	if positionErr != nil && (accountErr != nil || errors.Is(positionErr, context.Canceled)) {
		return nil, positionErr
	}
	var found Cash
	if accountErr == nil {
		found.Account = balanceOf(account.Object, now)
	}
	if positionErr == nil {
		found.Position = positionOf(position.Object)
	}
	if accountErr != nil {
		none := unknown(found.Position.CashOnHand.Currency, ReasonOf(accountErr))
		found.Account = Balance{Status: "unknown", Available: none, Holding: none, Locked: none, Pending: none}
	}
	if positionErr != nil {
		none := unknown(found.Account.Available.Currency, ReasonOf(positionErr))
		found.Position = Position{
			CashOnHand: none, Spendable: none, NetBurn: none, Others: []Figure{}, RunwayReason: none.Reason,
		}
	}
	return &found, nil
}

// balanceOf describes an account.
func balanceOf(o record.Object, now time.Time) Balance {
	status, balance, synced := o.Get("status"), o.Get("balance"), o.Get("synced_at")
	b := Balance{Status: word(apiclient.AccountStatus(status.Raw()))}
	if at, ok := synced.At(); ok {
		age := int64(max(now.Sub(at), 0).Seconds())
		b.SyncedAt, b.Age = &at, &age
	}
	parts, _ := balance.NestedFields()
	b.Available, b.Holding = amountIn(parts.Get("available_cents")), amountIn(parts.Get("holding_cents"))
	b.Locked, b.Pending = amountIn(parts.Get("locked_cents")), amountIn(parts.Get("pending_cents"))
	if _, known := balance.Object(); !known {
		reason := "there is no balance"
		if b.Status == string(apiclient.AccountNotOpen) {
			reason = "no account is open yet"
		}
		none := unknown(b.Available.Currency, reason)
		b.Available, b.Holding, b.Locked, b.Pending = none, none, none, none
	}
	return b
}

// positionOf describes a cash position.
func positionOf(o record.Object) Position {
	p := Position{
		CashOnHand: amountIn(o.Get("cash_cents")), Spendable: amountIn(o.Get("runway_cash_cents")),
		NetBurn: amountIn(o.Get("monthly_burn_cents")), Others: []Figure{},
	}
	for _, f := range o.Listed("runway_cash_cents") {
		p.Others = append(p.Others, Figure{f.Label, amountIn(f)})
	}
	asOf, burning, runway, zero := o.Get("as_of"), o.Get("is_burning"), o.Get("runway_months"), o.Get("zero_cash_month")
	if at, ok := asOf.At(); ok {
		p.AsOf = &at
	}
	if burning.Known() {
		isBurning := burning.IsTrue()
		p.IsBurning = &isBurning
	}
	if months, err := strconv.ParseFloat(runway.Raw(), 64); err == nil && runway.Known() {
		p.RunwayMonths = &months
	}
	if zero.Known() {
		month := zero.Raw()
		p.ZeroCashMonth = &month
	}
	reason, note := o.Get("runway_reason"), o.Get("server_note")
	p.RunwayReason = reason.Text()
	if text := note.Text(); text != "" {
		marked := untrustedUpTo(text, maxSentence)
		p.Note = &marked
	}
	return p
}
