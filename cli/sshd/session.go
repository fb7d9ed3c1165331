package sshd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/crypto/ssh"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/internal/panics"
	"tarmac/internal/plural"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/httpapi"
	"tarmac/service/store"
	"tarmac/sshserver"
	"tarmac/ui"
	"tarmac/ui/terminal"
)

var errUnknown = errors.New("no valid SSH key for this user name")

// sshSessions are the sessions of a process that serves the dashboard over SSH.
type sshSessions struct {
	service  *service.Service
	now      func() time.Time
	logger   *slog.Logger
	version  string // of the program
	process  string // random ID of the process in the records of its sessions
	pages    apiclient.SharedPages
	stopping chan struct{} // closed when the process begins to stop
	stopsAt  time.Time     // set before stopping is closed; when sessions end then
	// checkedAt is the last time at which the database has said which keys are valid.
	checkedAt time.Time

	mu   sync.Mutex
	open map[string]*sshSession // by the session's ID
}

// sshSession is a session of a person, who may open the organizations of several keys one after the
// other.
type sshSession struct {
	*sshSessions
	*sshserver.Session
	keys []store.SSHCredential

	untold <-chan struct{} // sshSessions.stopping; nil when the person has been told

	mu       sync.Mutex
	openings int
	current  map[store.SSHKeyKey]int // how many connections to the organization of a key are open
}

// isKnown reports whether a login may succeed.
func (s *sshSessions) isKnown(ctx context.Context, login sshserver.Login) (bool, error) {
	keys, err := s.service.SSHLogin(ctx, login.User, ssh.FingerprintSHA256(login.Key))
	return len(keys) > 0, err
}

// authenticate returns the keys of a login, of type []store.SSHCredential.
func (s *sshSessions) authenticate(ctx context.Context, login sshserver.Login) (any, error) {
	keys, err := s.service.SSHLogin(ctx, login.User, ssh.FingerprintSHA256(login.Key))
	if err == nil && len(keys) == 0 {
		err = errUnknown
	}
	return keys, err
}

// run shows the dashboard to a person until the person quits or ctx ends. The returned error is
// shown to the person.
func (s *sshSessions) run(ctx context.Context, session *sshserver.Session) error {
	one := &sshSession{
		sshSessions: s, Session: session, keys: session.Grant.([]store.SSHCredential), current: map[store.SSHKeyKey]int{},
		untold: s.stopping,
	}
	s.add(one)
	defer s.remove(one)
	began := s.now()
	s.logger.Info("session began", one.facts()...)
	options := one.options()
	err := terminal.Run(ctx, one.terminal(), func(ctx context.Context) terminal.Model { return ui.New(ctx, options) })
	received, sent := session.Bytes()
	facts := append(one.facts(), "seconds", int64(s.now().Sub(began).Seconds()), "received", received, "sent", sent)
	if fault, isFault := errors.AsType[*panics.Fault](err); isFault {
		s.logger.Error("session ended", append(facts, "reason", "fault", "fault", fault.Where())...)
		return sshserver.ErrFault
	}
	if cause := context.Cause(ctx); cause != nil {
		s.logger.Info("session ended", append(facts, "reason", cause.Error())...)
		return cause
	}
	s.logger.Info("session ended", append(facts, "reason", leftReason)...)
	return err
}

// facts are the attributes of a session in the log.
func (s *sshSession) facts() []any {
	return []any{
		"session", s.ID, "address", s.Login.Remote.String(), "client", s.Client,
		"key", ssh.FingerprintSHA256(s.Login.Key), "person", s.keys[0].Name,
	}
}

