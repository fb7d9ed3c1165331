package simplefin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/providers"
)

func TestAnErrorOfOneAccountHoldsUpThatAccountAlone(t *testing.T) {
	for _, version1 := range []bool{false, true} {
		s := newServer(t)
		if version1 {
			s.SetVersion1()
		}
		harbor, pine := s.Connect("Harbor Bank", "Ada"), s.Connect("Pine Bank", "Ada")
		a, b := s.Open(harbor, "Checking", "USD", 0), s.Open(pine, "Savings", "USD", 0)
		p := s.connect(t)

		s.Report(fake.Problem{Code: "con.auth", Text: "Sign in again", Connection: harbor})
		got := read(t, p, s.ID(a), s.ID(b))

		if first := got.Statements[0]; !strings.Contains(first.Incomplete, "Sign in again") || first.Closing != nil {
			t.Errorf("version 1 is %v: %+v", version1, first)
		}
		if want := []string{"Harbor Bank - Ada"}; !version1 && !slices.Equal(got.SignIn, want) {
			t.Errorf("the banks that need a login are %q, want %q", got.SignIn, want)
		}
		if got.Statements[1].Incomplete != "" || len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "Harbor Bank") {
			t.Errorf("version 1 is %v: %+v", version1, got)
		}
	}
}

func TestAnErrorSaysWhichStatementsAreIncomplete(t *testing.T) {
	for name, test := range map[string]struct {
		code                string
		account, connection bool
		incomplete          bool
	}{
		"an account that failed":       {"act.failed", true, true, true},
		"an account of one id":         {"act.missingdata", true, false, true},
		"an account that is not named": {"act.", false, false, true},
		"an unknown subcode":           {"act.tomorrow", true, false, true},
		"a login":                      {"con.", false, true, true},
		"a range of dates":             {"gen.api", false, false, false},
		"something general":            {"gen.", false, false, false},
		"no code":                      {"", false, false, false},
	} {
		s := newServer(t)
		c := s.Connect("Harbor Bank", "Ada")
		a := s.Open(c, "Checking", "USD", 0)
		p := s.connect(t)
		problem := fake.Problem{Code: test.code, Text: "Something happened"}
		if test.account {
			problem.Account = a
		}
		if test.connection {
			problem.Connection = c
		}
		s.Report(problem)

		got := read(t, p, s.ID(a))

		if incomplete := got.Statements[0].Incomplete != ""; incomplete != test.incomplete || len(got.Notices) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAnAccountThatIsGoneHasNoStatement(t *testing.T) {
	s := newServer(t)
	c := s.Connect("Harbor Bank", "Ada")
	a, b := s.Open(c, "Checking", "USD", 0), s.Open(c, "Savings", "USD", 0)
	p, id := s.connect(t), s.ID(a)
	s.Close(a)

	gone := read(t, p, id, s.ID(b))
	s.Report(fake.Problem{Code: "con.", Text: "We are upgrading this connection", Connection: c})
	failing := read(t, p, id)

	if len(gone.Statements) != 1 || gone.Statements[0].Account != s.ID(b) {
		t.Errorf("%+v", gone.Statements)
	}
	if len(failing.Statements) != 1 || failing.Statements[0].Incomplete == "" {
		t.Errorf("while its bank fails: %+v", failing.Statements)
	}
}

// An account may be missing because of its bank. Its id names the bank only on servers whose ids
// are not unique.
func TestAnAccountThatIsMissingNamesItsOwnBankOrEach(t *testing.T) {
	const harbor, pine = "Harbor needs you to sign in again: Gone", "Pine needs you to sign in again: Gone"
	body := `{"connections": [{"conn_id": "C-2", "name": "Pine"}, {"conn_id": "C-1", "name": "Harbor"}], "errlist": [` +
		`{"code": "con.auth", "msg": "Gone", "conn_id": "C-2"}, {"code": "con.auth", "msg": "Gone", "conn_id": "C-1"}], ` +
		`"accounts": []}`
	for id, want := range map[string]string{
		"C-1/checking": harbor, "C-2/checking": pine, "ACT-1": harbor + "; " + pine, "checking": harbor + "; " + pine,
	} {
		for range 20 { // the order must not depend on that of a map
			s := newServer(t)
			p := s.connect(t)
			s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }

			got := read(t, p, id)

			if len(got.Statements) != 1 || got.Statements[0].Incomplete != want {
				t.Fatalf("%s: %+v, want %s", id, got.Statements, want)
			}
		}
	}
}

func TestAnAccountIsGoneAlthoughAnotherBankFails(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) {
		respond(w, http.StatusOK, `{"errlist": [{"code": "con.auth", "msg": "Gone", "conn_id": "C-2"}], "accounts": []}`)
	}

	if got := read(t, p, "C-1/checking"); len(got.Statements) != 0 {
		t.Errorf("%+v", got.Statements)
	}
}

func TestABankThatIsLinkedAgainHasOtherIDs(t *testing.T) {
	s := newServer(t)
	c := s.Connect("Harbor Bank", "Ada")
	a := s.Open(c, "Checking (4821)", "USD", 0)
	s.Book(a, now, 1_00, "Line")
	p, id := s.connect(t), s.ID(a)
	s.Relink(c)

	before, after := read(t, p, id), read(t, p, s.ID(a))

	if len(before.Statements) != 0 || len(after.Statements) != 1 || len(after.Statements[0].Lines) != 1 {
		t.Errorf("%+v and %+v", before, after)
	}
}

