package ui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// inbox holds the messages of commands that run in the background of a synctest bubble.
type inbox struct {
	*dashboard
	messages chan tea.Msg
}

// run runs a command and those that it leads to.
func (i inbox) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				i.run(c)
			}
		default:
			i.messages <- msg
		}
	}()
}

// passes lets time pass, handles what has arrived and ticks.
func (i inbox) passes(d time.Duration) {
	time.Sleep(d)
	synctest.Wait() // commands that began before read the clock
	i.now = i.now.Add(d)
	i.settle()
	i.run(i.tick(views.Tick{Now: i.now}))
	i.settle()
}

func (i inbox) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-i.messages:
			_, cmd := i.Update(msg)
			i.run(cmd)
		default:
			return
		}
	}
}

func (i inbox) header() string {
	first, _, _ := strings.Cut(i.text(), "\n")
	return first
}

func TestARefreshThatHangsIsSeenOnEveryPage(t *testing.T) {
	for page := range open(t, healthy()).session.pages {
		synctest.Test(t, func(t *testing.T) {
			d := inbox{open(t, healthy()), make(chan tea.Msg, 1000)}
			p := d.session.pages[page]
			d.reach(p)
			d.api.silent = make(chan struct{})
			shows := func(when, want string) {
				t.Helper()
				if !strings.HasSuffix(d.header(), want) {
					t.Errorf("%s, %s: %q, not %q", p.Name, when, d.header(), want)
				}
			}

			_, cmd := d.Update(keyPress("r"))
			d.run(cmd)
			d.passes(askingDelay - time.Millisecond)
			shows("before the delay", "● live")
			d.passes(time.Millisecond)
			shows("after the delay", "◌ asking…")
			d.passes(5*time.Second - askingDelay)
			shows("when the answer is overdue", "◌ no answer for 5s")
			d.passes(3 * time.Second)
			shows("later", "◌ no answer for 8s")

			close(d.api.silent)
			d.settle()
			shows("after the answer", "● live")
		})
	}
}

func TestAServerThatIsSilentOfItselfIsNotLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := inbox{open(t, healthy()), make(chan tea.Msg, 1000)}
		d.api.silent = make(chan struct{})

		d.passes(15 * time.Second) // the feed is polled
		if !strings.HasSuffix(d.header(), "● live") {
			t.Errorf("at once: %q", d.header())
		}
		d.passes(5 * time.Second)
		if !strings.HasSuffix(d.header(), "◌ no answer for 5s") {
			t.Errorf("five seconds later: %q", d.header())
		}

		close(d.api.silent)
		d.settle()
		if !strings.HasSuffix(d.header(), "● live") {
			t.Errorf("after the answer: %q", d.header())
		}
	})
}

func TestARefreshThatIsAnsweredSoonSaysNothing(t *testing.T) {
	d := open(t, healthy())

	d.press("r")

	if d.session.asking.end != nil {
		t.Error("answers are awaited")
	}
	d.handle(answer{d.session, noPage, askingDue{}})
	d.shows("● live")
}

func TestARefreshWhileTheServerIsAwaySaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := inbox{open(t, healthy()), make(chan tea.Msg, 1000)}
		d.api.fail = errRefused
		d.after(15 * time.Second)
		d.shows("✕ offline 15s · retry in 2s")
		d.api.silent, d.api.fail = make(chan struct{}), nil

		_, cmd := d.Update(keyPress("r"))
		d.run(cmd)
		d.passes(askingDelay)
		d.shows("✕ offline 15s · asking…")

		close(d.api.silent)
		d.settle()
		d.shows("● live")
	})
}