// getenv returns a variable that the person's client sent, or "".
func (s *sshSession) getenv(name string) string {
	for _, variable := range s.Environ {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

func (s *sshSession) terminal() terminal.Options {
	return terminal.Options{
		In: s.Session, Out: s.Session, Environ: s.Environ, NoColor: s.getenv("NO_COLOR") != "",
		Remote: &terminal.Remote{
			Width: s.Size.Width, Height: s.Size.Height, Active: s.Active,
			Next: s.next,
		},
	}
}

// next waits for the next message about the person's terminal.
func (s *sshSession) next(ctx context.Context) (tea.Msg, error) {
	select {
	case size := <-s.Sizes:
		return tea.WindowSizeMsg{Width: size.Width, Height: size.Height}, nil
	case left := <-s.IdleSoon:
		return ui.Warning("this session ends in " + plural.Count(plural.Span(left)) + " unless you press a key"), nil
	case <-s.untold:
		s.untold = nil
		left := plural.Count(plural.Span(s.stopsAt.Sub(s.now()).Round(time.Second)))
		return ui.Warning("this server stops in " + left + ": finish what you do, then connect again"), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// announceStop tells the people in all sessions that the process stops after a time. It is called
// once.
func (s *sshSessions) announceStop(after time.Duration) {
	if after == 0 {
		return // their sessions say so when they end
	}
	s.stopsAt = s.now().Add(after)
	close(s.stopping)
}

// sessionTimeout is the time limit of one request of a session.
const sessionTimeout = 15 * time.Second

// options returns the options of the dashboard: it opens the person's organization, or lets the
// person choose among several, and uses nothing else of this machine.
func (s *sshSession) options() ui.Options {
	term := s.getenv("TERM")
	o := ui.Options{
		Remote: true, Timeout: sessionTimeout, Links: terminal.OpensLinks(term), ASCII: terminal.ASCIIOnly("linux", s.getenv),
		Now:       func() time.Time { return s.now().UTC() }, // this machine's time zone is not the person's
		Clipboard: ui.Clipboard{Tmux: strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "screen")},
	}
	for _, key := range s.keys {
		o.Profiles = append(o.Profiles, &ui.Profile{
			Name: cmp.Or(key.OrgName, key.OrgPublicID), Hint: key.OrgPublicID,
			Open: func(ctx context.Context) (ui.Connection, error) { return s.connect(ctx, key) },
		})
	}
	if len(o.Profiles) == 1 {
		o.Start = o.Profiles[0]
	}
	return o
}

// connect opens the organization of a key, after it has recorded that for audits.
func (s *sshSession) connect(ctx context.Context, key store.SSHCredential) (ui.Connection, error) {
	row, err := s.service.Store().SSHCredential(ctx, key.Key)
	if errors.Is(err, store.ErrNotFound) || err == nil && !row.Valid(s.now()) {
		return ui.Connection{}, store.ErrSSHKeyEnded
	}
	if err != nil {
		return ui.Connection{}, err
	}
	id := s.begin(key.Key)
	err = s.service.Store().Write(ctx, func(tx *store.Tx) error {
		return tx.StartSSHSession(store.SSHSession{
			ID: id, Key: key.Key, Process: s.process, Remote: s.Login.Remote.String(), Client: s.Client, BeganAt: s.now(),
		})
	})
	if err != nil {
		s.end(key.Key)
		return ui.Connection{}, fmt.Errorf("the session could not be recorded: %w", err)
	}
	transport := s.service.SessionTransport(httpapi.Session{Key: key.Key, ID: id, Connection: s.ID}, s.Login.Remote)
	ended := func() {
		s.recordEnd(id, endReason(ctx))
		s.end(key.Key)
	}
	client, err := apiclient.New("http://localhost", "", apiclient.WithoutToken("SSH key"), apiclient.WithOrigin("ssh"),
		apiclient.WithHTTPClient(&http.Client{Transport: transport}), apiclient.WithTimeout(sessionTimeout),
		apiclient.WithRetry(apiclient.CountdownRetry), apiclient.WithUserAgent(command.UserAgent(s.version)),
		apiclient.WithSharedPages(&s.pages))
	if err != nil {
		ended()
		return ui.Connection{}, err
	}
	overview, err := alerts.OfSession(client, s.now)
	if err != nil {
		ended()
		return ui.Connection{}, err
	}
	return ui.Connection{
		Client: client, Alerts: overview, Profile: cmp.Or(row.OrgName, row.OrgPublicID), Close: ended,
		ReadOnly: !slices.ContainsFunc(row.Scopes, func(scope access.Scope) bool {
			return !slices.Contains(access.ReadScopes(), scope)
		}),
		Drafts: sshDocuments{store: s.service.Store(), key: key.Key, session: id, now: s.now},
	}, nil
}

// begin notes that the organization of a key is open, and returns the ID of that opening.
func (s *sshSession) begin(key store.SSHKeyKey) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current[key]++
	s.openings++
	return fmt.Sprintf("%s-%d", s.ID, s.openings)
}

// end notes that the organization of a key is not open any more.
func (s *sshSession) end(key store.SSHKeyKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current[key]--; s.current[key] <= 0 {
		delete(s.current, key)
	}
}

// leftReason is the reason for the end of a session that the person has ended.
const leftReason = "the person left"

// endReason returns why the context of a connection has ended.
func endReason(ctx context.Context) string {
	cause := context.Cause(ctx)
	if _, isFault := errors.AsType[*panics.Fault](cause); isFault {
		return "fault"
	}
	if cause == nil || errors.Is(cause, context.Canceled) {
		return leftReason
	}
	return cause.Error()
}
