package mercury_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/providers/mercury"
	"tarmac/service/providers/wire"
	"tarmac/service/statements/bank"
)

func TestTheAccountsOfTheCompanyCanBeTaken(t *testing.T) {
	s := newServer(t)
	checking := s.Open("Operating", "checking", "202012346789", 1_234_56)
	treasury := s.Open("", "treasury", "", 50_000_00)
	s.Link("Chase", "1111", 99_00)
	s.Hold(checking, now, -34_56, "Hold")
	s.ListTwice(treasury)
	s.SetPage(1)

	listing, err := s.connect(t).Accounts(t.Context())

	if err != nil || len(listing.Accounts) != 3 || listing.Company != "Lumen Works, Inc." {
		t.Fatalf("%+v, %v", listing, err)
	}
	first, second, third := listing.Accounts[0], listing.Accounts[1], listing.Accounts[2]
	if first.Number != "202012346789" || first.Bank != "Mercury" || first.Name != "Operating" ||
		first.Account.Kind != bank.KindChecking ||
		*first.Balance != (providers.Balance{CurrentMinor: 1_234_56, AvailableMinor: 1_200_00}) {
		t.Errorf("%+v with %+v", first, first.Balance)
	}
	if second.Refused != "it is an account at another bank" {
		t.Errorf("%+v", second)
	}
	if third.Name != "Treasury" || third.Refused != "" || third.Balance.CurrentMinor != 50_000_00 ||
		!strings.HasSuffix(third.ID, treasury.ID) {
		t.Errorf("%+v", third)
	}
}

func TestAReadingHasWhatWasPostedAndWhatIsPending(t *testing.T) {
	s := newServer(t)
	a := s.Open("Operating", "checking", "202012346789", 1_000_00)
	other := s.Open("Other", "checking", "202012340000", 0)
	s.Book(a, daysAgo(46), -1_00, "before the period")
	s.Book(a, daysAgo(45), -2_00, "on its first day")
	long := s.Hold(a, daysAgo(60), -3_00, "a hold of sixty days, posted")
	s.Settle(long, daysAgo(2), -4_00)
	s.Hold(a, daysAgo(50), -5_00, "a hold of fifty days")
	s.SetStatus(s.Hold(a, daysAgo(1), -6_00, "cancelled"), "cancelled")
	s.SetStatus(s.Book(a, daysAgo(1), -7_00, "returned"), "reversed")
	s.Book(other, daysAgo(1), -8_00, "of another account")
	s.SetPage(2)
	r := period(a.ID)
	r.PendingSince = civil.Of(daysAgo(50))

	reading := read(t, s.connect(t), r)

	if len(reading.Statements) != 1 {
		t.Fatalf("%+v", reading)
	}
	got := reading.Statements[0]
	var lines []string
	for _, l := range got.Lines {
		lines = append(lines, fmt.Sprintf("%s %d %v %s", l.Booked, l.Minor, l.Pending, l.Counterparty))
	}
	want := []string{
		"2026-10-01 -500 true a hold of fifty days", "2026-10-06 -200 false on its first day",
		"2026-11-18 -400 false a hold of sixty days, posted",
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("lines are\n%s", strings.Join(lines, "\n"))
	}
	// 1,000.00 less the three lines that were booked and stay.
	if got.First != civil.MustParse("2026-10-06") || got.Last != civil.MustParse("2026-11-20") ||
		*got.Closing != (bank.Balance{Minor: 993_00, Date: got.Last}) || got.Present.AvailableMinor != 988_00 {
		t.Errorf("%+v, closing %+v, present %+v", got, got.Closing, got.Present)
	}
}

func TestHistoryIsReadWithoutBalance(t *testing.T) {
	s := newServer(t)
	a := s.Open("Operating", "checking", "202012346789", 0)
	s.Book(a, daysAgo(100), 1_00, "in the period")
	s.Book(a, daysAgo(10), 2_00, "after it")
	s.Hold(a, daysAgo(100), 3_00, "pending")
	r := period(a.ID)
	r.Since, r.Until = civil.Of(daysAgo(120)), civil.Of(daysAgo(80))

	got := read(t, s.connect(t), r).Statements[0]

	if len(got.Lines) != 1 || got.Lines[0].Minor != 1_00 || got.Closing != nil || got.Present != nil ||
		got.Last != r.Until {
		t.Errorf("%+v", got)
	}
}

func TestATreasuryAccountHasItsOwnLines(t *testing.T) {
	s := newServer(t)
	a := s.Open("", "treasury", "", 0)
	for day := range 7 {
		s.Book(a, daysAgo(day*10), int64(day+1), "Dividend")
	}
	s.SetPage(2)

	got := read(t, s.connect(t), period("treasury/"+a.ID)).Statements[0]

	if len(got.Lines) != 5 || got.Lines[0].Minor != 5 || got.Closing.Minor != 1+2+3+4+5+6+7 {
		t.Errorf("%+v with %d lines", got.Closing, len(got.Lines))
	}
}

func TestAnAccountThatIsGoneIsMissing(t *testing.T) {
	s := newServer(t)
	a, b := s.Open("A", "checking", "1234", 0), s.Open("B", "checking", "5678", 0)
	p := s.connect(t)
	s.Close(a)

	reading := read(t, p, period(a.ID, b.ID))

	if len(reading.Statements) != 1 || reading.Statements[0].Account != b.ID {
		t.Errorf("%+v", reading)
	}
	_, err := p.Balance(t.Context(), a.ID)
	if failure := failureOf(t, err); !strings.Contains(failure.Text, "no longer has this account") {
		t.Errorf("%+v", failure)
	}
}

