package syncing_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/service/bookkeeping"
	"tarmac/service/providers/wire"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/jsonlines"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connectedBank is a bank behind a SimpleFIN server, with an organization that reads it through
// several processes.
type connectedBank struct {
	*rapid.T
	*fixture
	server    *fake.Server
	processes []*syncing.Syncer
	login     *fake.Connection
	accounts  []*bankAccount
	files     []importedFile
	org       store.OrgKey
	waited    time.Duration
}

// bankAccount is an account at the bank with its lines.
type bankAccount struct {
	*fake.Account
	name, number string
	booked, held []*bankLine
}

type bankLine struct {
	*fake.Line
	day   civil.Date
	minor int64
	text  string
}

// importedFile is a file that the organization imported.
type importedFile struct {
	id      string // of the import
	content []byte
}

// newConnectedBank returns a bank with two accounts, and connects a new organization to it.
func newConnectedBank(
	t *rapid.T, f *fixture, web *internet.Internet, processes []*syncing.Syncer,
) *connectedBank {
	// Each bank has a host of its own, because connections to earlier hosts are still open.
	host := fmt.Sprintf("bridge%d.simplefin.org", rand.Uint32())
	c := &connectedBank{T: t, fixture: f, processes: processes, server: fake.New(host, f.clock.now)}
	web.Handle(host, c.server)
	c.login = c.server.Connect("Harbor Bank", "Ada")
	for _, digits := range []string{"4821", "7733"} {
		name := "Account " + digits
		c.accounts = append(c.accounts, &bankAccount{
			Account: c.server.Open(c.login, name, "USD", 1_000_00), name: name, number: digits,
		})
	}
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		c.book(t)
	}
	c.org = c.newOrganization()
	c.connectTo(c.org)
	return c
}

func (c *connectedBank) newOrganization() (org store.OrgKey) {
	err := c.Store.Write(c.Context(), func(tx *store.Tx) (err error) {
		id := fmt.Sprintf("org_%d", rand.Uint64())
		org, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: "Company", CreatedAt: noon})
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return org
}

// connectTo connects an organization with a new token. The first time, it takes all accounts.
func (c *connectedBank) connectTo(org store.OrgKey) {
	p := c.processes[0]
	made, _, err := p.Connect(c.Context(), org, syncing.ConnectRequest{
		Provider: "simplefin", Token: wire.NewSecret(c.server.Token()),
	})
	if err != nil {
		c.Fatal(err)
	}
	if made.State != store.ConnectionChoosing {
		return
	}
	var all []syncing.Choice
	for _, a := range made.Accounts {
		all = append(all, syncing.Choice{RemoteID: a.RemoteID})
	}
	if outcome, err := p.Take(c.Context(), org, made.ID, all); err != nil || outcome.Problem != "" {
		c.Fatalf("%+v, %v", outcome, err)
	}
}

func (c *connectedBank) today() civil.Date { return civil.Of(c.clock.now()) }

func (c *connectedBank) drawAccount(t *rapid.T) *bankAccount {
	return rapid.SampledFrom(c.accounts).Draw(t, "account")
}

// drawLine draws the amount and the text of a line. There are few, so that many lines are equal.
func drawLine(t *rapid.T) (minor int64, text string) {
	minor = rapid.SampledFrom([]int64{-5_00, -12_34, -400_00, 5_00, 2_500_00}).Draw(t, "amount")
	return minor, rapid.SampledFrom([]string{"Coffee", "Rent", "Payment from Acme"}).Draw(t, "text")
}

// book books a line on one of the last days.
func (c *connectedBank) book(t *rapid.T) {
	a := c.drawAccount(t)
	day := c.today().AddDays(-rapid.IntRange(0, 6).Draw(t, "days ago"))
	minor, text := drawLine(t)
	l := c.server.Book(a.Account, day.Time(), minor, text)
	a.booked = append(a.booked, &bankLine{l, day, minor, text})
}

func (c *connectedBank) hold(t *rapid.T) {
	a := c.drawAccount(t)
	minor, text := drawLine(t)
	l := c.server.Hold(a.Account, c.today().Time(), minor, text)
	a.held = append(a.held, &bankLine{l, c.today(), minor, text})
}

// settle books a pending line, sometimes with another amount.
func (c *connectedBank) settle(t *rapid.T) {
	a := c.drawAccount(t)
	l := remove(t, &a.held)
	l.day = c.today()
	if rapid.Bool().Draw(t, "other amount") {
		l.minor--
	}
	c.server.Settle(a.Account, l.Line, l.day.Time(), l.minor)
	a.booked = append(a.booked, l)
}

func (c *connectedBank) dropHold(t *rapid.T) {
	a := c.drawAccount(t)
	c.server.Withdraw(a.Account, remove(t, &a.held).Line)
}

func (c *connectedBank) withdraw(t *rapid.T) {
	a := c.drawAccount(t)
	c.server.Withdraw(a.Account, remove(t, &a.booked).Line)
}

// correct changes the amount and the text of a booked line.
func (c *connectedBank) correct(t *rapid.T) {
	a := c.drawAccount(t)
	l := remove(t, &a.booked)
	l.minor, l.text = drawLine(t)
	c.server.Change(l.Line, l.minor, l.text)
	a.booked = append(a.booked, l)
}

