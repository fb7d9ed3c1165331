package access_test

import (
	"crypto/rand"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/service/access"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestSecretsHaveTheirForm(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		secret, err := access.NewSecret(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if seen[secret] {
			t.Fatalf("%s came twice", secret)
		}
		seen[secret] = true
		if len(secret) != 44 || !access.IsWellFormed(secret) || access.ClassOf(secret) != access.OrganizationClass {
			t.Fatalf("%q does not have the form of a token", secret)
		}
		if !strings.HasSuffix(secret, access.LastFour(secret)) {
			t.Fatal("LastFour is not the end of the secret")
		}
	}
}

// Changing any one character is noticed without asking the database.
func TestOneWrongCharacterIsNoticed(t *testing.T) {
	secret, err := access.NewSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(secret)-1).Draw(t, "at")
		c := rapid.Byte().Draw(t, "c")
		changed := secret[:at] + string([]byte{c}) + secret[at+1:]
		if changed != secret && access.IsWellFormed(changed) {
			t.Fatalf("%q passes for a token", changed)
		}
	})
}

func TestClassOf(t *testing.T) {
	for secret, want := range map[string]access.Class{
		"svc_org_x": access.OrganizationClass, "svc_ops_x": access.OperatorClass,
		"svc_whsec_x": access.Unknown, "": access.Unknown, "SVC_ORG_x": access.Unknown,
	} {
		if got := access.ClassOf(secret); got != want {
			t.Errorf("ClassOf(%q) = %v, want %v", secret, got, want)
		}
	}
}

func TestTokenValid(t *testing.T) {
	at := func(d time.Duration) *time.Time { v := now.Add(d); return &v }
	for name, c := range map[string]struct {
		token access.Token
		want  bool
	}{
		"without an expiry":    {access.Token{}, true},
		"before its expiry":    {access.Token{ExpiresAt: at(1)}, true},
		"at its expiry":        {access.Token{ExpiresAt: at(0)}, false},
		"after its expiry":     {access.Token{ExpiresAt: at(-1)}, false},
		"revoked":              {access.Token{RevokedAt: at(-1)}, false},
		"revoked, not expired": {access.Token{RevokedAt: at(-1), ExpiresAt: at(time.Hour)}, false},
	} {
		if got := c.token.Valid(now); got != c.want {
			t.Errorf("%s: Valid = %v", name, got)
		}
	}
}

func TestScopes(t *testing.T) {
	got, err := access.Normalize([]access.Scope{"payments:read", "account:read", "payments:read"})
	if err != nil || fmt.Sprint(got) != "[account:read payments:read]" {
		t.Errorf("Normalize = %v, %v", got, err)
	}
	for _, bad := range [][]access.Scope{nil, {""}, {"account:write"}, {"account:read", "Account:read"}} {
		if got, err := access.Normalize(bad); err == nil {
			t.Errorf("Normalize(%q) = %v", bad, got)
		}
	}
	token := access.Token{Scopes: []access.Scope{access.InvoicesPropose}}
	if token.Allows(access.InvoicesRead) || !token.Allows(access.InvoicesPropose) || !token.Allows(access.None) {
		t.Error("a token allows exactly its scopes and what needs none")
	}
}

// In any sequence of requests, no key gets more than its burst and its rate allow. A refused
// request is allowed after the announced wait, and as many requests as Remaining are allowed.
func TestLimiter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(1, 1000).Draw(t, "rate")
		limiter := access.NewLimiter(rate)
		at, allowed := now, 0
		for i, gap := range rapid.SliceOfN(rapid.IntRange(0, 3000), 1, 300).Draw(t, "gaps") {
			at = at.Add(time.Duration(gap) * time.Millisecond)
			d := limiter.Take("a", at)
			if d.Allowed {
				allowed++
			} else {
				if d.Wait <= 0 || d.Remaining != 0 {
					t.Fatalf("refused with %+v", d)
				}
				at = at.Add(d.Wait)
				if !limiter.Take("a", at).Allowed {
					t.Fatalf("request %d: refused after waiting %v", i, d.Wait)
				}
				allowed++
			}
			// The period is rounded down to a nanosecond, so allow one more.
			if most := min(rate, access.MaxBurst) + int(at.Sub(now)*time.Duration(rate)/time.Minute) + 1; allowed > most {
				t.Fatalf("%d allowed in %v, at most %d", allowed, at.Sub(now), most)
			}
		}
		first := limiter.Take("b", at)
		for range first.Remaining {
			if !limiter.Take("b", at).Allowed {
				t.Fatal("less was left than promised")
			}
		}
		if limiter.Take("b", at).Allowed {
			t.Fatal("more was left than promised")
		}
	})
}

func TestLimiterOff(t *testing.T) {
	limiter := access.NewLimiter(0)
	for range 10_000 {
		if d := limiter.Take("a", now); !d.Allowed || d.Limited {
			t.Fatalf("%+v", d)
		}
	}
}

func TestALimitMayBeAnyNumber(t *testing.T) {
	if d := access.NewLimiter(math.MaxInt).Take("a", now); !d.Allowed || !d.Limited {
		t.Errorf("Take = %+v", d)
	}
}