func TestABalanceIsOneRequest(t *testing.T) {
	s := newServer(t)
	a, treasury := s.Open("Operating", "checking", "6789", -12_30), s.Open("", "treasury", "", 7_00)
	p := s.connect(t)

	balance, err := p.Balance(t.Context(), a.ID)

	if err != nil || balance.CurrentMinor != -12_30 || len(s.Requests()) != 1 {
		t.Errorf("%+v, %v after %v", balance, err, s.Requests())
	}
	if balance, err = p.Balance(t.Context(), "treasury/"+treasury.ID); err != nil || balance.CurrentMinor != 7_00 {
		t.Errorf("%+v, %v", balance, err)
	}
}

func TestTokensThatAreNoneAreNotSent(t *testing.T) {
	for _, text := range []string{
		"", "mercury_production_wma_1", "sk_live_1", "secret-token:mercury_sandbox_wma_1", "secret-token:mercury production",
		"secret-token:mercury_production_1\x1b",
	} {
		err := mercury.Kind().Check(wire.NewSecret(text))
		if err == nil || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := mercury.Kind().Check(wire.NewSecret("secret-token:mercury_production_wma_1")); err != nil {
		t.Error(err)
	}
}

func TestFailuresSayWhatToDoAndNotTheToken(t *testing.T) {
	const one = `{"accounts": [{"id":"1","type":"mercury","accountNumber":"1"%s}]}`
	for name, test := range map[string]struct {
		status int
		body   string
		cause  providers.Cause
		want   string
	}{
		"revoked":         {401, `{"errors":{"errorCode":"noTokenInDBButMaybeMalformed"}}`, providers.Denied, "again"},
		"other address":   {401, `{"errors":{"errorCode":"ipNotWhitelisted"}}`, providers.Denied, "Read Only"},
		"no permission":   {403, `{"errors":{}}`, providers.Denied, "connect again"},
		"a firewall":      {403, "<html>blocked", providers.Unreachable, "web page"},
		"a login page":    {200, "<html>Wi-Fi", providers.Unreachable, "login"},
		"too often":       {429, "<html>", providers.Limited, "too often"},
		"away":            {503, "<html>", providers.Unreachable, "503"},
		"another shape":   {200, `{"accounts": 7}`, providers.Malformed, "accounts"},
		"nothing":         {200, `{}`, providers.Malformed, "accounts"},
		"no id":           {200, `{"accounts": [{}]}`, providers.Malformed, `"id"`},
		"no balance":      {200, fmt.Sprintf(one, ""), providers.Malformed, "currentBalance"},
		"a text":          {200, fmt.Sprintf(one, `,"currentBalance":"x"`), providers.Malformed, "currentBalance"},
		"a third decimal": {200, fmt.Sprintf(one, `,"currentBalance":1.005`), providers.Malformed, "more decimals"},
		"an exponent":     {200, fmt.Sprintf(one, `,"currentBalance":1e3`), providers.Malformed, "currentBalance"},
		"pages repeat": {200, fmt.Sprintf(one, `,"currentBalance":1,"availableBalance":1`),
			providers.Malformed, "repeat"},
	} {
		s := newServer(t)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "90")
			if !strings.HasPrefix(test.body, "<") {
				w.Header().Set("Content-Type", "application/json")
			}
			w.WriteHeader(test.status)
			if body := test.body; r.URL.Query().Has("start_after") && name != "pages repeat" {
				fmt.Fprint(w, `{"accounts": []}`)
			} else {
				fmt.Fprint(w, body)
			}
		}

		_, err := p.Accounts(t.Context())

		failure := failureOf(t, err)
		if failure.Cause != test.cause || !strings.Contains(failure.Text, test.want) {
			t.Errorf("%s: %+v", name, failure)
		}
		if test.status == 429 && failure.RetryAfter != 90*time.Second {
			t.Errorf("%s: tried again after %s", name, failure.RetryAfter)
		}
		for _, secret := range s.Secrets() {
			if strings.Contains(failure.Text, secret) {
				t.Errorf("%s: %q contains the token", name, failure.Text)
			}
		}
	}
}

func TestTransactionsThatAreNotAsDocumentedAreRefused(t *testing.T) {
	const row = `{"id":"r","accountId":"%s","amount":1.00,"status":"sent","createdAt":"2026-11-19T00:00:00Z",` +
		`"postedAt":"2026-11-19T00:00:00Z"}`
	for name, change := range map[string][2]string{
		"a new status":     {`"sent"`, `"settling\u001b[2J"`},
		"no status":        {`"sent"`, `""`},
		"no day":           {`"postedAt":"2026-11-19T00:00:00Z"`, `"postedAt":null`},
		"no time":          {`"postedAt":"2026-11-19T00:00:00Z"`, `"postedAt":"yesterday"`},
		"the far future":   {`"postedAt":"2026-11-19T00:00:00Z"`, `"postedAt":"2027-11-19T00:00:00Z"`},
		"no amount":        {`"amount":1.00,`, ``},
		"half a cent":      {`1.00`, `1.005`},
		"a huge amount":    {`1.00`, `99999999999999999999`},
		"no id":            {`"id":"r"`, `"id":""`},
		"an id as number":  {`"id":"r"`, `"id":7`},
		"null in its list": {`{"id"`, `null, {"id"`},
	} {
		s := newServer(t)
		a := s.Open("Operating", "checking", "6789", 0)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/transactions") {
				s.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"transactions": [%s]}`, strings.Replace(fmt.Sprintf(row, a.ID), change[0], change[1], 1))
		}

		_, err := p.Read(t.Context(), period(a.ID))

		if failure := failureOf(t, err); failure.Cause != providers.Malformed ||
			strings.ContainsRune(failure.Text, '\x1b') {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}
