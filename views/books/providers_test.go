package books

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestProvidersAreListedUnderTheAccounts(t *testing.T) {
	d, _ := openWith(t)
	d.SetSize(170, 44)

	d.shows(
		"Providers",
		"✓ ok",
		"3 minutes ago",
		"in 12 minutes",
		"1 of 2",
		"! failing",
		"31 hours ago",
		"✕ token refused",
		"bridge.simplefin.org answered with the server error 503.",
	)
	d.press("tab")
	d.shows("Mercury Checking …6789, 42,110.07 USD", "Mercury Treasury, 250,000.00 USD, not read", "every 15 minutes")
	d.press("down")
	d.shows("failed 5 times", "authentication required", "11 more readings can be asked for")
	d.press("down", "y")
	if !slices.Equal(d.copied, []string{"Stripe EU"}) {
		t.Errorf("copied %q", d.copied)
	}
	d.press("tab")
	d.shows("operating-2026.qfx")
	d.press("shift+tab", "shift+tab", "enter")
	d.shows("Harbor & Pine Bank …4821")
}

func TestAProviderIsConnectedWithItsTokenAndAccounts(t *testing.T) {
	d, b := openWith(t)
	d.press("c")
	d.shows("Connect a provider", "> Mercury", "SimpleFIN", "Stripe")
	d.press("enter", "enter")
	d.shows("Type or paste the token")

	d.run(d.Update(tea.PasteMsg{Content: "secret-token:abc\n"}))

	d.shows("••••••••", "An API token that can only read")
	d.hides("secret")
	d.press("enter")
	if b.token.Reveal() != "secret-token:abc" || b.current() != "connect mercury" {
		t.Fatalf("connected with %q", b.token.Reveal())
	}
	d.shows("choose the accounts", "Northlight Labs, Inc.", "[x] Mercury Checking …6789", "→ …6789 of your books",
		"→ a new account, Mercury Treasury", "[ ] Mercury Vault", "cannot be read: its unit is no currency")
	d.press("right", "down", "space")
	d.shows("→ …4821 of your books", "[ ] Mercury Treasury", "is not read")
	d.press("enter")
	want := []ownbooks.AccountChoice{{ID: "a1", BooksAccount: "…4821"}}
	if b.current() != "take con_4" || !slices.Equal(b.choices, want) || d.changes != 1 {
		t.Errorf("took %v, %d changes", b.choices, d.changes)
	}
	d.shows("✓ Mercury: 41 lines new, 2 lines changed, 3 pending.")
}

func TestTheAccountsOfTheBooksAreChosenInBothDirections(t *testing.T) {
	d, _ := openWith(t)
	d.press("c", "enter")
	d.write("token")
	d.press("enter")

	d.press("left")
	d.shows("→ a new account, Mercury Mercury Checking")
	d.press("right", "right")
	d.shows("→ …4821 of your books")
	d.press("h")
	d.shows("→ …6789 of your books")
}

func TestATokenIsForgottenWhenItWasUsedOrThePromptIsLeft(t *testing.T) {
	d, b := openWith(t, func(b *bridge) { b.fail = errors.New("Mercury does not accept this token") })
	d.press("c", "enter")
	d.write("wrong")
	d.press("enter")
	d.shows("! Mercury does not accept this token", "paste or type the token")
	d.hides("•")
	b.current()
	d.write("again")
	d.press("esc", "c", "enter")

	d.press("enter")

	d.shows("Type or paste the token, or esc to go back.")
	if calls := b.current(); calls != "" {
		t.Errorf("called %s", calls)
	}
}

func TestAConnectionThatIsRefusedGetsANewTokenAndOneInUseOtherAccounts(t *testing.T) {
	d, b := openWith(t)
	d.press("tab", "c")
	d.shows("> Accounts of Mercury")
	d.press("enter")
	if calls := b.current(); calls != "connect mercury Mercury" || !(b.token == importing.Token{}) {
		t.Errorf("called %s with a token", calls)
	}
	d.shows("choose the accounts")
	d.press("esc", "down", "down", "c")
	d.shows("> New token for Stripe EU")
	d.press("enter")
	d.write("rk_live_1")
	b.found.Accounts = nil

	d.press("enter")

	if calls := b.current(); calls != "connect stripe, take con_4" {
		t.Errorf("called %s", calls)
	}
}

func TestAtLeastOneAccountIsChosen(t *testing.T) {
	d, b := openWith(t)
	d.press("c", "enter")
	d.write("token")
	d.press("enter", "space", "down", "space", "down", "space")
	b.current()

	d.press("enter")

	d.shows("Choose an account with space")
	if calls := b.current(); calls != "" || len(d.notices) != 1 {
		t.Errorf("called %s, told %q", calls, d.notices)
	}
}

