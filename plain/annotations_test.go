package plain_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/state"
	"tarmac/plain"
)

func TestCategoriesAndNotesAreWrittenAndKept(t *testing.T) {
	directory := t.TempDir()
	k := talk{client: serve(t).client, Options: plain.Options{Drafts: state.Directory(directory)}}

	text := k.say(t, "transactions", "open 1", "category Client visits", "note Ada\x1b[31m asked")

	inOrder(t, text, `Transaction txn_`, `Saved\.`, `Category: Client visits \(you\)\.`, `Saved\.`,
		`Note: Ada asked \(you\)\.`)
	inOrder(t, k.say(t, "transactions", "open 1", "category", "note"), `Note: Ada asked \(you\)\.`, `Saved\.`, `Saved\.`)
	if found, err := filepath.Glob(filepath.Join(directory, annotations.Prefix+"*.json")); err != nil || len(found) > 0 {
		t.Errorf("a file without texts is left: %v, %v", found, err)
	}
}

// seldomPings fails the first two pings: that of the overview and that before the notes are read.
type seldomPings struct {
	plain.Client
	pings int
}

func (c *seldomPings) Ping(ctx context.Context) (*apiclient.Ping, error) {
	if c.pings++; c.pings <= 2 {
		return nil, errors.New("no route")
	}
	return c.Client.Ping(ctx)
}

func TestNotesAreReadAgainAfterAFailure(t *testing.T) {
	client := &seldomPings{Client: serve(t).client}
	k := talk{client: client, Options: plain.Options{Drafts: state.Directory(t.TempDir())}}

	text := k.say(t, "transactions", "open 1", "note due")

	inOrder(t, text, `could not be read: `, `Saved\.`, `Note: due \(you\)\.`)

	client.pings, k.Drafts = 0, nil
	inOrder(t, k.say(t, "transactions", "open 1", "note due"), `Saved until you quit\.`, `Note: due \(you\)\.`)
}

// specified is a server that sends only what the API specifies.
type specified struct{ plain.Client }

func (specified) HasCategories() bool { return false }

func TestExportsHoldCategoriesAndNotesOnceThereAreAny(t *testing.T) {
	client := serve(t).client
	header := func(client plain.Client, lines ...string) string {
		k := talk{client: client, Options: plain.Options{Documents: t.TempDir()}}
		k.say(t, append(lines, "transactions", "export a.csv")...)
		content, err := os.ReadFile(filepath.Join(k.Documents, "a.csv"))
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(content), "\r\n")
		return line
	}

	for name, got := range map[string]string{
		"a note":    header(specified{client}, "transactions", "open 1", "note due"),
		"own books": header(client),
	} {
		if !strings.HasSuffix(got, ",category,category_from,note") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := header(specified{client}); strings.Contains(got, "category") {
		t.Errorf("without any: %s", got)
	}
}

func TestNotesThatCannotBeReadAreSaidAndStay(t *testing.T) {
	directory := t.TempDir()
	k := talk{client: serve(t).client, Options: plain.Options{Drafts: state.Directory(directory)}}
	k.say(t, "transactions", "open 1", "note due")
	found, _ := filepath.Glob(filepath.Join(directory, annotations.Prefix+"*.json"))
	if len(found) != 1 {
		t.Fatal(found)
	}
	if err := os.WriteFile(found[0], []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}

	inOrder(t, k.say(t, "transactions", "open 1", "note again"), `could not be read`, `Not saved: `)

	if content, err := os.ReadFile(found[0]); err != nil || string(content) != "secret" {
		t.Errorf("it holds %q, %v", content, err)
	}
}

// inAccounts is the server of own books, which names the account of a transaction.
type inAccounts struct {
	plain.Client
	account string
}

func (c inAccounts) TransactionPage(
	ctx context.Context, q apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	page, err := c.Client.TransactionPage(ctx, q)
	if err == nil {
		for i := range page.Data {
			page.Data[i].Account = c.account
		}
	}
	return page, err
}

func TestRowsOfOwnBooksAreFoundByTheirAccountWhichTheDetailsName(t *testing.T) {
	client := serve(t).client
	own := talk{client: inAccounts{client, "Pine Bank …9016"}}

	text := own.say(t, "transactions", "search acct:9016", "open 1")

	inOrder(t, text, `With acct:9016: .* transactions, `, `  1: `,
		`  Account: Pine Bank …9016\.`)
	inOrder(t, own.say(t, "transactions", "search acct:linked"), `With acct:linked: 0 transactions`)
	if text := (talk{client: client}).say(t, "transactions", "open 1"); strings.Contains(text, "Account:") {
		t.Errorf("a server's row is of an account:\n%s", text)
	}
}

func TestCategoriesAmountsAndAccountsAreSearchedInAllRows(t *testing.T) {
	k := talk{client: serve(t).client, Options: plain.Options{Drafts: state.Directory(t.TempDir())}}

	text := k.say(t, "transactions", "filter out", "search >0", "open 2", "category Client visits", "back", "back",
		"search cat:visits", "open 1", "back", "back", `/cat:"client visits" >0`, "back",
		"search cat:none", "next", "back", "search cat:", "search =1,5")

	inOrder(t, text, `Saved\.`, `With cat:visits, money out: 1 transaction, `, `  1: `,
		`Category: Client visits \(you\)\.`, `With cat:"client visits" >0, money out: 1 transaction`,
		`With cat:none, money out: `, `  1: `, `End of list\.`,
		`Name the category, for example cat:travel`, `Must be an amount such as `)
}
