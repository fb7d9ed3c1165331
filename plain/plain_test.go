package plain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/panics"
	"tarmac/plain"
)

// everyPage visits everything that can be read.
var everyPage = []string{
	"help", "", "months", "2", "suppose burn -10; once +500,000; overdue", "forget", "3", "open 1", "open 1",
	"back", "back", "overdue",
	"4", "next", "previous", "open 2", "back", "filter in", "filter last quarter", "/payment", "clear", "go to 50%",
	"previous", "jump row 1,200",
	"oldest", "5", "filter paid", "search inv", "next", "open 1", "back", "6", "open 1", "about", "back", "back", "older",
	"newest", "filter payment.held", "filter all",
	"search held", "intent pi_nothing", "back", "7", "profile", "refresh", "mask", "mask",
}

func TestEveryPageIsSaidInWords(t *testing.T) {
	k := talk{client: serve(t).client}
	text := k.say(t, everyPage...)
	readable(t, text)
	inOrder(t, text, `Overview, profile work\. Organization org_\w+\. Live`,
		`Balance: available \$[\d,]+\.\d\d, holding \$`,
		`Cash on hand: \$`, `Net burn: \$.* a month`, `Runway: [\d.]+ months( \(partial\))?, `,
		`Receivables: outstanding (at least )?\$.*overdue (at least )?\$`, `Latest transactions:\n  1: \d{4}-`,
		`Latest events:\n  \d{4}-`, `Overview: help\nOn overview:`, `Overview: \nOverview, profile work\.`,
		`so far: in (at least )?\$`, `Months: 2\nRunway, profile work`, `current: cash in 3 months`,
		`case A: cash in 3 months`, `plan: cash in 3 months`, `1-30 days (at least )?\$`, `  1: .*\$.*days? past due`,
		`invoices? overdue, matching `, `Invoice INV-`, `Timeline:\n.*created`, `2,500 transactions, all: in (at least )?\$`,
		`Rows 1 to 20 of 2,500`, `Rows 21 to 40`, `Rows 1 to 20`, `Transaction txn_`, `money in: in (at least )?\$`,
		`money in, from \d`, `with "payment"`, `Rows 1,250 to 1,269 of 2,500`, `Rows 1,230 to 1,249`, `Rows 1,200 to 1,219`,
		`Rows 2,500 to 2,500`, `End of list\.`, `invoices? paid`, `Invoice INV-`, `Events, newest first:\n  1: `,
		`Event evt_`, `"[a-z_]+_id": "`, `Events, newest first, types payment.held`, `Payment intent pi_nothing: not found`,
		`No endpoints yet`, `Current profile: work`, `Amounts are hidden`, `Amounts are shown`)
}

func TestMaskedAmountsAreNotSaid(t *testing.T) {
	k := talk{client: serve(t).client}
	lines := append([]string{"mask"}, everyPage[:len(everyPage)-2]...)
	_, text, _ := strings.Cut(k.say(t, lines...), "Amounts are hidden")
	readable(t, text)
	inOrder(t, text, `Cash on hand: hidden`, `net hidden`, `1: .* hidden`)
	if found := regexp.MustCompile(`.*[$€]\d.*|.*\d\.\d\d\b.*|.*_cents": \d.*`).FindString(text); found != "" {
		t.Errorf("an amount is said: %s", found)
	}
	said := strings.ReplaceAll(text, "go to 50%", "") // typed by the test
	share := regexp.MustCompile(`.*\d ?%.*|.*\d\.\d months.*|.*(comfortable|healthy|critical).*|` +
		`.*[Zz]ero-cash (month: |in )\d.*`)
	if found := share.FindString(said); found != "" {
		t.Errorf("a percentage or the length of the runway is said: %s", found)
	}
	if found := regexp.MustCompile(`.*(plus|minus) hidden.*`).FindString(text); found != "" {
		t.Errorf("the sign of a masked amount is said: %s", found)
	}
}

func TestHostileNamesAreOnlyWords(t *testing.T) {
	page := apiclient.TransactionPage{Summary: apiclient.Summary{Currency: "USD", Count: 2}, Data: []apiclient.Transaction{
		{ID: "txn_1", Amount: apiclient.UnknownAmount("USD"), Direction: apiclient.Outflow,
			CounterpartyName: "\x1b]0;evil\x07│Acme█⣿ — •••", Memo: "\x1b[2J\r\n$1.00"},
		{ID: "txn_2", Amount: apiclient.NewAmount(-5, "USD"), Direction: "sideways",
			CounterpartyName: strings.Repeat("┃", 2000)},
	}}
	k := talk{
		client: stubClient{
			Client:      serve(t).client,
			transaction: func() (*apiclient.TransactionPage, error) { return &page, nil },
		},
	}
	text := k.say(t, "4", "open 1", "back", "open 2", "\x1b[31mfoo│")
	inOrder(t, strings.ReplaceAll(text, "•", ""), `1: .*out, amount unknown, .*Acme`, `2: .*minus \$0\.05`,
		`USD: unknown`, `Unknown command`)
	readable(t, strings.ReplaceAll(text, "•", ""))
}

