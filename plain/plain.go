// Package plain is the dashboard in lines: everything is said in words, one line
// after the other, and every command is a word. It moves no cursor and draws nothing,
// so that a screen reader can follow it, a dumb terminal show it and a script drive it.
//
// An amount that nobody knows is the word "unknown": a dash is silent where it is read
// aloud. Signs are words too: in and out, plus and minus.
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

// Client is what the line mode asks of a server; *apiclient.Client is one.
type Client interface {
	Origin() string // of the server, by which drafts are told apart
	Ping(ctx context.Context) (*apiclient.Ping, error)
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	InvoicePDF(ctx context.Context, id string, w io.Writer) (apiclient.PDF, error)
	ProposeInvoice(ctx context.Context, p apiclient.InvoiceProposal, opts ...apiclient.ProposeOption) (*apiclient.Invoice, error)
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

// Connection is a server to talk to.
type Connection struct {
	Client   Client
	Profile  string // what it is called: a profile, "demo", or the server's host
	ReadOnly bool
	Close    func() // ends what belongs to it; may be nil
}

// Profile is somewhere to connect to. The context of Open ends when the connection is
// not wanted any more, also after it was made.
type Profile struct {
	Name string
	Open func(ctx context.Context) (Connection, error)
}

// Options are a session's surroundings.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Echo repeats each line that is read: what comes from a pipe is seen nowhere else.
	Echo bool
	// Interrupts are what ctrl+c sends: it ends a request, and at the prompt the session.
	Interrupts <-chan os.Signal

	Start    Profile   // where it begins
	Profiles []Profile // where else one can go

	Now       func() time.Time
	After     func(time.Duration) <-chan time.Time
	Timeout   time.Duration // of one request
	Entropy   io.Reader     // idempotency keys are drawn from it
	Drafts    string        // the directory of drafts; "" keeps none
	Documents string        // the directory for PDFs and exports
	Runway    settings.Runway
}

// Documents is where PDFs and exports go unless somebody says otherwise.
func Documents(getenv func(string) string) string { return download.Directory(getenv) }

// errEnd is that there is nothing more to read, or that somebody wants to leave.
var errEnd = errors.New("session ended")

// session is one run of the line mode. It is used from one goroutine.
type session struct {
	Options
	ctx     context.Context
	lines   <-chan typedLine
	drafts  *draft.Store // nil keeps none
	turn    uint64       // of writing a draft
	server  Connection
	ping    kept[*apiclient.Ping]
	masked  bool
	waiting bool          // it was said that the server is being asked
	paused  time.Duration // the longest pause that was told since the last prompt
	failure error

	here   page
	behind []page // what back leads to
	pages  map[string]page

	proposal openProposal
}

// page is something that is being looked at. It keeps what was chosen on it while
// another one is.
type page interface {
	name() string
	// show says all of it, freshly asked for.
	show(s *session) error
	commands(s *session) []command
}

// Run talks until the input ends or somebody leaves. It returns the error of opening
// the first connection, or of writing; a panic is returned as a *panics.Fault.
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
	connection, err := s.begin(o.Start.Open)
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
			err = s.obey(line)
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

// begin opens a connection, which lives longer than the asking for it.
func (s *session) begin(start func(ctx context.Context) (Connection, error)) (Connection, error) {
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

// connect begins with a server: nothing of the one before is left.
func (s *session) connect(c Connection) {
	s.disconnect()
	s.server, s.ping, s.behind, s.proposal = c, kept[*apiclient.Ping]{}, nil, openProposal{}
	s.pages = map[string]page{}
	for _, p := range []page{&overviewPage{}, &runwayPage{}, &receivablesPage{}, &transactionsPage{}, &invoicesPage{}, &eventsPage{}, &webhooksPage{}} {
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

// farthestBack is how many pages back leads over at most.
const farthestBack = 50

// open goes to a page, from which back leads here.
func (s *session) open(p page) error {
	if p != s.here {
		s.behind = append(s.behind[max(0, len(s.behind)-farthestBack+1):], s.here)
		s.here = p
	}
	return p.show(s)
}

// visit goes to one of the seven views.
func (s *session) visit(name string) error { return s.open(s.pages[name]) }

func (s *session) back() error {
	if len(s.behind) == 0 {
		s.say("No previous page. Type quit to leave.")
		return nil
	}
	s.here = s.behind[len(s.behind)-1]
	s.behind = s.behind[:len(s.behind)-1]
	return s.here.show(s)
}

// organization asks whose token this is, once.
func (s *session) organization() (*apiclient.Ping, error) {
	if s.ping.known() {
		return s.ping.value, nil
	}
	return s.ping.renew(s, s.server.Client.Ping)
}

func (s *session) today() civil.Date { return civil.Of(s.Now()) }
