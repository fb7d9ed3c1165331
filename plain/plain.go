// Package plain is the line mode of the dashboard: each command is a word, and each answer is a
// sentence. It neither moves the cursor nor draws, so that a screen reader can follow it, a simple
// terminal can show it and a script can use it.
//
// An unknown amount is the word "unknown", because screen readers skip dashes. Signs are words as
// well: in and out, plus and minus.
package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/annotations"
	"tarmac/client/answer"
	"tarmac/client/download"
	"tarmac/client/draft"
	"tarmac/client/export"
	"tarmac/client/figures"
	"tarmac/client/importing"
	"tarmac/client/plan"
	"tarmac/client/proposal"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/panics"
)

// Client lists the API requests of the line mode. *apiclient.Client implements it.
type Client interface {
	proposal.Proposer
	proposal.Lister
	download.Source
	Origin() string // the server's origin; each origin has its own drafts
	HasCategories() bool
	Ping(ctx context.Context) (*apiclient.Ping, error)
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	Bills(ctx context.Context) (*apiclient.Bills, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
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
	Profile  string // name of the profile, "demo", or the server's host
	ReadOnly bool
	Books    importing.Books // own books behind the server; nil if it has none
	// Providers connect own books to providers; nil if that is not possible.
	Providers importing.Providers
	// PlanFile is the path of the plan, whose file need not exist. If it is "", the plan is a
	// document in Options.Drafts.
	PlanFile string
	// Plan, if not nil, is used instead of PlanFile and of the document in Options.Drafts.
	Plan plan.Store
	// Annotations are the person's categories and notes of transactions; nil means those in
	// Options.Drafts.
	Annotations *annotations.File
	// Alerts reads the state of the person's alerts; nil for connections without alerts.
	Alerts alerts.Overviewer
	Close  func() // closes what belongs to the connection; may be nil
}

// Profile is a server that the session can connect to. The context of Open ends when the connection
// is no longer needed, which may be long after Open has returned.
type Profile struct {
	Name string
	Open func(ctx context.Context) (Connection, error)
}

// Options configure a session.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Echo prints each input line again. It is meant for input that does not come from a terminal.
	Echo bool
	// HideInput makes the terminal hide what is typed, until the returned function is called. It is
	// nil if the input does not come from a terminal.
	HideInput func() (show func(), err error)
	// Interrupts reports each ctrl+c. It cancels a running request and, at the prompt, ends the
	// session.
	Interrupts <-chan os.Signal

	Start    Profile   // connection opened first
	Profiles []Profile // profiles that the user can choose

	Now       func() time.Time
	After     func(time.Duration) <-chan time.Time
	Timeout   time.Duration      // time limit of one request
	Entropy   io.Reader          // random source for idempotency keys
	Drafts    state.Folder       // folder of drafts and plans; if nil, they are not saved
	Documents string             // directory for PDFs and exported files
	Places    export.Directories // directories for relative names of files to import
	Runway    settings.Runway
}

// Documents returns the default directory of PDFs and exported files.
func Documents(getenv func(string) string) string { return download.Directory(getenv) }

// errEnd means that the input has ended or the user has quit.
var errEnd = errors.New("session ended")

// session is one run of the line mode. It is not safe for concurrent use.
type session struct {
	Options
	ctx       context.Context
	lines     <-chan typedLine
	drafts    *draft.Store // nil if drafts are not saved
	server    Connection
	ping      cached[*apiclient.Ping]
	annotated *annotations.File // nil before it is read
	masked    bool
	waiting   bool          // a notice about the wait for the server was printed
	paused    time.Duration // longest pause for the rate limit printed since the last prompt
	failure   error
	// progress receives messages of the running request; nil for requests without messages.
	progress chan string

	here    page
	history []page                 // pages that the command back returns to
	pages   map[string]page        // lists of records, by name
	answers map[string]*answerPage // answers to questions, by what was typed
	reading *answer.Reading        // how the transactions of the last months are read; nil before they are needed
	past    *answer.Past           // these transactions; nil before they are read
	cash    cached[figures.Cash]
	memory  plan.Memory // the plan, where none can be saved

	proposal openProposal
	// questions are the open questions about own books as they were last listed; nil before.
	questions []ownbooks.OpenQuestion
}