// remove removes a line of a list and returns it.
func remove(t *rapid.T, lines *[]*bankLine) *bankLine {
	if len(*lines) == 0 {
		t.Skip("there is no line")
	}
	at := rapid.IntRange(0, len(*lines)-1).Draw(t, "line")
	l := (*lines)[at]
	*lines = slices.Delete(*lines, at, at+1)
	return l
}

func (c *connectedBank) reissue(t *rapid.T) { c.server.Reissue(c.drawAccount(t).Account) }

// relink links the bank again. Mostly the user connects again soon.
func (c *connectedBank) relink(t *rapid.T) {
	c.server.Relink(c.login)
	if rapid.IntRange(0, 3).Draw(t, "connect") > 0 {
		c.connectTo(c.org)
	}
}

// revoke ends the access. Mostly the user connects again soon.
func (c *connectedBank) revoke(t *rapid.T) {
	c.server.Revoke()
	if rapid.IntRange(0, 3).Draw(t, "connect") > 0 {
		c.connectTo(c.org)
	}
}

// fail makes the server report an error of the bank or of an account, or no error any more.
func (c *connectedBank) fail(t *rapid.T) {
	c.server.Recover()
	switch rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "error") {
	case 1:
		c.server.Report(fake.Problem{Code: "con.auth", Text: "Sign in at Harbor Bank", Connection: c.login})
	case 2:
		a := c.drawAccount(t).Account
		c.server.Report(fake.Problem{Code: "act.failed", Text: "Harbor Bank failed", Connection: c.login, Account: a})
	}
}

// importFile imports a file of an account with the lines that the bank has now.
func (c *connectedBank) importFile(t *rapid.T) {
	a := c.drawAccount(t)
	first := c.today().AddDays(-rapid.IntRange(0, 10).Draw(t, "days"))
	s := jsonlines.Statement{Statement: bank.Statement{
		Account: bank.Account{Number: a.number}, Currency: "USD", First: first, Last: c.today(),
	}}
	for _, l := range a.booked {
		if !l.day.Before(first) {
			s.Lines = append(s.Lines, bank.Line{Booked: l.day, Minor: l.minor, Description: l.text})
		}
	}
	var content bytes.Buffer
	if err := jsonlines.Write(&content, []jsonlines.Statement{s}, nil); err != nil {
		t.Fatal(err)
	}
	p := rapid.SampledFrom(c.processes).Draw(t, "process")
	if id := importInto(t, p.Books(c.org), content.Bytes()); id != "" {
		c.files = append(c.files, importedFile{id, content.Bytes()})
	}
}

// importInto imports a file and returns the id of the import; "" if the file was imported before.
func importInto(t *rapid.T, b *bookkeeping.Books, content []byte) string {
	source := bookkeeping.Source{Name: "file.jsonl", Content: bytes.NewReader(content)}
	report, err := b.Import(t.Context(), []bookkeeping.Source{source}, bookkeeping.Options{AcceptResidual: true})
	if err != nil || report.Failed() {
		t.Fatalf("%+v, %v", report, err)
	}
	if report.Import == "" {
		return ""
	}
	return string(report.Import)
}

// undoFile undoes the import of a file.
func (c *connectedBank) undoFile(t *rapid.T) {
	if len(c.files) == 0 {
		t.Skip("there is no file")
	}
	at := rapid.IntRange(0, len(c.files)-1).Draw(t, "file")
	if _, err := c.Books(c.org).Undo(t.Context(), c.files[at].id); err != nil {
		t.Fatal(err)
	}
	c.files = slices.Delete(c.files, at, at+1)
}

// settleDown ends all errors, connects again, and reads the bank once more, a day later.
func (c *connectedBank) settleDown() {
	c.server.Recover()
	c.clock.advance(25 * time.Hour)
	c.connectTo(c.org)
	outcomes, err := c.Sync(c.Context(), c.org, "", syncing.SyncOptions{AcceptRemoved: true})
	if err != nil || outcomes[0].Problem != "" {
		c.Fatalf("%+v, %v", outcomes, err)
	}
}

// cleanPicture returns the picture of the books of another organization that reads the bank once
// and imports the files.
func (c *connectedBank) cleanPicture() string {
	org := c.newOrganization()
	c.connectTo(org)
	for _, file := range c.files {
		importInto(c.T, c.Books(org), file.content)
	}
	return c.picture(org)
}

// checkBudget checks that no access was used more often than 24 times in 24 hours.
func (c *connectedBank) checkBudget() {
	var asked []time.Time
	for _, r := range c.server.Requests() {
		if r.Method == http.MethodPost {
			asked = nil // a new access
			continue
		}
		asked = append(asked, r.At)
		if first := len(asked) - 25; first >= 0 && r.At.Sub(asked[first]) < 24*time.Hour {
			c.Fatalf("25 requests are from %s to %s", asked[first], r.At)
		}
	}
}

// picture describes the books of an organization.
func (c *connectedBank) picture(org store.OrgKey) string {
	text, addsUp := picture(c, c.Books(org))
	if !addsUp && len(c.files) == 0 {
		c.Errorf("the lines do not add up to the balances: %s", text)
	}
	return text
}
