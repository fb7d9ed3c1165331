package main

import (
	"fmt"
	"time"

	"tarmac/internal/testsupport/providers/stripe"
)

// stripeInvoices returns Stripe with open invoices of a company.
func stripeInvoices(now func() time.Time) site {
	server := stripe.New(now)
	var open []*stripe.Invoice
	send := func(number, customer string, cents int64) {
		open = append(open, server.Send(stripe.Invoice{
			Number: number, Customer: customer, Email: "ap@customer.example", Currency: "usd", Total: cents,
			Due: now().AddDate(0, 0, 30),
		}))
	}
	for n, customer := range []string{"Fernhill Foods", "Cobalt Robotics", "Ostrava Media"} {
		send(fmt.Sprintf("NL-%04d", n+1), customer, int64(n+1)*480_000)
	}
	closed := func(do func(*stripe.Invoice)) func([]string) error {
		return func([]string) error {
			invoice, err := first(&open)
			if err == nil {
				do(invoice)
			}
			return err
		}
	}
	return site{
		name: "stripe", host: stripe.Host, faults: withFaults(server), token: server.Key,
		does: map[string]func([]string) error{
			"revoke": func([]string) error { server.Revoke(); return nil },
			"add": func(words []string) error {
				cents, number, err := amountAndText(words)
				if err == nil {
					send(number, "Fernhill Foods", cents)
				}
				return err
			},
			"pay":  closed(func(i *stripe.Invoice) { server.Pay(i, i.Total) }),
			"void": closed(server.Void),
		},
	}
}