func TestWhatCannotBeHadIsSaidWithTheReason(t *testing.T) {
	s := serve(t)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"scope": {&apiclient.Error{Status: 403, Message: "forbidden", Scope: "account:read"},
			`Account: not allowed: the token lacks the scope account:read \(403\)\. Ask for a token with`},
		"token": {&apiclient.Error{Status: 401, Message: "unauthorized"},
			`Overview: the server refused the token \(401\)\. It is mistyped`},
		"rate": {&apiclient.Error{Status: 429, Message: "slow down", RetryAfter: 12 * time.Minute},
			`Account: rate limited: the server asks to wait 12 minutes \(429\)\.`},
		"unreachable": {&apiclient.NetworkError{Err: errors.New("refused")},
			`Overview: the server cannot be reached: refused\. .* Type refresh to retry\.`},
		"broken": {&apiclient.ContractError{Problem: "is missing"},
			`Account: the response could not be read: it is missing\. Tell whoever runs the service`},
	} {
		k := talk{client: stubClient{Client: s.client, account: func() (*apiclient.Account, error) { return nil, c.err }}}
		text := k.say(t)
		if !regexp.MustCompile(c.want).MatchString(text) {
			t.Errorf("%s: %q is not said:\n%s", name, c.want, text)
		}
		if name != "token" && name != "unreachable" { // then nothing else could be read
			inOrder(t, text, `Cash on hand: \$`)
		}
	}
}

func TestAPauseThatTheServerAsksForIsToldAndKept(t *testing.T) {
	asked := 0
	k := talk{client: stubClient{Client: serve(t).client, account: func() (*apiclient.Account, error) {
		if asked++; asked < 4 {
			return nil, &apiclient.Error{
				Status:     429,
				Message:    "slow down",
				RetryAfter: [...]time.Duration{12, 13, 40}[asked-1] * time.Second,
			}
		}
		return &apiclient.Account{Currency: "USD",
			Status: apiclient.AccountOpen, Balance: &apiclient.Balance{AvailableCents: 123}}, nil
	}}}
	k.After = atOnce
	text := k.say(t, "refresh")
	inOrder(t, text, `Rate limited: retrying in 12 seconds`, `retrying in 40 seconds`, `available \$1\.23`,
		`Cash on hand: \$`)
	if asked != 5 || strings.Contains(text, "13 seconds") {
		t.Errorf("the balance was asked for %d times:\n%s", asked, text)
	}
}

func TestOldFiguresSayTheirAge(t *testing.T) {
	now := time.Now()
	asked := 0
	k := talk{client: stubClient{Client: serve(t).client, account: func() (*apiclient.Account, error) {
		if asked++; asked == 1 {
			return &apiclient.Account{Currency: "USD",
				Status: apiclient.AccountOpen, Balance: &apiclient.Balance{AvailableCents: 123}}, nil
		}
		now = now.Add(3 * time.Minute)
		return nil, &apiclient.NetworkError{Err: errors.New("refused")}
	}}}
	k.Now = func() time.Time { return now }
	inOrder(t, k.say(t, "refresh"), `available \$1\.23`, `Overview: the server cannot be reached`,
		`Stale: last updated 3 minutes ago`, `available \$1\.23`)
}

func TestAnAccountThatIsNotOpenIsSaid(t *testing.T) {
	k := talk{client: stubClient{Client: serve(t).client, account: func() (*apiclient.Account, error) {
		return &apiclient.Account{Currency: "USD", Status: apiclient.AccountNotOpen}, nil
	}}}
	inOrder(t, k.say(t), `Balance: no account is open yet`)
}

func TestUnknownWordsLeadToTheNearestCommand(t *testing.T) {
	k := talk{client: serve(t).client}
	inOrder(t, k.say(t, "runwya", "zzz", "re", "ref", "TRANS", "open x", "jump nowhere", "filter nonsense", "back",
		"back"), `"runwya"\. Did you mean runway\? Type help`, `"zzz"\. Type help`,
		`"re" is ambiguous: receivables or remind or recurring or refresh`, `Organization org_`,
		`Transactions, profile work\.`, `open takes a row number`, `Unknown position: try`, `Not a date: try`,
		`Overview, profile work\.`, `No previous page`)
}

