package apiclient

import (
	"context"
	"encoding/json"
	"time"

	"tarmac/internal/termtext"
)

// Ping is the owner of a token and what the token may do (docs/api.md, Ping).
type Ping struct {
	OrgID          string
	Scopes         []string   // nil when the server does not report them
	TokenExpiresAt *time.Time // UTC; nil when the token does not expire or the server does not report it
}

// Ping returns the owner and the scopes of the client's token. It needs no scope.
func (c *Client) Ping(ctx context.Context) (*Ping, error) {
	call := read("/ping", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var response object
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	ping := &Ping{
		OrgID:          response.text("org_id", "organization_id", "organization", "org"),
		TokenExpiresAt: response.timestamp("token_expires_at", "expires_at"),
	}
	if ping.OrgID == "" {
		return nil, call.contractError("org_id", "is missing")
	}
	if consume(&response, &ping.Scopes, "scopes") {
		for i, scope := range ping.Scopes {
			ping.Scopes[i] = termtext.Line(scope)
		}
	}
	return ping, nil
}

// AccountStatus is the state of the managed account (docs/api.md, Account).
type AccountStatus string

// The statuses of an account.
const (
	AccountOpen    AccountStatus = "open"
	AccountNotOpen AccountStatus = "not_open"
)

// Known reports whether the API defines s.
func (s AccountStatus) Known() bool { return s == AccountOpen || s == AccountNotOpen }

// Account is the managed account (docs/api.md, Account).
type Account struct {
	OrgID    string
	Status   AccountStatus
	Balance  *Balance   // nil when there is no account
	SyncedAt *time.Time // UTC; when the provider last reported the balance
}

// Balance is the money in the account, in USD cents.
type Balance struct {
	AvailableCents int64 // spendable now
	HoldingCents   int64 // held by the provider
	LockedCents    int64 // locked against obligations
	PendingCents   int64 // pending clearing
}

// Account returns the account and its current balance (docs/api.md, Live balance). It
// returns ErrUnavailable when the server cannot read the balance.
func (c *Client) Account(ctx context.Context) (*Account, error) {
	call := read("/account", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var response struct {
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
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	f := call.fields()
	account := &Account{
		OrgID:    f.text("org_id", response.OrgID),
		Status:   AccountStatus(f.text("status", response.Status)),
		SyncedAt: f.optionalTime("synced_at", response.SyncedAt),
	}
	switch b := response.Balance; {
	case b != nil:
		account.Balance = &Balance{
			AvailableCents: required(f, "balance.available_cents", b.Available),
			HoldingCents:   required(f, "balance.holding_cents", b.Holding),
			LockedCents:    required(f, "balance.locked_cents", b.Locked),
			PendingCents:   required(f, "balance.pending_cents", b.Pending),
		}
	case account.Status == AccountOpen:
		f.fail("balance", "is missing though the account is open")
	}
	if err := f.failure(); err != nil {
		return nil, err
	}
	return account, nil
}

// CashPosition is cash, net burn and runway, in USD cents (docs/api.md, Cash position).
type CashPosition struct {
	OrgID            string
	Status           AccountStatus
	AsOf             time.Time // UTC
	CashCents        int64     // cash on hand
	MonthlyBurnCents int64     // estimated net burn per month; 0 when not burning
	IsBurning        bool
	Sufficient       bool    // enough history and a cash balance for an estimate
	RunwayCashCents  *int64  // the cash behind the runway; nil when there is none
	RunwayMonths     *Months // nil unless burning and sufficient
	RunwayNote       string  // the runway as a sentence, or why there is none
}

// CashPosition returns cash, net burn and runway.
func (c *Client) CashPosition(ctx context.Context) (*CashPosition, error) {
	call := read("/insights/cash-position", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var response struct {
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
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	f := call.fields()
	position := &CashPosition{
		OrgID:            f.text("org_id", response.OrgID),
		Status:           AccountStatus(f.text("status", response.Status)),
		AsOf:             f.time("as_of", response.AsOf),
		CashCents:        required(f, "cash_cents", response.Cash),
		MonthlyBurnCents: f.magnitude("monthly_burn_cents", response.Burn),
		IsBurning:        required(f, "is_burning", response.IsBurning),
		Sufficient:       required(f, "sufficient", response.Sufficient),
		RunwayCashCents:  response.RunwayCash,
		RunwayNote:       optionalText(response.RunwayNote),
	}
	// Without burn or history there is no runway, even if the server sends one.
	if response.RunwayMonths != nil && position.IsBurning && position.Sufficient {
		months, err := parseMonths(response.RunwayMonths.String())
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
