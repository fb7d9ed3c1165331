package assistant

import (
	"context"
	"time"

	"tarmac/client/alerts"
)

// Alerts are the alerts with their state. Assistants can read but not change them.
type Alerts struct {
	Alerts   []Alert    `json:"alerts"`
	LastLook *time.Time `json:"last_look" jsonschema:"UTC; null if nobody has looked yet"`
	Note     string     `json:"note" jsonschema:"when somebody looked, or how to begin"`
}

// Alert is a rule that is watched.
type Alert struct {
	Rule     string     `json:"rule"`
	Limit    string     `json:"limit"`
	Of       *Untrusted `json:"of" jsonschema:"the only counterparty that it is about"`
	State    Untrusted  `json:"state"`
	Crossed  bool       `json:"crossed" jsonschema:"the limit is crossed, or this is not known for too long"`
	LastTold *time.Time `json:"last_told" jsonschema:"UTC; null if never"`
	Problem  *Untrusted `json:"problem"`
}

// GetAlerts returns the alerts. read is nil where there can be no alerts.
func GetAlerts(ctx context.Context, read alerts.Overviewer) (*Alerts, error) {
	out := &Alerts{Alerts: []Alert{}, Note: alerts.NothingWatched}
	if read == nil {
		return out, nil
	}
	o, err := read(ctx)
	if err != nil {
		return nil, &InputError{Text: "The settings of alerts cannot be read; `tarmac alerts` says why."}
	}
	for i := range o.Alerts {
		e := &o.Alerts[i]
		out.Alerts = append(out.Alerts, Alert{
			Rule: identifier(e.Rule), Limit: untrusted(e.Limit).Text, Of: optionalUntrusted(e.Of), State: untrusted(e.State),
			Crossed: e.Open, LastTold: e.LastTold, Problem: optionalUntrusted(e.Problem),
		})
	}
	if len(out.Alerts) > 0 {
		out.LastLook, out.Note = o.LastLook, o.Looked()
	}
	return out, nil
}
