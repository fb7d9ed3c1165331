package main

import (
	"time"

	"tarmac/internal/testsupport/providers/simplefin"
)

// simpleFIN returns a SimpleFIN server with two accounts at one bank.
func simpleFIN(now func() time.Time) site {
	const host = "bridge.simplefin.example.com"
	server := simplefin.New(host, now)
	login := server.Connect("Chase", "Northlight Labs")
	checking := server.Open(login, "Business Checking (6789)", "USD", 9_000_000)
	server.Open(login, "Business Savings (1234)", "USD", 25_000_000)
	var booked []*simplefin.Line
	var held []hold[*simplefin.Line]
	for _, s := range samples() {
		booked = append(booked, server.Book(checking, now().AddDate(0, 0, -s.daysAgo), s.minor, s.text))
	}
	add := func(pending bool) func([]string) error {
		return func(words []string) error {
			minor, text, err := amountAndText(words)
			switch {
			case err != nil:
			case pending:
				held = append(held, hold[*simplefin.Line]{server.Hold(checking, now(), minor, text), minor})
			default:
				booked = append(booked, server.Book(checking, now(), minor, text))
			}
			return err
		}
	}
	return site{
		name: "simplefin", host: host, faults: withFaults(server), token: server.Token,
		does: map[string]func([]string) error{
			"revoke": func([]string) error { server.Revoke(); return nil },
			"relink": func([]string) error { server.Relink(login); return nil },
			"add":    add(false),
			"hold":   add(true),
			"settle": func([]string) error {
				h, err := first(&held)
				if err == nil {
					server.Settle(checking, h.line, now(), h.minor)
					booked = append(booked, h.line)
				}
				return err
			},
			"withdraw": func([]string) error {
				line, err := last(&booked)
				if err == nil {
					server.Withdraw(checking, line)
				}
				return err
			},
		},
	}
}
