package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tarmac/service/access"
	"tarmac/service/connections"
	"tarmac/service/store"
)

// call is an exchange that is allowed: whose it is, and what it may use.
type call struct {
	*exchange
	api        *API
	ctx        context.Context
	now        time.Time // UTC: days and the feed's window are counted in it
	credential store.Credential
}

// operation returns the checks and the answer of an operation.
func (api *API) operation(op operation) func(*exchange) {
	return func(x *exchange) {
		address, loopback := connections.Address(x.r.RemoteAddr)
		if loopback {
			address = "" // a proxy's: many stand behind it
		}
		leave, err := api.door.Enter(x.r.Context(), address)
		if err != nil {
			x.fail(busy(err))
			return
		}
		defer leave()
		c := &call{exchange: x, api: api, ctx: x.r.Context(), now: api.Now().UTC()}
		answer, err := c.perform(op)
		if err == nil {
			err = x.answer(answer)
		}
		if err != nil {
			x.fail(err)
		}
	}
}

func (c *call) perform(op operation) (any, error) {
	if err := c.authenticate(); err != nil {
		return nil, err
	}
	if !c.credential.Allows(op.Scope) {
		return nil, lacksScope(op.Scope)
	}
	// What follows costs memory and time; writing the answer, which a slow reader
	// draws out, is no part of it.
	waiting, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	leave, err := c.api.work.Enter(waiting, c.credential.OrgPublicID)
	if err != nil {
		return nil, busy(err)
	}
	defer leave()
	return op.answer(c)
}

// authenticate finds out whose request it is and counts it against the token's
// limit. A credential that is not accepted is counted against the address that
// it came from.
func (c *call) authenticate() error {
	err := c.identify()
	if err != nil {
		if p := problemOf(err); p.status == http.StatusUnauthorized || p.status == http.StatusForbidden {
			address, _ := connections.Address(c.r.RemoteAddr)
			if d := c.api.failures.Take(address, c.now); !d.Allowed {
				return tooMany(d.Wait)
			}
		}
		return err
	}
	c.org, c.token = c.credential.OrgPublicID, c.credential.PublicID
	c.api.TokenUsed(c.credential.Key, c.now)
	d, err := c.count()
	if err != nil {
		return err
	}
	if d.Limited {
		header := c.w.Header()
		header.Set("RateLimit-Policy", fmt.Sprintf(`"token";q=%d;w=60`, d.PerMinute))
		header.Set("RateLimit", fmt.Sprintf(`"token";r=%d;t=%d`, d.Remaining, ceilSeconds(d.Wait)))
	}
	if !d.Allowed {
		return tooMany(d.Wait)
	}
	return nil
}

// count counts the request against the token's limit: in this process, and where
// several serve one database in all of them.
func (c *call) count() (access.Decision, error) {
	d := c.api.requests.Take(c.credential.PublicID, c.now)
	if !d.Allowed || !d.Limited || !c.api.Store.Shared() {
		return d, nil
	}
	period, window := c.api.requests.Bounds()
	debt, err := c.api.Store.TakeAllowance(c.ctx, c.credential.PublicID, c.now, period, window)
	if err != nil {
		return d, err
	}
	return c.api.requests.Decide(debt), nil
}

func (c *call) identify() error {
	secret, err := bearer(c.r.Header)
	if err != nil {
		return err
	}
	switch access.ClassOf(secret) {
	case access.OrganizationClass:
	case access.OperatorClass:
		return wrongClass()
	default:
		return invalidToken()
	}
	// A mistyped token is told from its checksum, without asking the database.
	if !access.WellFormed(secret) {
		return invalidToken()
	}
	credential, err := c.api.Store.TokenByHash(c.ctx, access.Hash(secret))
	if errors.Is(err, store.ErrNotFound) {
		return invalidToken()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return busy(err)
	}
	if err != nil {
		return err
	}
	if !credential.Valid(c.now) {
		return invalidToken()
	}
	c.credential = credential
	return nil
}

// bearer returns the credential of the Authorization header.
func bearer(header http.Header) (string, error) {
	values := header.Values("Authorization")
	if len(values) == 0 {
		return "", missingToken()
	}
	if len(values) > 1 {
		return "", invalidToken()
	}
	scheme, secret, ok := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", missingToken()
	}
	secret = strings.TrimLeft(secret, " ")
	if !ok || secret == "" {
		return "", missingToken()
	}
	return secret, nil
}
