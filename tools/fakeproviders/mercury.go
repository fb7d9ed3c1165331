package main

import (
	"time"

	"tarmac/internal/testsupport/providers/mercury"
)

// mercuryBank returns Mercury with a checking and a treasury account.
func mercuryBank(now func() time.Time) site {
	at := now().AddDate(0, -4, 0) // the accounts were opened then
	server := mercury.New(func() time.Time { return at })
	checking := server.Open("Operations", "checking", "202400004321", 14_000_000)
	server.Open("Treasury", "treasury", "", 60_000_000)
	var booked []*mercury.Row
	var held []hold[*mercury.Row]
	for _, s := range samples() {
		booked = append(booked, server.Book(checking, now().AddDate(0, 0, -s.daysAgo), s.minor, s.text))
	}
	at = now()
	add := func(pending bool) func([]string) error {
		return func(words []string) error {
			minor, text, err := amountAndText(words)
			switch {
			case err != nil:
			case pending:
				held = append(held, hold[*mercury.Row]{server.Hold(checking, now(), minor, text), minor})
			default:
				booked = append(booked, server.Book(checking, now(), minor, text))
			}
			return err
		}
	}
	return site{
		name: "mercury", host: mercury.Host, faults: withFaults(server), token: server.Token,
		does: map[string]func([]string) error{
			"revoke": func([]string) error { server.Revoke(); return nil },
			"add":    add(false),
			"hold":   add(true),
			"settle": func([]string) error {
				h, err := first(&held)
				if err == nil {
					server.Settle(h.line, now(), h.minor)
					booked = append(booked, h.line)
				}
				return err
			},
			"withdraw": func([]string) error {
				row, err := last(&booked)
				if err == nil {
					server.SetStatus(row, "reversed")
				}
				return err
			},
		},
	}
}