func TestSReadsTheSelectedProviderOrAll(t *testing.T) {
	d, b := openWith(t)
	d.press("s", "tab", "down", "s", "down", "s")

	if calls := b.current(); calls != "sync, sync con_2" || d.changes != 2 {
		t.Errorf("called %s, %d changes", calls, d.changes)
	}
	if want := "Stripe EU cannot be read: press c"; !slices.Contains(d.notices, want) {
		t.Errorf("told %q", d.notices)
	}
}

func TestAReadingThatFailsIsShownAndAnotherCanBeCancelled(t *testing.T) {
	d, b := openWith(t, func(b *bridge) {
		b.outcome = ownbooks.Outcome{
			Connection: b.connections[0], Problem: "Mercury did not answer in time.",
		}
	})
	d.press("s")
	d.shows("! Mercury did not answer in time.")
	b.wait = func(ctx context.Context) { <-ctx.Done() }

	running := d.Update(sample.Press("s"))
	d.shows("Reading the providers…", "esc cancels")
	if d.State().Unfinished == "" {
		t.Error("leaving warns of nothing")
	}
	d.press("esc")
	d.run(running)

	d.shows("Cancelled. What was read completely is in the books.")
}

func TestAReadingSaysForWhomItWaits(t *testing.T) {
	d, b := openWith(t, func(*bridge) {})
	waits, released := make(chan func(string)), make(chan struct{})
	b.held = func(waiting func(string)) {
		waits <- waiting
		<-released
	}
	running, read := d.Update(sample.Press("s")), make(chan tea.Msg)
	go func() { read <- running() }()
	waiting := <-waits
	d.shows("Reading the providers…")

	waiting("Mercury is being read by process 4711 on finance-1. Waiting, until 12:05:00 UTC at the latest")
	d.Update(views.Tick{})

	d.shows("Mercury is being read by process 4711 on finance-1.", "12:05:00", "esc cancels")
	waiting("")
	d.Update(views.Tick{})
	d.shows("Reading the providers…")
	close(released)
	d.Update(<-read)
	d.hides("Reading the providers")
}

func TestRemovedLinesAreAcceptedOnlyByKey(t *testing.T) {
	d, b := openWith(t, func(b *bridge) {
		b.connections[0].State = ownbooks.Asking
		b.connections[0].Problem = "Mercury no longer has 31 of 120 lines, -4,211.00 USD in all."
	})
	d.press("tab", "s")
	d.shows("Mercury asks you", "no longer has 31 of 120 lines, -4,211.00 USD", "Nothing has changed in the books.")
	d.press("y", "esc")
	if calls := b.current(); calls != "" {
		t.Errorf("called %s", calls)
	}

	d.press("s", "a", "s", "s")

	if calls := b.current(); calls != "sync con_1 accepting, sync con_1" {
		t.Errorf("called %s", calls)
	}
}

func TestAProviderIsDisconnectedWithOrWithoutItsLines(t *testing.T) {
	d, b := openWith(t)
	d.press("d")
	if !slices.Contains(d.notices, "choose a provider and press d") {
		t.Errorf("told %q", d.notices)
	}
	d.press("d")
	d.shows("Disconnect Mercury?", "tarmac deletes its token", "its lines stay in the books", "remove its lines")
	d.press("n", "d", "y")
	d.shows("✓ Mercury is disconnected; its lines stay in the books. Delete its token at Mercury too.")
	d.press("d", "f")
	d.shows("its lines are removed from the books")
	if calls := b.current(); calls != "disconnect con_1, disconnect con_1 forgetting" || d.changes != 2 {
		t.Errorf("called %s, %d changes", calls, d.changes)
	}
	b.fail = errors.New("the books are in use")

	d.press("d", "y")

	d.shows("! Mercury is still connected: the books are in use")
}

func TestAReadOnlySessionChangesNoProvider(t *testing.T) {
	b := newBridge()
	d := openAs(t, views.Env{Providers: b, ReadOnly: true})

	d.press("c", "s", "d")

	if calls := b.current(); calls != "" || len(d.notices) != 3 {
		t.Errorf("called %s, told %q", calls, d.notices)
	}
}

func TestWithoutProvidersTheKeysDoNothing(t *testing.T) {
	d := open(t)

	d.press("c", "s", "d")

	d.hides("Connect", "Providers")
}

func TestCancelledConnectingAwaitsItsResultBecauseTheTokenMayBeUsed(t *testing.T) {
	d, b := openWith(t)
	d.press("c", "enter")
	d.write("token")
	running := d.Update(sample.Press("enter"))
	b.fail = errors.New("the token may be used up: make a new one")

	d.press("esc")
	d.shows("Cancelling…")
	d.run(running)

	d.shows("! the token may be used up", "paste or type the token")
}

