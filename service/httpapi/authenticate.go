package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tarmac/service/access"
	"tarmac/service/admission"
	"tarmac/service/connections"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// call is a request for an operation of the API.
type call struct {
	*exchange
	api        *API
	ctx        context.Context
	now        time.Time        // time of the request; in UTC, because dates are computed from it
	credential store.Credential // set by authenticate
	slot       *admission.Slot  // counts the request as open
}

// operation returns the function that serves op: it performs all checks and calls the handler.
func (api *API) operation(op operation) func(*exchange) {
	return func(x *exchange) {
		c := &call{exchange: x, api: api, ctx: x.r.Context(), now: api.Now().UTC()}
		slot, err := waitForTurn(c.ctx, api.open, c.arrivalKey())
		if err != nil {
			x.fail(err)
			return
		}
		defer slot.Release()
		c.slot = slot
		response, err := c.perform(op)
		if err == nil {
			err = x.respond(response)
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
	// The request stops counting as in progress when the handler returns, before the response is
	// sent. A caller that reads its response slowly therefore does not keep others waiting.
	working, err := waitForTurn(c.ctx, c.api.working, c.authorizedKey())
	if err != nil {
		return nil, err
	}
	defer working.Release()
	if c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		response, err := op.handle(c)
		if errors.Is(err, store.ErrAway) {
			response, err = op.handle(c) // waits for a server; a read may run twice
		}
		return response, err
	}
	c.ctx = store.WithAudit(c.ctx, &store.Audit{AuditEntry: c.auditEntry(op)})
	response, err := op.handle(c)
	if failure := c.endAudit(err); failure != nil {
		c.api.Logger.Warn("the audit does not say how a change ended", "error", failure)
	}
	if errors.Is(err, store.ErrAway) && store.Changed(c.ctx) {
		// A part was committed, so that it must not say that nothing was done.
		return nil, &problem{status: http.StatusInternalServerError, text: "internal error", cause: err}
	}
	return response, err
}

// endAudit completes the line of the audit for a change that ended with err or nil. A refusal
// leaves no line.
func (c *call) endAudit(err error) error {
	if err != nil && problemOf(err).status < http.StatusInternalServerError && !store.Changed(c.ctx) {
		return c.api.Store.DropAudit(c.ctx)
	}
	return c.api.Store.EndAudit(c.ctx, err)
}

// auditEntry returns the line of the audit for a change through an operation.
func (c *call) auditEntry(op operation) store.AuditEntry {
	e := store.AuditEntry{
		OrgPublicID: c.credential.OrgPublicID, At: c.now, Actor: c.credential.PublicID, Way: store.WayAPI, Action: op.ID,
	}
	if _, inSession := c.session(); inSession {
		e.Way, e.Actor = store.WaySSH, c.credential.Fingerprint
	}
	if c.api.Owner != "" {
		e.Way, e.Actor = store.WayLocal, c.api.Owner
	}
	if ids.IsID(c.pathParam) {
		e.Target = c.pathParam
	}
	if c.caller.address.IsValid() {
		e.Address = c.caller.address.String()
	}
	return e
}

// authenticate sets c.credential and counts the request against the rate limits. A failed
// authentication counts against the limit of the caller's address instead.
func (c *call) authenticate() error {
	session, inSession := c.session()
	var err error
	if inSession {
		err = c.lookUpSession(session)
	} else {
		err = c.lookUpToken()
	}
	if err != nil {
		if p := problemOf(err); p.status == http.StatusUnauthorized || p.status == http.StatusForbidden {
			if d := c.api.addressLimiter.Take(connections.Network(c.caller.address), c.now); !d.Allowed {
				limited := rateLimited(d.Wait)
				limited.cause = fmt.Errorf("too many failed authentications: %w", err)
				return limited
			}
		}
		return err
	}
	c.org, c.token = c.credential.OrgPublicID, c.credential.PublicID
	if err := c.slot.Move(c.authorizedKey()); err != nil {
		return overloaded(err)
	}
	return c.countRequest()
}

// countRequest counts the request against the rate limit of its token or session and, if that
// allows it, against that of the organization. The headers name the limit with less left.
func (c *call) countRequest() error {
	policy := "token"
	d, err := c.countCredential()
	if err != nil {
		return err
	}
	if d.Allowed && c.credential.OrgRequestsPerMinute > 0 {
		rate := access.NewRate(c.credential.OrgRequestsPerMinute)
		ofOrg, err := c.share(rate, c.api.orgLimiter.TakeAtRate(rate, c.org, c.now), c.org)
		if err != nil {
			return err
		}
		if !d.Limited || !ofOrg.Allowed || ofOrg.Remaining < d.Remaining {
			d, policy = ofOrg, "organization"
		}
	}
	if d.Limited {
		header := c.w.Header()
		header.Set("RateLimit-Policy", fmt.Sprintf(`"%s";q=%d;w=60`, policy, d.RequestsPerMinute))
		header.Set("RateLimit", fmt.Sprintf(`"%s";r=%d;t=%d`, policy, d.Remaining, ceilSeconds(d.Wait)))
	}
	if !d.Allowed {
		return rateLimited(d.Wait)
	}
	return nil
}

// countCredential counts the request against the rate limit of its token or session.
func (c *call) countCredential() (access.Decision, error) {
	if session, inSession := c.session(); inSession {
		return c.api.tokenLimiter.Take(c.credential.PublicID+" "+session.Connection, c.now), nil
	}
	c.api.OnTokenUsed(c.credential.Key, c.now)
	return c.share(c.api.tokenLimiter.Rate, c.api.tokenLimiter.Take(c.token, c.now), c.token)
}

// share counts a request, on which this process has decided d, against a limit that all processes
// share, if several have the same database.
func (c *call) share(rate access.Rate, d access.Decision, holder string) (access.Decision, error) {
	if !d.Allowed || !d.Limited || !c.api.Store.Shared() {
		return d, nil
	}
	debt, err := c.api.Store.TakeAllowance(c.ctx, holder, c.now, rate.Period(), rate.Window())
	if err != nil {
		return d, err
	}
	return rate.Decide(debt), nil
}

func (c *call) lookUpToken() error {
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
	// The token's checksum reveals a mistyped token without a database query.
	if !access.IsWellFormed(secret) {
		return invalidToken()
	}
	hash := access.Hash(secret)
	credential, err := c.api.Store.TokenByHash(c.ctx, hash)
	if errors.Is(err, store.ErrNotFound) {
		c.api.known.remove(hash)
		return invalidToken()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return overloaded(err)
	}
	if err != nil {
		return err
	}
	if !credential.Valid(c.now) {
		c.api.known.remove(hash)
		return invalidToken()
	}
	c.credential = credential
	c.api.known.add(hash, c.authorizedKey())
	return nil
}

// bearer returns the token in the Authorization header. The error is a problem with status 401.
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