// page is one of the views, or the details of a record. While another page is shown, it keeps
// its filter and position.
type page interface {
	name() string
	// show fetches the page's data and prints the page.
	show(s *session) error
	commands(s *session) []command
}

// Run runs a session until the input ends or the user quits. It returns an error if the first
// connection fails or output cannot be written. A panic is returned as a *panics.Fault.
func Run(ctx context.Context, o Options) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panics.Describe(r)
		}
	}()
	s := &session{Options: o, ctx: ctx}
	ending, stop := context.WithCancel(ctx)
	defer stop()
	s.lines = readLines(ending, o.In)
	s.drafts = draft.NewStore(o.Drafts)
	defer func() { _ = s.drafts.Close() }()
	connection, err := s.openConnection(o.Start.Open)
	if errors.Is(err, errInterrupted) {
		return s.end(errEnd)
	}
	if err != nil {
		return err
	}
	defer func() { s.disconnect() }()
	s.connect(connection)
	if err := s.execute("overview"); err != nil {
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

// openConnection calls start and waits until it has opened a connection. Ctrl+c cancels the wait.
// The context that start gets lasts as long as the connection.
func (s *session) openConnection(start func(ctx context.Context) (Connection, error)) (Connection, error) {
	living, end := context.WithCancel(s.ctx)
	connection, err := runRequest(s, 0, "Starting…", func(asked context.Context) (Connection, error) {
		stop := context.AfterFunc(asked, end)
		defer stop()
		return start(living)
	})
	if err != nil {
		end()
	}
	return connection, err
}

// connect changes to another server and drops all data of the previous one.
func (s *session) connect(c Connection) {
	s.disconnect()
	s.server, s.ping, s.history, s.proposal = c, cached[*apiclient.Ping]{}, nil, openProposal{}
	s.annotated = nil
	s.reading, s.past, s.questions = nil, nil, nil
	s.cash, s.memory = cached[figures.Cash]{}, plan.Memory{}
	s.pages, s.answers = map[string]page{}, map[string]*answerPage{}
	for _, p := range []page{&transactionsPage{}, &invoicesPage{}, &eventsPage{}, &webhooksPage{}} {
		s.pages[p.name()] = p
	}
	if c.Books != nil {
		s.pages["books"] = &booksPage{}
	}
	if c.Providers != nil {
		s.pages["providers"] = &providersPage{}
	}
	overview := &questions()[0]
	s.here, _ = overview.page(s, "") // without words it can't fail
}

func (s *session) disconnect() {
	if s.server.Close != nil {
		s.server.Close()
	}
	s.server = Connection{}
}

// longestHistory is the maximum number of pages that the command back can return to.
const longestHistory = 50

// open shows a page. The command back then returns to the current page.
func (s *session) open(p page) error {
	if p != s.here {
		s.history = append(s.history[max(0, len(s.history)-longestHistory+1):], s.here)
		s.here = p
	}
	return p.show(s)
}

// visit shows a list of records.
func (s *session) visit(name string) error { return s.open(s.pages[name]) }

func (s *session) back(string) error {
	if len(s.history) == 0 {
		return s.answer("No previous page. Type quit to leave.")
	}
	s.here = s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
	return s.here.show(s)
}

// organization returns the organization of the token. It sends a request once per connection.
func (s *session) organization() (*apiclient.Ping, error) {
	if s.ping.known() {
		return s.ping.value, nil
	}
	return s.ping.renew(s, s.server.Client.Ping)
}

func (s *session) today() civil.Date { return civil.Of(s.Now()) }