func TestConnectionsAreReadAgainWhileThePageIsVisible(t *testing.T) {
	d, b := openWith(t)
	b.connections[0].LastSuccess.Time = start.Add(10 * time.Second)
	d.at = start.Add(20 * time.Second)

	d.run(d.Update(views.Tick{}))

	d.shows("10 seconds ago")
}

func TestAClickSelectsAProvider(t *testing.T) {
	d, _ := openWith(t)
	d.SetSize(120, 40)
	lines := strings.Split(d.View(), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "SimpleFIN") })

	d.run(d.Update(views.Click{X: 6, Y: at}))

	d.shows("failed 5 times")
}

func TestAmountsOfProvidersAreHidden(t *testing.T) {
	d, _ := openWith(t, func(b *bridge) {
		b.connections[0].Residual = "…6789 lacks -4,211.00 USD since 2026-11-01."
	})
	d.theme.Masked = true
	d.SetTheme(d.theme)
	for _, keys := range [][]string{{"tab", "enter"}, {"esc", "c", "down", "enter"}} {
		d.press(keys...)
		d.write("token")
		d.press("enter")

		for _, amount := range []string{"4,211", "42,110", "250,000"} {
			d.hides(amount)
		}
	}
}

func TestProvidersFillEverySizeInEveryState(t *testing.T) {
	for name, d := range providerStates(t) {
		for width := 0; width <= 250; width += step(width) {
			for height := 0; height <= 60; height += step(height) {
				d.SetSize(width, height)
				sample.CheckSize(t, d.View(), width, height)
			}
		}
		if t.Failed() {
			t.Fatalf("in the state %s", name)
		}
	}
}

func TestGoldenScreensOfProviders(t *testing.T) {
	for name, d := range providerStates(t) {
		for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}, {40, 9}} {
			d.SetSize(size[0], size[1])
			sample.Golden(t, fmt.Sprintf("providers-%s-%dx%d", name, size[0], size[1]), d.View(), *update)
		}
	}
}

func providerStates(t testing.TB) map[string]*fixture {
	asking := func(b *bridge) {
		b.connections[0].State = ownbooks.Asking
		b.connections[0].Problem = "Mercury no longer has 31 of 120 lines between 2026-10-08 and 2026-11-22."
	}
	endless := func(b *bridge) {
		text := strings.Repeat("日本e\u0301", 80)
		for _, c := range []*ownbooks.Connection{&b.connections[0], &b.found} {
			c.Label, c.Title, c.Company, c.Notices = text, text, text, []string{text}
			c.Problem, c.Residual = ownbooks.Optional(text), ownbooks.Optional(text)
			a := &c.Accounts[0]
			a.Name, a.Number, a.BooksAccount, a.Currency, a.Matches = text, text, text, text, []string{text, "x"}
			a.Balance = ptr(int64(-1 << 63))
		}
	}
	out := map[string]*fixture{}
	for name, s := range map[string]struct {
		change func(*bridge)
		keys   []string
	}{
		"list": {func(*bridge) {}, nil}, "ready": {func(*bridge) {}, []string{"tab"}},
		"failing": {func(*bridge) {}, []string{"tab", "down", "enter"}}, "denied": {func(*bridge) {}, []string{"tab", "G"}},
		"kinds": {func(*bridge) {}, []string{"c"}}, "again": {func(*bridge) {}, []string{"tab", "c"}},
		"token":      {func(*bridge) {}, []string{"c", "down", "enter", "x", "y"}},
		"accounts":   {func(*bridge) {}, []string{"c", "enter", "x", "enter", "down"}},
		"disconnect": {func(*bridge) {}, []string{"tab", "d"}}, "removed": {asking, []string{"tab", "s"}},
		"read":    {func(*bridge) {}, []string{"s"}},
		"hostile": {endless, []string{"tab"}}, "hostile-accounts": {endless, []string{"c", "enter", "x", "enter"}},
		"hostile-removed": {func(b *bridge) { endless(b); asking(b) }, []string{"tab", "s"}},
	} {
		out[name], _ = openWith(t, s.change)
		out[name].press(s.keys...)
	}
	refused, _ := openWith(t, func(b *bridge) { b.fail = errors.New("Mercury does not accept this token") })
	refused.press("c", "enter", "x", "enter")
	out["refused"] = refused
	out["first"] = openAs(t, views.Env{Providers: &bridge{}}, func(b *bank) { b.contents = emptyBooks() })
	return out
}
