package alerts

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"tarmac/client/settings"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// Overview is what is watched and how it stands, for front ends that show it.
type Overview struct {
	Alerts   []Entry    `json:"alerts"`
	Channels []Reach    `json:"channels"`
	LastLook *time.Time `json:"last_look"` // nil if nobody has looked yet

	// IsSession says that the alerts are those of OfSession, which nobody can change.
	IsSession bool `json:"-"`
}

// Entry is an alert of the settings with its state.
type Entry struct {
	Number   int        `json:"number"`
	Rule     string     `json:"rule"`
	Limit    string     `json:"limit,omitempty"`
	Of       string     `json:"of,omitempty"`
	Tells    string     `json:"tells"`
	State    string     `json:"state"`
	LastTold *time.Time `json:"last_told"`
	To       []string   `json:"to"`
	Problem  string     `json:"problem,omitempty"` // what is wrong with the alert

	// Open says that its limit is crossed, or that this is not known for longer than allowed.
	Open bool `json:"-"`
}

// Reach is a channel, the number of messages that wait for it, and what is wrong with it.
type Reach struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Waiting int    `json:"waiting"`
	Problem string `json:"problem,omitempty"`
}

// Overviewer reads what is watched and how it stands. It does not look itself.
type Overviewer func(ctx context.Context) (*Overview, error)

// OverviewOf returns the alerts and channels of the settings with their state. check says what is
// wrong with a channel that has not been tried, or returns "".
func OverviewOf(s *settings.Settings, names []string, state *State, check func(settings.Channel) string) *Overview {
	o := &Overview{Alerts: []Entry{}, Channels: []Reach{}}
	for i, a := range s.Alerts {
		o.Alerts = append(o.Alerts, entryOf(i+1, a, names, state))
	}
	for _, c := range s.Channels {
		waiting, problem := state.Waiting(c.Name)
		problem = cmp.Or(state.Refused[c.Name], problem, check(c))
		o.Channels = append(o.Channels, Reach{c.Name, c.Kind, waiting, termtext.Line(problem)})
	}
	if !state.Round.IsZero() {
		o.LastLook = &state.Round
	}
	return o
}

func entryOf(number int, a settings.Alert, channels []string, state *State) Entry {
	e := Entry{Number: number, Rule: termtext.Line(a.Rule), Limit: a.Limit, Of: a.Of, To: a.To}
	if e.To == nil {
		e.To = channels
	}
	parsed, err := Parse(a)
	if err != nil {
		e.Problem = termtext.Line(err.Error())
		return e
	}
	if e.Problem = MissingChannel(a.To, channels); e.Problem != "" {
		e.To = channels
	}
	e.Tells, e.State = parsed.Tells(), termtext.Line(state.Words(parsed))
	if at, ever := state.LastTold(parsed); ever {
		e.LastTold = &at
	}
	if w := state.Alerts[parsed.Key()]; w != nil {
		e.Open = w.UnknownTold || !parsed.Rule.event && len(w.Told) > 0
	}
	return e
}

// MissingChannel says which of the names is no channel, or returns "".
func MissingChannel(names, channels []string) string {
	for _, name := range names {
		if !slices.Contains(channels, name) {
			return "there is no channel " + termtext.Line(name) + ", so all channels tell it"
		}
	}
	return ""
}

// Open returns the alerts whose limits are crossed.
func (o *Overview) Open() (open []Entry) {
	for _, e := range o.Alerts {
		if e.Open {
			open = append(open, e)
		}
	}
	return open
}

// Since returns the alerts that were told after a time.
func (o *Overview) Since(at time.Time) (told []Entry) {
	for _, e := range o.Alerts {
		if e.LastTold != nil && e.LastTold.After(at) {
			told = append(told, e)
		}
	}
	return told
}

// LastTold returns when anything was told last; the zero time for never.
func (o *Overview) LastTold() (last time.Time) {
	for _, e := range o.Alerts {
		if e.LastTold != nil && e.LastTold.After(last) {
			last = *e.LastTold
		}
	}
	return last
}

// TextOf says in one line how alerts stand: the state of the first, and how many there are.
func TextOf(entries []Entry) string {
	switch len(entries) {
	case 0:
		return ""
	case 1:
		return entries[0].Rule + ": " + entries[0].State
	}
	return entries[0].Rule + ": " + entries[0].State + ", and " + plural.Count(len(entries)-1, "more alert")
}

// Told says when an alert was told last.
func (e *Entry) Told() string {
	if e.LastTold == nil {
		return "told never"
	}
	return "told " + e.LastTold.UTC().Format(minute)
}

// minute is the layout of a time in lists of alerts.
const minute = "2006-01-02 15:04 UTC"

// Lines returns the overview as lines of text: each alert with its state, then the channels.
func (o *Overview) Lines() (lines []string) {
	for i := range o.Alerts {
		lines = append(lines, o.Alerts[i].lines()...)
	}
	for _, c := range o.Channels {
		lines = append(lines, "Channel "+c.Name+" ("+c.Kind+")"+c.standing())
	}
	return lines
}

// Status says what kind of channel it is, and how it stands.
func (r *Reach) Status() string { return r.Kind + r.standing() }

func (r *Reach) standing() (text string) {
	if r.Waiting > 0 {
		text = ", " + plural.Count(r.Waiting, "message") + " waiting"
	}
	if r.Problem != "" {
		text += ", " + r.Problem
	}
	return text
}

func (e *Entry) lines() []string {
	first := strconv.Itoa(e.Number) + "  " + e.Rule + " "
	if e.Tells == "" {
		return []string{first + e.Problem}
	}
	lines := []string{first + termtext.Line(e.Tells), "   " + e.State + "; " + e.Told()}
	if e.Problem != "" {
		lines = append(lines, "   "+e.Problem)
	}
	return lines
}

// Looked says when somebody looked last, and what to do if nobody has.
func (o *Overview) Looked() string {
	if o.LastLook == nil {
		return "Nobody has looked yet: run `tarmac watch`, or `tarmac alerts --once` from cron."
	}
	text := "Last looked at " + o.LastLook.UTC().Format(minute) + "."
	if o.IsSession {
		text += " These alerts are fixed, and told on this screen alone: `tarmac watch` on your own machine tells others, " +
			"by mail too."
	}
	return text
}

// NothingWatched says how an alert is added.
const NothingWatched = "Nothing is watched. Add an alert with `tarmac alerts add runway-below 9`; `tarmac alerts " +
	"rules` lists all rules."
