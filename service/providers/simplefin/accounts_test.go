package simplefin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

func TestAccountsAreListedWithBankDigitsAndBalance(t *testing.T) {
	s := newServer(t)
	c := s.Connect("Harbor Bank", "Ada")
	checking := s.Open(c, "Business Checking (4821)", "USD", 1_250_00)
	s.SetAvailable(checking, 1_200_00)
	brokerage := s.Open(c, "Brokerage", "EUR", 7_00)
	s.SetShares(brokerage)

	listing, err := s.connect(t).Accounts(t.Context())
	if err != nil || len(listing.Accounts) != 2 {
		t.Fatalf("%+v, %v", listing, err)
	}

	first, second := listing.Accounts[0], listing.Accounts[1]
	want := bank.Account{Number: "4821", Bank: "Harbor Bank - Ada", Name: "Business Checking (4821)"}
	if first.Account != want || first.ID != s.ID(checking) || first.Currency != "USD" || first.Refused != "" ||
		*first.Balance != (providers.Balance{CurrentMinor: 1_250_00, AvailableMinor: 1_200_00, At: now}) {
		t.Errorf("%+v with %+v", first, first.Balance)
	}
	if second.Number != "" || second.Kind != bank.KindInvestment || second.Balance.AvailableMinor != 7_00 {
		t.Errorf("%+v with %+v", second, second.Balance)
	}
	if q := s.lastQuery(t); q.Get("balances-only") != "1" || q.Get("version") != "2" {
		t.Errorf("asked with %v", q)
	}
}

func TestAnAccountInAUnitThatIsNoCurrencyIsNotTaken(t *testing.T) {
	s := newServer(t)
	s.Open(s.Connect("Sky Miles", "Ada"), "Miles", "https://"+host+"/miles", 0)
	s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "ABC", 0)

	listing, err := s.connect(t).Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	for _, a := range listing.Accounts {
		if a.Currency != "" || a.Balance != nil || !strings.Contains(a.Refused, "no currency") {
			t.Errorf("%+v", a)
		}
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests were sent, want a claim and a listing", n)
	}
}

func TestABalanceThatIsNoAmountIsNeverZero(t *testing.T) {
	for _, text := range []string{"n/a", "12.345", "1e3", "0x10", "1,00", "--1", "99999999999999999999"} {
		s := newServer(t)
		a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 0)
		s.SetBalance(a, text, now)
		p := s.connect(t)

		listing, err := p.Accounts(t.Context())
		reading := read(t, p, s.ID(a))

		if err != nil || listing.Accounts[0].Balance != nil || listing.Accounts[0].Refused == "" {
			t.Errorf("%q: %+v, %v", text, listing, err)
		}
		if got := reading.Statements[0]; got.Incomplete == "" || got.Closing != nil || got.Present != nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestVersion1NamesTheBankOfAnAccount(t *testing.T) {
	s := newServer(t)
	s.SetVersion1()
	a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 5_00)
	s.Book(a, now.AddDate(0, 0, -1), -1_00, "Coffee")
	p := s.connect(t)

	listing, err := p.Accounts(t.Context())
	reading := read(t, p, s.ID(a))

	if err != nil || listing.Accounts[0].Bank != "Harbor Bank" {
		t.Errorf("%+v, %v", listing, err)
	}
	if got := reading.Statements[0]; len(got.Lines) != 1 || got.Closing.Minor != 4_00 {
		t.Errorf("%+v", got)
	}
}

// Ids of the Bridge stay when a login is replaced. Ids of other servers are unique within a login.
func TestAccountIDsAreUniqueWithinTheAccess(t *testing.T) {
	for body, want := range map[string][]string{
		`{"errlist": [], "connections": [], "accounts": [
			{"id": "1", "conn_id": "a", "currency": "USD", "balance": "1", "balance-date": 1},
			{"id": "1", "conn_id": "b", "currency": "USD", "balance": "1", "balance-date": 1},
			{"id": "ACT-1", "conn_id": "b", "currency": "USD", "balance": "1", "balance-date": 1}]}`: {"a/1", "b/1", "ACT-1"},
		`{"errors": [], "accounts": [
			{"id": "1", "org": {"domain": "a.example"}, "currency": "USD", "balance": "1", "balance-date": 1},
			{"id": "1", "org": {"name": "B"}, "currency": "USD", "balance": "1", "balance-date": 1},
			{"id": "1", "currency": "USD", "balance": "1", "balance-date": 1}]}`: {"a.example/1", "B/1", "1"},
	} {
		s := newServer(t)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }

		listing, err := p.Accounts(t.Context())

		var ids []string
		for _, a := range listing.Accounts {
			ids = append(ids, a.ID)
		}
		if err != nil || !slices.Equal(ids, want) {
			t.Errorf("ids are %q, %v; want %q", ids, err, want)
		}
	}
}

func TestErrorsAreShownWithoutControlCharactersAndCredentials(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	secrets := s.Secrets()
	secrets = secrets[1:] // the code of the setup token is used up
	s.Report(fake.Problem{
		Code: "gen.", Text: "\x1b]0;owned\aSee " + strings.Join(secrets, " ") + strings.Repeat(" long", 200),
	})

	listing, err := p.Accounts(t.Context())
	if err != nil || len(listing.Notices) != 1 {
		t.Fatalf("%+v, %v", listing, err)
	}

	notice := listing.Notices[0]
	if !strings.HasPrefix(notice, "SimpleFIN says: See ") || len(notice) > 400 {
		t.Errorf("notice is %q", notice)
	}
	for _, secret := range secrets {
		if strings.Contains(notice, secret) {
			t.Errorf("notice %q contains %q", notice, secret)
		}
	}
}
