package plain_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/state"
	"tarmac/plain"
)

// proposing answers every field of the form, with some mistakes.
var proposing = []string{
	"propose", "Acme LLC", "not an address", "back", "Acme Ltd", "pay@acme.example", "Consulting", "2026-02-30", "net 30",
	"",
	"Hours", "0", "12.5", "1,20", "180", "yes", "Workshop", "1", "$1,200.50", "no",
}

func drafts(t testing.TB, client *apiclient.Client) []apiclient.Invoice {
	t.Helper()
	all, err := client.Invoices(t.Context(), apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAProposalIsTypedReadBackAndSentOnce(t *testing.T) {
	s := serve(t)
	before := len(drafts(t, s.client))
	k := talk{client: s.client}
	dir := t.TempDir()
	k.Drafts = state.Directory(dir)
	text := k.say(
		t,
		append(proposing, "edit email", "x@acme.example", "remove 1", "add", "Seats", "3", "45", "no", "yes", "yes")...)
	readable(t, text)
	inOrder(t, text, `Recipient e-mail: Must be an e-mail address`, `Recipient name is now Acme LLC`,
		`Due date: Must be a date such as 2026-12-31`, `Line 1 quantity: Must be a number such as 12\.5`,
		`Line 1 unit price: Must be an amount such as`, `Line total: \$2,250\.00`, `Line total: \$1,200\.50`,
		`This creates a draft`, `Recipient name: Acme Ltd\.`, `Line 1: Hours\. 12\.5 times \$180\.00 is \$2,250\.00`,
		`Total: \$3,450\.50`, `Recipient e-mail: x@acme\.example\.`, `Total: \$3,450\.50`, `Total: \$1,200\.50`,
		`Total: \$1,335\.50`, `Draft INV-\d+ created. Nothing was sent to the customer`,
		`Line items as sent:`, `Line 1: .*\. 1 times`, `Line 2: Seats\. 3 times \$45\.00 is \$135\.00`,
		`Total: \$1,335\.50`, `Unknown command "yes"`)
	after := drafts(t, s.client)
	if len(after) != before+1 {
		t.Fatalf("%d drafts instead of %d", len(after), before+1)
	}
	if cents, _ := after[0].Total.Minor(); cents != 1335_50 || after[0].RecipientEmail != "x@acme.example" ||
		after[0].RecipientName != "Acme Ltd" {
		t.Errorf("the draft is %+v", after[0])
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(left) > 0 {
		t.Errorf("the draft's file is still there: %v", left)
	}
}

// Relative dates and other words are printed as understood.
func TestAProposalIsReadAsPeopleTypeIt(t *testing.T) {
	k := talk{client: serve(t).client}
	k.Drafts = state.Directory(t.TempDir())
	due := time.Now().UTC().AddDate(0, 0, 30).Format(time.DateOnly)
	text := k.say(t, "propose", "Acme LLC", "pay@acme.example", "Consulting", "in 30 days", "", "Hours", "12.5 hours",
		"1.5k", "no", "no")
	inOrder(t, text, `Due date: `+due+`\.`, `Line 1 quantity: 12\.5\.`, `Line 1 unit price: 1,500\.00\.`,
		`Line total: \$18,750\.00`, `Line 1: Hours\. 12\.5 times \$1,500\.00 is \$18,750\.00`)
	inOrder(t, k.say(t, "propose", "", "", "", ""), `Due date is now `+due)
}

// The session ends cleanly wherever the input ends; nothing is sent, and the draft is still there
// the next time.
func TestTheInputMayEndAtEveryPrompt(t *testing.T) {
	s := serve(t)
	before := len(drafts(t, s.client))
	k := talk{client: s.client}
	for n := range proposing {
		k.Drafts = state.Directory(filepath.Join(t.TempDir(), "drafts"))
		k.say(t, proposing[:n+1]...)
		if n < 2 {
			continue
		}
		inOrder(t, k.say(t, "propose", "cancel"), `Draft from \d+ seconds? ago restored`, `Recipient name is now Acme L`)
	}
	for _, lines := range [][]string{{"7", "create"}, {"7", "create", "https://example.com"}, {"6", "follow"},
		{"propose", "A", "a@b.example", "D", "", "", "L", "1", "1", ""}} {
		k.say(t, lines...)
	}
	if after := len(drafts(t, s.client)); after != before {
		t.Errorf("%d drafts were made", after-before)
	}
}

func TestADraftOfTheFullScreenIsFinishedHere(t *testing.T) {
	s := serve(t)
	k := talk{client: s.client}
	k.Drafts = state.Directory(t.TempDir())
	err := draft.NewStore(k.Drafts).Save(draft.OrgKey(s.client.Origin(), s.org), 1, draft.Draft{
		Key: "tarmac-key", SavedAt: time.Now().Add(-2 * time.Hour), RecipientName: "Acme", RecipientEmail: "nobody",
		Description: "Hosting",
		Lines:       []draft.Line{{}, {Description: "May", Quantity: "1", UnitPrice: "99"}, {}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := k.say(t, "propose", "", "", "a@acme.example", "", "", "", "-", "Extra", "2", "10", "", "", "", "x", "1", "1",
		"no", "remove 3", "yes")
	inOrder(t, text, `Draft from 2 hours ago restored`, `Recipient name is now Acme`, `e-mail is now nobody`,
		`Must be an e-mail`, `Total: \$120\.00`, `Total: \$119\.00`, `Draft INV-\d+ created`)
}

func TestADraftOfOneServerIsNotTakenToAnother(t *testing.T) {
	s := serve(t)
	k := talk{client: s.client}
	k.Drafts = state.Directory(t.TempDir())
	err := draft.NewStore(k.Drafts).
		Save(draft.OrgKey("https://elsewhere.example", s.org), 1,
			draft.Draft{Key: "tarmac-key", SavedAt: time.Now(), RecipientName: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	if text := k.say(t, "propose", "cancel"); strings.Contains(text, "Acme") {
		t.Errorf("it was taken up:\n%s", text)
	}
}

// lost is the error of a proposal that was sent but got no answer.
func lost() error {
	return &apiclient.NetworkError{
		Method:         "POST",
		Route:          "/invoices/propose",
		Err:            context.DeadlineExceeded,
		OutcomeUnknown: true,
	}
}

func TestAnUnknownOutcomeIsLookedUpAndNeverSentAgainByItself(t *testing.T) {
	s := serve(t)
	sent := 0
	answer := func(ctx context.Context, p apiclient.InvoiceProposal) (*apiclient.Invoice, error) {
		if sent++; sent == 1 {
			if _, err := s.client.ProposeInvoice(ctx, p, apiclient.IdempotencyKey("elsewhere")); err != nil {
				t.Fatal(err)
			}
			return nil, lost() // the request arrived, but not the answer
		}
		return nil, &apiclient.Error{Status: 503, Message: "busy"}
	}
	k := talk{client: stubClient{Client: s.client, propose: answer}}
	k.Drafts = state.Directory(t.TempDir())
	text := k.say(t, append(proposing, "yes", "nonsense", "look")...)
	inOrder(t, text, `Unknown whether the draft was created: no answer in time\.`, `\$3,450\.50 to Acme Ltd`,
		`One of the newest drafts has the same recipient`, `1: likely, INV-`, `Nothing changed`, `1: likely`)
	if sent != 1 {
		t.Fatalf("it was sent %d times", sent)
	}
	// After a restart, the program knows that it must look for the invoice.
	text = k.say(t, "propose", "again", "no", "again", "yes", "cancel", "propose", "here 1", "propose")
	inOrder(t, text, `created: the program ended before the answer`, `1: likely`, `Nothing changed`,
		`Resending failed: busy \(503\)`, `Outcome still unknown`, `Draft INV-\d+ created. Nothing was sent`,
		`Propose an invoice`, `Recipient name: `)
	if sent != 2 {
		t.Errorf("it was sent %d times", sent)
	}
}

func TestARefusedProposalIsKeptAndCanBeMended(t *testing.T) {
	s := serve(t)
	refusals := 0
	k := talk{
		client: stubClient{
			Client: s.client,
			propose: func(ctx context.Context, p apiclient.InvoiceProposal) (*apiclient.Invoice, error) {
				if refusals++; refusals == 1 {
					return nil, &apiclient.Error{Status: 400, Message: "recipient_email is on a list"}
				}
				return s.client.ProposeInvoice(ctx, p)
			},
		},
	}
	k.Drafts = state.Directory(t.TempDir())
	inOrder(t, k.say(t, append(proposing, "yes", "edit email", "b@acme.example", "yes")...),
		`Not proposed: recipient_email is on a list`, `Recipient e-mail: b@acme\.example\.`, `Draft INV-\d+ created`)
}

func TestNothingIsSentThatCannotBeNoted(t *testing.T) {
	s := serve(t)
	sent := 0
	k := talk{
		client: stubClient{
			Client: s.client,
			propose: func(ctx context.Context, p apiclient.InvoiceProposal) (*apiclient.Invoice, error) {
				sent++
				return s.client.ProposeInvoice(ctx, p)
			},
		},
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	k.Drafts = state.Directory(filepath.Join(file, "drafts")) // can never be a directory
	inOrder(t, k.say(t, append(proposing, "yes")...), `Draft not saved`, `Not sent: the draft file could not be updated`)
	if sent != 0 {
		t.Fatal("it was sent")
	}
	inOrder(t, k.say(t, append(proposing, "yes", "yes")...), `Not sent: the draft file could not be updated`,
		`Draft INV-\d+ created`)
}

func TestCtrlCEndsARequestAndAtThePromptTheSession(t *testing.T) {
	s := serve(t)
	interrupts, asked := make(chan os.Signal, 1), make(chan struct{}, 1)
	k := talk{
		client: stubClient{
			Client: s.client,
			propose: func(ctx context.Context, _ apiclient.InvoiceProposal) (*apiclient.Invoice, error) {
				asked <- struct{}{}
				<-ctx.Done()
				return nil, &apiclient.NetworkError{
					Method:         "POST",
					Route:          "/invoices/propose",
					Err:            ctx.Err(),
					OutcomeUnknown: true,
				}
			},
		},
	}
	k.Interrupts, k.Drafts = interrupts, state.Directory(t.TempDir())
	var said syncBuffer
	masked := make(chan struct{})
	k.Out = writerFunc(func(p []byte) (int, error) {
		n, err := said.Write(p)
		if strings.Contains(string(p), "Amounts are hidden") {
			close(masked)
		}
		return n, err
	})
	in, typed := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := k.try(in)
		ended <- err
	}()
	if _, err := io.WriteString(typed, strings.Join(append(proposing, "yes"), "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	<-asked
	interrupts <- os.Interrupt
	if _, err := io.WriteString(typed, "cancel\nmask\n"); err != nil {
		t.Fatal(err)
	}
	<-masked
	interrupts <- os.Interrupt
	if err := <-ended; err != nil {
		t.Error(err)
	}
	inOrder(t, said.String(), `created: interrupted before the answer`, `Outcome still unknown`)
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestEventsAreFollowedUntilEnter(t *testing.T) {
	k := talk{client: serve(t).client}
	inOrder(t, k.say(t, "6", "follow", "", "1"), `Events, newest first`, `Following events\. Press Enter to stop\.`,
		`Stopped following\.`, `Overview, profile work`)
	inOrder(t, k.say(t, "6", "follow", "3"), `Following events`, `Stopped following`, `Receivables, profile work`)
}

// The session calls a draft saved only if a file has it.
func TestADraftIsCalledKeptWhereAFileHasIt(t *testing.T) {
	s := serve(t)
	kept := talk{client: s.client, Options: plain.Options{Drafts: state.Directory(t.TempDir())}}
	inOrder(t, kept.say(t, "propose", "cancel"), `Empty draft discarded`)
	inOrder(t, kept.say(t, "propose", "Acme", "cancel"), `Draft saved\. Type propose to continue`)

	nowhere := talk{client: s.client}
	inOrder(t, nowhere.say(t, "propose", "Acme", "cancel"), `kept until the program ends`)
}