func TestBackLeadsToThePageBefore(t *testing.T) {
	k := talk{client: serve(t).client}

	text := k.say(t, "invoices", "events", "open 1", "transactions", "back", "back", "back", "back", "back")

	inOrder(t, text, `Overview, profile`, `Invoices, profile`, `Events, profile`, `Event evt_`, `Transactions, profile`,
		`Event evt_`, `Events, profile`, `Invoices, profile`, `Overview, profile`, `No previous page`)
}

func TestASlashFiltersAsSearchDoes(t *testing.T) {
	k := talk{client: serve(t).client}

	slash, word := k.say(t, "6", "/invoice"), k.say(t, "6", "search invoice")

	inOrder(t, slash, `of 20 match "invoice"`)
	if after := func(text string) string { return text[strings.LastIndex(text, "Events, newest first"):] }; after(
		slash,
	) != after(word) {
		t.Errorf("/ says\n%s\nand search\n%s", slash, word)
	}
}

func TestAnEventOfAPaymentIsSaidWithoutItsId(t *testing.T) {
	e := apiclient.Event{
		ID:   "evt_1",
		Type: apiclient.EventPaymentHeld,
		Data: json.RawMessage(`{"payment_intent_id":"pi_1","amount_cents":5000,"currency":"USD"}`),
	}
	k := talk{
		client: stubClient{
			Client: serve(t).client,
			events: func() (*apiclient.EventPage, error) { return &apiclient.EventPage{Data: []apiclient.Event{e}}, nil },
		},
	}

	text := k.say(t, "6", "open 1")

	inOrder(t, text, `1: .*payment\.held, \$50\.00\.`, `Event evt_1`, `"payment_intent_id": "pi_1"`)
}

func TestAReadOnlySessionChangesNothing(t *testing.T) {
	k := talk{client: serve(t).client, readOnly: true}
	text := k.say(t, "propose", "7", "create", "help")
	inOrder(t, text, `Overview, profile work, read-only`, `Unknown command "propose"`, `read-only`,
		`Unknown command "create"`, `On webhooks:`)
	if strings.Contains(text, "propose an invoice") || strings.Contains(text, "create an endpoint") {
		t.Errorf("a write is offered:\n%s", text)
	}
}

func TestExportsAndDocumentsAreWhole(t *testing.T) {
	k := talk{client: serve(t).client}
	k.Documents = t.TempDir()
	text := k.say(t, "4", "filter in", "export in.csv", "export in.csv", "export in.txt", "export in.json", "5", "open 1",
		"pdf")
	inOrder(t, text, `Exported [\d,]+ transactions to .*in\.csv\.`, `in\.csv already exists`,
		`Not exported: .*\.csv or \.json`, `Exported .*in\.json`, `Saved as .*\.pdf, [\d,]+ bytes`)
	rows, err := os.ReadFile(filepath.Join(k.Documents, "in.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(\d+) transactions, money in`).FindStringSubmatch(text)[1]
	if got := bytes.Count(rows, []byte("\n")) - 1; want != regexp.MustCompile(`\d+`).
		FindString(text[strings.Index(text, "Exported ")+9:]) ||
		got < 100 {
		t.Errorf("%d rows in the file, %s said", got, want)
	}
}

// A panic in a request or in the session ends the session with a single line.
func TestAFaultEndsTheSessionAndTellsNoData(t *testing.T) {
	secret := "Acme LLC owes 1,234.56"
	client := serve(t).client
	for name, k := range map[string]talk{
		"a request": {client: stubClient{Client: client, account: func() (*apiclient.Account, error) { panic(secret) }}},
		"a command": {client: client, Options: plain.Options{Now: func() time.Time { panic(secret) }}},
	} {
		var fault *panics.Fault
		text, err := k.try(strings.NewReader("refresh\n"))
		if !errors.As(err, &fault) || strings.Contains(text+err.Error(), "Acme") || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), "plain") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

func TestAmountsThatDifferSayWhatTheyCount(t *testing.T) {
	text := talk{client: serve(t).client}.say(t, "overview", "runway", "receivables", "overdue")
	inOrder(t, text, `Balance: available \$`, `what this account can spend now`,
		`Cash on hand: \$.*, all settled cash, held and locked included`, `Spendable: \$.*, used for the runway`,
		`Totals are before part payments; Receivables counts what is still owed\.`)
}
