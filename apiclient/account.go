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
	return fetch(ctx, c, read("/ping", nil), (*object).ping)
}

func (o *object) ping(f *fields) Ping {
	ping := Ping{
		OrgID:          o.text("org_id", "organization_id", "organization", "org"),
		TokenExpiresAt: o.timestamp("token_expires_at", "expires_at"),
	}
	if ping.OrgID == "" {
		f.fail("org_id", "is missing")
	}
	if consume(o, &ping.Scopes, "scopes") {
		for i, scope := range ping.Scopes {
			ping.Scopes[i] = termtext.Line(scope)
		}
	}
	return ping
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
	return fetch(ctx, c, read("/account", nil), (*accountJSON).account)
}

type accountJSON struct {
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

func (a *accountJSON) account(f *fields) Account {
	account := Account{
		OrgID:    f.text("org_id", a.OrgID),
		Status:   AccountStatus(f.text("status", a.Status)),
		SyncedAt: f.optionalTime("synced_at", a.SyncedAt),
	}
	switch b := a.Balance; {
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
	return account
}

// CashPosition is cash, net burn and runway, in USD cents (docs/api.md, Cash position).
type CashPosition struct {
	OrgID            string
	Status           AccountStatus
	AsOf             time.Time // UTC
	CashCents        int64     // cash on hand
	MonthlyBurnCents int64     // estimated net burn per month; 0 when not burning
	IsBurning        bool
	Sufficient       bool    // there are enough history and a cash balance to estimate the burn
	RunwayCashCents  *int64  // the spendable cash that the runway is computed from, or nil
	RunwayMonths     *Months // nil unless burning and sufficient
	RunwayNote       string  // the runway as a sentence, or why there is none
}

// CashPosition returns cash, net burn and runway.
func (c *Client) CashPosition(ctx context.Context) (*CashPosition, error) {
	return fetch(ctx, c, read("/insights/cash-position", nil), (*cashPositionJSON).position)
}

type cashPositionJSON struct {
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

func (p *cashPositionJSON) position(f *fields) CashPosition {
	position := CashPosition{
		OrgID:            f.text("org_id", p.OrgID),
		Status:           AccountStatus(f.text("status", p.Status)),
		AsOf:             f.time("as_of", p.AsOf),
		CashCents:        required(f, "cash_cents", p.Cash),
		MonthlyBurnCents: f.magnitude("monthly_burn_cents", p.Burn),
		IsBurning:        required(f, "is_burning", p.IsBurning),
		Sufficient:       required(f, "sufficient", p.Sufficient),
		RunwayCashCents:  p.RunwayCash,
		RunwayNote:       optionalText(p.RunwayNote),
	}
	// Without burn or history there is no runway, even if the server sends one.
	if p.RunwayMonths != nil && position.IsBurning && position.Sufficient {
		months, err := parseMonths(p.RunwayMonths.String())
		if err != nil {
			f.fail("runway_months", err.Error())
		}
		position.RunwayMonths = &months
	}
	return position
}