func TestAnAnswerOfAnotherShapeIsRefusedWithTheField(t *testing.T) {
	const line = `{"id": "T", "posted": 1795190400, "amount": "1.00", "description": ""}`
	account := func(lines string) string {
		return `{"id": "ACT-1", "name": "A", "conn_id": "C", "currency": "USD", "balance": "1.00", ` +
			`"balance-date": 1795190400, "transactions": [` + lines + `]}`
	}
	set := func(accounts string) string {
		return `{"errlist": [], "connections": [], "accounts": [` + accounts + `]}`
	}
	without := func(name string) string {
		return strings.Replace(set(account(line)), `"`+name+`"`, `"another"`, 1)
	}
	for field, bodies := range map[string][]string{
		"accounts":                     {`{}`, `null`, `{"accounts": null}`, `{"accounts": {}}`, `{"accounts": "none"}`},
		"accounts.id":                  {without("id"), set(`{"id": 1}`), set(`null`), set(`{}`)},
		"accounts.currency":            {without("currency"), set(`{"currency": 840}`)},
		"accounts.balance":             {without("balance"), set(`{"balance": {}}`), set(`{"balance": true}`)},
		"accounts.balance-date":        {set(`{"balance-date": "2026-11-20"}`), set(`{"balance-date": 1.5}`)},
		"accounts.transactions":        {set(`{"transactions": {}}`)},
		"accounts.transactions.id":     {set(account(`{"posted": 1, "amount": "1.00"}`)), set(account(`null`))},
		"accounts.transactions.posted": {set(account(`{"id": "T", "amount": "1.00"}`)), set(account(`{"posted": "now"}`))},
		"accounts.transactions.amount": {set(account(`{"id": "T", "posted": 1}`)), set(account(`{"amount": []}`))},
		"errlist":                      {`{"errlist": "broken", "accounts": []}`},
	} {
		for _, body := range bodies {
			s := newServer(t)
			p := s.connect(t)
			s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }

			_, err := p.Read(t.Context(), providers.Request{Accounts: []string{"ACT-1"}, Now: now})

			failure := failureOf(t, err)
			if failure.Cause != providers.Malformed || !strings.Contains(failure.Text, `"`+field+`"`) {
				t.Errorf("%s: %+v", body, failure)
			}
		}
	}
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, set(account(line))) }
	if got := read(t, p, "ACT-1").Statements[0]; len(got.Lines) != 1 || got.Incomplete != "" {
		t.Errorf("the whole answer gives %+v", got)
	}
}

func TestAnAmountThatIsANumberIsReadFromItsText(t *testing.T) {
	body := accountsWith(`{"id": "T", "posted": 1795190400, "amount": -0.10}`)
	body = strings.Replace(body, `"1"`, "90071992547409.93", 1)
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }

	got := read(t, p, "ACT-1").Statements[0]

	if got.Closing == nil || got.Closing.Minor != 9007199254740993 || got.Lines[0].Minor != -10 {
		t.Errorf("%+v", got)
	}
}

func TestALineWithoutAPostingDayIsPendingOrHoldsUpItsAccount(t *testing.T) {
	for line, want := range map[string]bool{
		`{"id": "T", "posted": 0, "amount": "1.00", "transacted_at": 1795190400}`: true,
		`{"id": "T", "posted": 0, "amount": "1.00", "pending": true}`:             true,
		`{"id": "T", "posted": 0, "amount": "1.00"}`:                              false,
	} {
		s := newServer(t)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, _ *http.Request) {
			respond(w, http.StatusOK, accountsWith(line))
		}

		got := read(t, p, "ACT-1").Statements[0]

		if pending := len(got.Lines) == 1 && got.Lines[0].Pending && !got.Lines[0].Booked.IsZero(); pending != want {
			t.Errorf("%s: %+v", line, got)
		}
		if !want && !strings.Contains(got.Incomplete, "has no date") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestLinesThatAnAnswerRepeatsCountOnce(t *testing.T) {
	const line = `{"id": "T", "posted": 1795190400, "amount": "1.00", "description": "A"}`
	body := accountsWith(line + `,` + strings.Replace(line, `"T"`, `"U"`, 1) + `,` + line)
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, body) }

	if got := read(t, p, "ACT-1").Statements[0]; len(got.Lines) != 2 {
		t.Errorf("%+v", got.Lines)
	}
}

func TestAnAccountThatIsListedTwiceIsRefused(t *testing.T) {
	const account = `{"id": "ACT-1", "currency": "USD", "balance": "1", "balance-date": 1795190400}`
	s := newServer(t)
	p := s.connect(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) {
		respond(w, http.StatusOK, `{"accounts": [`+account+`,`+account+`]}`)
	}

	_, err := p.Read(t.Context(), providers.Request{Now: now})

	if failure := failureOf(t, err); failure.Cause != providers.Malformed || !strings.Contains(failure.Text, "twice") {
		t.Errorf("%+v", failure)
	}
}

// accountsWith returns an answer with one account, which has the given transactions.
func accountsWith(transactions string) string {
	return `{"accounts": [{"id": "ACT-1", "currency": "USD", "balance": "1", "balance-date": 1795190400, ` +
		`"transactions": [` + transactions + `]}]}`
}
