// Package browser shows pages in Chromium without a window, for tests that measure what a person
// would see.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// RequireVariable is an environment variable. If it is set, tests that need Chromium fail on a
// machine without it, instead of being skipped.
const RequireVariable = "TARMAC_REQUIRE_CHROMIUM"

// patience is the time after which a browser that does not answer fails the test.
const patience = 2 * time.Minute

// Browser is a running Chromium with a profile of its own. It is controlled through a pipe
// (https://chromedevtools.github.io/devtools-protocol/).
type Browser struct {
	tb   testing.TB
	ctx  context.Context
	pipe io.Writer

	mu      sync.Mutex
	last    int                  // number of the latest request
	waiting map[int]chan message // by request number
	events  []message            // events that no call of take has returned yet
	arrived chan struct{}        // receives when an event is added to events
}

// message is a request, a response or an event of the protocol.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts the browser. The browser ends with the test. Without Chromium, Start skips the test.
func Start(tb testing.TB) *Browser {
	tb.Helper()
	program := find(tb)
	profile, err := os.MkdirTemp("", "tarmac-browser-") // not TempDir, whose removal may fail; see remove
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { remove(profile) })
	ctx, cancel := context.WithTimeout(tb.Context(), patience)
	in, toBrowser, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	fromBrowser, out, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
		"--user-data-dir="+profile, "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--lang=en")
	cmd.ExtraFiles = []*os.File{in, out} // the browser reads from 3 and writes to 4
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	_, _ = in.Close(), out.Close()
	b := &Browser{
		tb: tb, ctx: ctx, pipe: toBrowser, waiting: map[int]chan message{}, arrived: make(chan struct{}, 1),
	}
	done := make(chan struct{})
	go b.read(fromBrowser, done)
	tb.Cleanup(func() {
		_ = toBrowser.Close() // the browser ends when its pipe is closed
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		cancel()
		_ = fromBrowser.Close()
		<-done
	})
	return b
}

// remove removes a profile. Helper processes of an ended browser may still create files in it. Then
// a removal fails, and remove tries again.
func remove(profile string) {
	for range 100 {
		if os.RemoveAll(profile) == nil {
			return
		}
	}
}

// find returns the path of Chromium, or skips the test.
func find(tb testing.TB) string {
	tb.Helper()
	for _, name := range [...]string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv(RequireVariable) != "" {
		tb.Fatalf("Chromium is not installed, and %s asks for it: apt-get install chromium", RequireVariable)
	}
	tb.Skip("SKIPPED: Chromium is not installed")
	return ""
}

// read passes responses to the calls that wait for them, and collects events, until the pipe ends.
func (b *Browser) read(pipe io.Reader, done chan<- struct{}) {
	defer close(done)
	in := bufio.NewReader(pipe)
	for {
		line, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			message
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		m.message.Params = m.Params
		b.mu.Lock()
		if answer := b.waiting[m.ID]; answer != nil {
			delete(b.waiting, m.ID)
			answer <- m.message
		} else if m.Method != "" {
			b.events = append(b.events, m.message)
			select {
			case b.arrived <- struct{}{}:
			default:
			}
		}
		b.mu.Unlock()
	}
}

// call sends a request and decodes the response into result, which may be nil.
func (b *Browser) call(session, method string, params, result any) {
	b.tb.Helper()
	if err := b.request(session, method, params, result); err != nil {
		b.tb.Fatalf("%s: %v", method, err)
	}
}

func (b *Browser) request(session, method string, params, result any) error {
	b.mu.Lock()
	b.last++
	id := b.last
	answer := make(chan message, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	line, err := json.Marshal(message{ID: id, Session: session, Method: method, Params: params})
	if err != nil {
		return err
	}
	if _, err := b.pipe.Write(append(line, 0)); err != nil {
		return err
	}
	select {
	case <-b.ctx.Done():
		return errors.New("the browser does not answer")
	case m := <-answer:
		switch {
		case m.Error != nil:
			return errors.New(m.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

// await returns the events of a page up to the first one with the given method.
func (b *Browser) await(session, method string) (events []message) {
	b.tb.Helper()
	for {
		b.mu.Lock()
		for i, m := range b.events {
			if m.Session == session && m.Method == method {
				events = slices.Clone(b.events[:i+1])
				b.events = b.events[i+1:]
				b.mu.Unlock()
				return slices.DeleteFunc(events, func(m message) bool { return m.Session != session })
			}
		}
		b.mu.Unlock()
		select {
		case <-b.ctx.Done():
			b.tb.Fatalf("the browser does not report %s", method)
		case <-b.arrived:
		}
	}
}

// describe returns a text for an event that a quiet page does not cause, or "".
func (m message) describe() string {
	raw, _ := m.Params.(json.RawMessage)
	switch m.Method {
	case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Network.requestWillBeSent",
		"Audits.issueAdded":
		return fmt.Sprintf("%s: %s", m.Method, strings.TrimSpace(string(raw)))
	}
	return ""
}
