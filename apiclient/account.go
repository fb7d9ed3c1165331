package apiclient

import (
	"context"
	"encoding/json"
	"time"

	"tarmac/internal/termtext"
)

// Ping says whom a token belongs to (docs/api.md, Ping).
type Ping struct {
	OrgID          string
	Scopes         []string   // nil when the server does not say
	TokenExpiresAt *time.Time // UTC; nil when it does not expire or the server does not say
}

// Ping asks whom the token belongs to. It needs no scope.
func (c *Client) Ping(ctx context.Context) (*Ping, error) {
	call := read("/ping", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer object
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	ping := &Ping{
		OrgID:          answer.text("org_id", "organization_id", "organization", "org"),
		TokenExpiresAt: answer.moment("token_expires_at", "expires_at"),
	}
	if ping.OrgID == "" {
		return nil, call.broken("org_id", "is missing")
	}
	if take(&answer, &ping.Scopes, "scopes") {
		for i, scope := range ping.Scopes {
			ping.Scopes[i] = termtext.Line(scope)
		}
	}
	return ping, nil
}

// AccountStatus is whether a managed account exists (docs/api.md, Account).
type AccountStatus string

// The statuses of an account.
const (
	AccountOpen    AccountStatus = "open"
	AccountNotOpen AccountStatus = "not_open"
)

// Known reports whether s is one of the API's.
func (s AccountStatus) Known() bool { return s == AccountOpen || s == AccountNotOpen }

// Account is the managed account (docs/api.md, Account).
type Account struct {
	OrgID    string
	Status   AccountStatus
	Balance  *Balance   // nil when there is no account
	SyncedAt *time.Time // UTC; when the balance was last read from the provider
}

// Balance is what the account holds, in USD cents.
type Balance struct {
	AvailableCents int64 // spendable now
	HoldingCents   int64 // held
	LockedCents    int64 // locked against obligations
	PendingCents   int64 // pending clearing
}

// Account returns the account and its balance, read live (docs/api.md, Live
// balance). When the balance cannot be read the error is ErrUnavailable.
func (c *Client) Account(ctx context.Context) (*Account, error) {
	call := read("/account", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer struct {
		OrgID   *string `json:"org_id"`
		Status  *string `json:"status"`
		Balance *struct {
			Available *int64 `json:"available_cents"`
			Holding   *int64 `json:"holding_cents"`
			Locked    *int64 `json:"locked_cents"`
			Pending   *int64 `json:"pending_cents"`
		} `json:"balance"`
		SyncedAt *string `json:"synced_at"`
	}
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	f := call.fields()
	account := &Account{
		OrgID:    f.text("org_id", answer.OrgID),
		Status:   AccountStatus(f.text("status", answer.Status)),
		SyncedAt: f.optionalTime("synced_at", answer.SyncedAt),
	}
	switch b := answer.Balance; {
	case b != nil:
		account.Balance = &Balance{
			AvailableCents: need(f, "balance.available_cents", b.Available),
			HoldingCents:   need(f, "balance.holding_cents", b.Holding),
			LockedCents:    need(f, "balance.locked_cents", b.Locked),
			PendingCents:   need(f, "balance.pending_cents", b.Pending),
		}
	case account.Status == AccountOpen:
		f.fail("balance", "is missing though the account is open")
	}
	if err := f.failure(); err != nil {
		return nil, err
	}
	return account, nil
}

// CashPosition is cash, net burn and runway (docs/api.md, Cash position). All cents
// are USD.
type CashPosition struct {
	OrgID            string
	Status           AccountStatus
	AsOf             time.Time // UTC
	CashCents        int64     // cash on hand
	MonthlyBurnCents int64     // estimated net burn a month; 0 when not burning
	IsBurning        bool
	Sufficient       bool    // enough history and a cash reading to estimate
	RunwayCashCents  *int64  // what the runway is computed from; nil when there is no basis
	RunwayMonths     *Months // nil unless burning and sufficient
	RunwayNote       string  // the runway in words, or why there is none
}

// CashPosition returns cash, net burn and runway.
func (c *Client) CashPosition(ctx context.Context) (*CashPosition, error) {
	call := read("/insights/cash-position", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer struct {
		OrgID        *string      `json:"org_id"`
		Status       *string      `json:"status"`
		AsOf         *string      `json:"as_of"`
		Cash         *int64       `json:"cash_cents"`
		Burn         *int64       `json:"monthly_burn_cents"`
		IsBurning    *bool        `json:"is_burning"`
		Sufficient   *bool        `json:"sufficient"`
		RunwayCash   *int64       `json:"runway_cash_cents"`
		RunwayMonths *json.Number `json:"runway_months"`
		RunwayNote   *string      `json:"runway_note"`
	}
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	f := call.fields()
	position := &CashPosition{
		OrgID:            f.text("org_id", answer.OrgID),
		Status:           AccountStatus(f.text("status", answer.Status)),
		AsOf:             f.time("as_of", answer.AsOf),
		CashCents:        need(f, "cash_cents", answer.Cash),
		MonthlyBurnCents: f.magnitude("monthly_burn_cents", answer.Burn),
		IsBurning:        need(f, "is_burning", answer.IsBurning),
		Sufficient:       need(f, "sufficient", answer.Sufficient),
		RunwayCashCents:  answer.RunwayCash,
		RunwayNote:       optionalText(answer.RunwayNote),
	}
	// A runway without burn or history is not one, whatever is sent.
	if answer.RunwayMonths != nil && position.IsBurning && position.Sufficient {
		months, err := parseMonths(answer.RunwayMonths.String())
		if err != nil {
			f.fail("runway_months", err.Error())
		}
		position.RunwayMonths = &months
	}
	if err := f.failure(); err != nil {
		return nil, err
	}
	return position, nil
}
