package service_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/store"
)

// After its context has ended, the service answers for the time of the drain.
func TestADrainingServiceAnswersAndSaysThatItStops(t *testing.T) {
	f := start(t, 0)
	f.drain = time.Minute
	f.restart()
	a := f.tenant("a")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = f.service.Serve(ctx, ln, nil) }()
	t.Cleanup(func() { _ = ln.Close() })
	ask := func(path string) (int, bool) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ln.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+a.secret)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.StatusCode, res.Close
	}

	if status, closes := ask("/readyz"); status != http.StatusOK || closes {
		t.Errorf("before: %d, closing %v", status, closes)
	}
	stop()
	for status := http.StatusOK; status != http.StatusServiceUnavailable; {
		status, _ = ask("/readyz")
	}

	if status, closes := ask(prefix + "/ping"); status != http.StatusOK || !closes {
		t.Errorf("while draining: %d, closing %v", status, closes)
	}
}

func TestServeAnswersUntilItsContextEnds(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- f.service.Serve(ctx, ln, nil) }()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ln.Addr().String()+prefix+"/ping", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("status %d, %v", res.StatusCode, err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if _, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}

// The response to "OPTIONS *" is JSON, too.
func TestServeAnswersOptionsOfTheWholeServer(t *testing.T) {
	f := start(t, 0)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- f.service.Serve(ctx, ln, nil) }()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	f.refused("OPTIONS *", answer{res.StatusCode, res.Header, body}, http.StatusNotFound, "no such route")
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

func TestServeReturnsTheErrorOfItsListener(t *testing.T) {
	f := start(t, 0)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.service.Serve(t.Context(), ln, nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve = %v", err)
	}
}

func TestTheOperatorCreatesOrganizationsAndTokens(t *testing.T) {
	f := start(t, 0)
	ctx := t.Context()
	for _, name := range []string{"", "  ", "a\nb", strings.Repeat("x", 201), "a\xff"} {
		if _, err := f.service.CreateOrganization(ctx, name); err == nil {
			t.Errorf("an organization may be called %q", name)
		}
	}
	a := f.tenant(" Łódź ")
	all, err := f.service.Organizations(ctx)
	if err != nil || len(all) != 1 || all[0].Name != "Łódź" || all[0].PublicID != a.id ||
		!all[0].CreatedAt.Equal(noon) {
		t.Errorf("Organizations = %+v, %v", all, err)
	}
	if _, _, err := f.service.CreateToken(ctx, "org_none", access.Scopes[:], 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a token of no organization: %v", err)
	}
	if _, _, err := f.service.CreateToken(ctx, a.id, nil, 0); err == nil {
		t.Error("a token without a scope")
	}
	if _, _, err := f.service.CreateToken(ctx, a.id, access.Scopes[:], -time.Second); err == nil {
		t.Error("a token that has ended before it began")
	}
	if _, err := f.service.Tokens(ctx, "org_none"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("tokens of no organization: %v", err)
	}
	if _, _, err := f.service.CreateToken(ctx, a.secret, access.Scopes[:], 0); !errors.Is(err, store.ErrNotFound) ||
		strings.Contains(err.Error(), a.secret) {
		t.Errorf("a token of a secret: %v", err)
	}
	if err := f.service.RevokeToken(ctx, "tok_none"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("revoking no token: %v", err)
	}
	if err := f.service.RevokeToken(ctx, a.secret); err == nil || strings.Contains(err.Error(), a.secret) {
		t.Errorf("revoking by the secret: %v", err)
	}
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("before it is revoked: %d", got.status)
	}
	for range 2 {
		if err := f.service.RevokeToken(ctx, a.token.PublicID); err != nil {
			t.Fatal(err)
		}
		f.clock.advance(time.Hour)
	}
	f.refused("a revoked token", f.get(a.secret, prefix+"/ping"), http.StatusUnauthorized, "invalid API token")
	tokens, err := f.service.Tokens(ctx, a.id)
	if err != nil || len(tokens) != 1 || tokens[0].RevokedAt == nil || !tokens[0].RevokedAt.Equal(noon) ||
		len(tokens[0].Scopes) != len(access.Scopes) {
		t.Errorf("Tokens = %+v, %v", tokens, err)
	}
}

// The key of cursors is stored in the database.
func TestCursorsSurviveARestart(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.sample(a)
	var page listedPage
	f.decode(f.get(a.secret, prefix+"/transactions?limit=1"), &page)
	f.restart()
	var next listedPage
	f.decode(f.get(a.secret, prefix+"/transactions?limit=1&cursor="+page.NextCursor), &next)
	if len(next.Data) != 1 || next.Data[0].ID == page.Data[0].ID || next.NextCursor != "" {
		t.Errorf("after the restart: %+v", next)
	}
}
