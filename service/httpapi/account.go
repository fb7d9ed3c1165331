package httpapi

import (
	"time"

	"tarmac/service/access"
	"tarmac/service/accounts"
	"tarmac/service/store"
)

type pingResponse struct {
	OrgID          string         `json:"org_id"`
	Scopes         []access.Scope `json:"scopes"`
	TokenExpiresAt *time.Time     `json:"token_expires_at"`
	// ReportingCurrency is part of answers in the reporting currency alone.
	ReportingCurrency string `json:"reporting_currency,omitempty"`
}

// ping responds with the token's organization, scopes and expiry (docs/api.md, Ping).
func ping(c *call, currency string) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	scopes := c.credential.Scopes
	if scopes == nil {
		scopes = []access.Scope{}
	}
	return pingResponse{c.credential.OrgPublicID, scopes, nullableTime(c.credential.ExpiresAt), currency}, nil
}

type accountResponse struct {
	OrgID    string           `json:"org_id"`
	Status   string           `json:"status"`
	Balance  *balanceResponse `json:"balance"`
	SyncedAt *time.Time       `json:"synced_at"`
	Currency string           `json:"currency,omitempty"` // "" for US dollars
}

type balanceResponse struct {
	AvailableCents int64 `json:"available_cents"`
	HoldingCents   int64 `json:"holding_cents"`
	LockedCents    int64 `json:"locked_cents"`
	PendingCents   int64 `json:"pending_cents"`
}

func accountStatus(open bool) string {
	if open {
		return "open"
	}
	return "not_open"
}

// balance returns the balance of the managed account. The currency is as in ledger.Filter.
func (c *call) balance(currency string) (open bool, b accounts.Balance, err error) {
	stored, local := c.api.Balances.(StoredBalances)
	if currency == "" || !local {
		return c.api.Balances.Balance(c.ctx, c.credential.Org)
	}
	err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) error {
		open, b, _, err = stored.balanceIn(snap, c.credential.Org, currency)
		return err
	})
	return open, b, err
}

// getAccount responds with the managed account. If its balance cannot be read, the status is 503
// (docs/api.md, Live balance).
func getAccount(c *call, currency string) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	if refresh := c.api.RefreshBalances; refresh != nil {
		if err := refresh(c.ctx, c.credential.Org); err != nil {
			return nil, balanceUnavailable("the account balance could not be read", err)
		}
	}
	open, b, err := c.balance(currency)
	if err != nil {
		return nil, balanceUnavailable("the account balance could not be read", err)
	}
	response := accountResponse{OrgID: c.credential.OrgPublicID, Status: accountStatus(open), Currency: currency}
	if open {
		response.Balance = &balanceResponse{b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents}
		if !b.SyncedAt.IsZero() {
			response.SyncedAt = nullableTime(&b.SyncedAt)
		}
	}
	return response, nil
}
