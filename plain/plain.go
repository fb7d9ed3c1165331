// Package plain is the dashboard in lines: every command is a word, and every answer is a sentence.
// It moves no cursor and draws nothing, so a screen reader can follow it, a dumb terminal can show
// it and a script can drive it.
//
// An unknown amount is the word "unknown", since a screen reader skips a dash. Signs are words too:
// in and out, plus and minus.
package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/draft"
	"tarmac/client/settings"
	"tarmac/internal/civil"
	"tarmac/internal/panics"
)

// Client is the part of *apiclient.Client that the line mode uses.
type Client interface {
	Origin() string // the server's origin, which keeps the drafts of different servers apart
	Ping(ctx context.Context) (*apiclient.Ping, error)
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	InvoicePDF(ctx context.Context, id string, w io.Writer) (apiclient.PDF, error)
	ProposeInvoice(ctx context.Context, p apiclient.InvoiceProposal,
		opts ...apiclient.ProposeOption) (*apiclient.Invoice, error)
	EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error)
	PaymentIntent(ctx context.Context, id string) (*apiclient.PaymentIntent, error)
	Webhooks(ctx context.Context) ([]apiclient.Webhook, error)
	WebhookDeliveries(ctx context.Context, id string) ([]apiclient.WebhookDelivery, error)
	CreateWebhook(ctx context.Context, url string, types []apiclient.EventType) (*apiclient.CreatedWebhook, error)
	UpdateWebhook(ctx context.Context, id string, patch apiclient.WebhookPatch) (*apiclient.Webhook, error)
	DeleteWebhook(ctx context.Context, id string) error
	RotateWebhookSecret(ctx context.Context, id string) (*apiclient.RotatedSecret, error)
	VerifyWebhook(ctx context.Context, id string) (*apiclient.QueuedTest, error)
}

// Connection is an open connection to a server.
type Connection struct {
	Client   Client
	Profile  string // the name: a profile, "demo", or the server's host
	ReadOnly bool
	Close    func() // releases what belongs to the connection; may be nil
}

// Profile is a server that the session can connect to. The context of Open ends when the connection
// is no longer wanted, which may be after Open returned.
type Profile struct {
	Name string
	Open func(ctx context.Context) (Connection, error)
}

// Options configure a session.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Echo repeats each input line, for input that does not come from a terminal.
	Echo bool
	// Interrupts receives ctrl+c, which cancels a running request and ends the session at the
	// prompt.
	Interrupts <-chan os.Signal

	Start    Profile   // the first connection
	Profiles []Profile // the profiles to switch between

	Now       func() time.Time
	After     func(time.Duration) <-chan time.Time
	Timeout   time.Duration // of one request
	Entropy   io.Reader     // the source of idempotency keys
	Drafts    string        // the directory of drafts; "" saves none
	Documents string        // the directory for PDFs and exports
	Runway    settings.Runway
}

// Documents returns the default directory for PDFs and exports.
func Documents(getenv func(string) string) string { return download.Directory(getenv) }

// errEnd reports the end of input or a request to quit.
var errEnd = errors.New("session ended")

// session is one run of the line mode. Only one goroutine may use it.
type session struct {
	Options
	ctx           context.Context
	lines         <-chan typedLine
	drafts        *draft.Store // nil saves none
	draftSequence uint64       // sequence number of draft writes
	server        Connection
	ping          cached[*apiclient.Ping]
	masked        bool
	waiting       bool          // the wait for the server has been reported
	paused        time.Duration // the longest pause reported since the last prompt
	failure       error

	here    page
	history []page // the pages that the command back returns to
	pages   map[string]page

	proposal openProposal
}

// page is one of the seven views or the details of a record. It keeps its filter and position while
// another page is shown.
type page interface {
	name() string
	// show fetches the page and prints it.
	show(s *session) error
	commands(s *session) []command
}

// Run runs a session until the input ends or the person quits. It returns an error if the first
// connection or a write fails, and a panic as a *panics.Fault.
func Run(ctx context.Context, o Options) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panics.Of(r)
		}
	}()
	s := &session{Options: o, ctx: ctx}
	ending, stop := context.WithCancel(ctx)
	defer stop()
	s.lines = readLines(ending, o.In)
	if o.Drafts != "" {
		s.drafts = draft.NewStore(o.Drafts)
		defer func() { _ = s.drafts.Close() }()
	}
	connection, err := s.openConnection(o.Start.Open)
	if errors.Is(err, errInterrupted) {
		return s.end(errEnd)
	}
	if err != nil {
		return err
	}
	defer func() { s.disconnect() }()
	s.connect(connection)
	if err := s.visit("overview"); err != nil {
		return s.end(err)
	}
	for {
		line, err := s.read(s.here.name())
		if err == nil {
			err = s.execute(line)
		}
		if err != nil {
			return s.end(err)
		}
	}
}

func (s *session) end(err error) error {
	if errors.Is(err, errEnd) {
		err = s.ctx.Err()
	}
	return errors.Join(err, s.failure)
}

// openConnection opens a connection. The connection outlives the request that opens it, and so does
// its context.
func (s *session) openConnection(start func(ctx context.Context) (Connection, error)) (Connection, error) {
	living, end := context.WithCancel(s.ctx)
	connection, err := askFor(s, 0, "Starting…", func(asked context.Context) (Connection, error) {
		stop := context.AfterFunc(asked, end)
		defer stop()
		return start(living)
	})
	if err != nil {
		end()
	}
	return connection, err
}

// connect switches to a server and drops all state of the previous one.
func (s *session) connect(c Connection) {
	s.disconnect()
	s.server, s.ping, s.history, s.proposal = c, cached[*apiclient.Ping]{}, nil, openProposal{}
	s.pages = map[string]page{}
	for _, p := range []page{&overviewPage{}, &runwayPage{}, &receivablesPage{}, &transactionsPage{}, &invoicesPage{},
		&eventsPage{}, &webhooksPage{}} {
		s.pages[p.name()] = p
	}
	s.here = s.pages["overview"]
}

func (s *session) disconnect() {
	if s.server.Close != nil {
		s.server.Close()
	}
	s.server = Connection{}
}

// longestHistory is the maximum number of pages that the command back can return through.
const longestHistory = 50

// open shows a page and adds the current one to the history.
func (s *session) open(p page) error {
	if p != s.here {
		s.history = append(s.history[max(0, len(s.history)-longestHistory+1):], s.here)
		s.here = p
	}
	return p.show(s)
}

// visit shows one of the seven views.
func (s *session) visit(name string) error { return s.open(s.pages[name]) }

func (s *session) back(string) error {
	if len(s.history) == 0 {
		return s.answer("No previous page. Type quit to leave.")
	}
	s.here = s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
	return s.here.show(s)
}

// organization returns the token's organization, requested once per connection.
func (s *session) organization() (*apiclient.Ping, error) {
	if s.ping.known() {
		return s.ping.value, nil
	}
	return s.ping.renew(s, s.server.Client.Ping)
}

func (s *session) today() civil.Date { return civil.Of(s.Now()) }
