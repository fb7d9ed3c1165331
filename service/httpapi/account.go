package httpapi

import (
	"net/http"
	"time"

	"tarmac/service/access"
)

type pingAnswer struct {
	OrgID          string         `json:"org_id"`
	Scopes         []access.Scope `json:"scopes"`
	TokenExpiresAt *time.Time     `json:"token_expires_at"`
}

// ping tells a token whose it is and what it may do (docs/api.md, Ping).
func ping(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	scopes := c.credential.Scopes
	if scopes == nil {
		scopes = []access.Scope{}
	}
	return pingAnswer{c.credential.OrgPublicID, scopes, nullableTime(c.credential.ExpiresAt)}, nil
}

type accountAnswer struct {
	OrgID    string         `json:"org_id"`
	Status   string         `json:"status"`
	Balance  *balanceAnswer `json:"balance"`
	SyncedAt *time.Time     `json:"synced_at"`
}

type balanceAnswer struct {
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

// getAccount answers with the account (docs/api.md, Live balance). A balance that
// cannot be read is an error, never a zero.
func getAccount(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	open, b, err := c.api.Balances.Balance(c.ctx, c.credential.Org)
	if err != nil {
		return nil, retryLater(http.StatusServiceUnavailable, "the account balance could not be read", err)
	}
	answer := accountAnswer{OrgID: c.credential.OrgPublicID, Status: accountStatus(open)}
	if open {
		answer.Balance = &balanceAnswer{b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents}
		if !b.SyncedAt.IsZero() {
			answer.SyncedAt = nullableTime(&b.SyncedAt)
		}
	}
	return answer, nil
}
