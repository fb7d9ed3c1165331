package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/civil"
)

func newRemind(env command.Env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "remind [CUSTOMER]",
		Short: "Show whom to remind of overdue invoices",
		Long: "remind shows the customers with overdue invoices. Those with the largest amount times days beyond what is " +
			"usual for them come first. With a customer's e-mail address or name, it prints the text of a reminder for " +
			"your own mail; nothing is sent. docs/collections.md has the rules.",
		Example: "tarmac remind\ntarmac remind --all --json\ntarmac remind billing@acme.example",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("%s takes one customer; quote a name with spaces", cmd.CommandPath())
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "show customers without overdue invoices, too")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		if all && len(args) > 0 {
			return command.Usagef("--all and a customer cannot be combined")
		}
		r, err := a.readCustomers(ctx)
		if err != nil {
			return err
		}
		if len(args) > 0 {
			c, err := findCustomer(r.customers, args[0])
			if err != nil {
				return err
			}
			return a.showReminder(c)
		}
		return a.showCustomers(r, all)
	})
}

// readCustomers reads the invoices and the aging, and returns the customers in the order in which
// to remind them.
func (a *call) readCustomers(ctx context.Context) (r reminders, err error) {
	if r.list, err = collections.Read(ctx, a.client); err != nil {
		return r, err
	}
	if r.aging, err = a.client.ReceivablesAging(ctx); err != nil {
		return r, err
	}
	today := civil.Of(a.Now())
	r.customers = collections.WithAging(collections.Customers(r.list.Invoices, today), r.aging, today)
	return r, nil
}

// reminders holds the customers to remind, the first one first, and the records they come from.
type reminders struct {
	list      collections.List
	aging     *apiclient.ReceivablesAging
	customers []collections.Customer
}

func (a *call) showCustomers(r reminders, all bool) error {
	var rows []record.Object
	for i := range r.customers {
		if all || r.customers[i].OverdueCount() > 0 {
			rows = append(rows, record.Customer(&r.customers[i]))
		}
	}
	switch {
	case len(rows) == 0 && a.format() == asText && (all || figures.HasNoList(r.aging)):
		a.note("%s", figures.NoCustomers(r.aging))
	case len(rows) == 0 && a.format() == asText:
		a.note("%s Use --all for all customers.", figures.NoneOverdue(r.aging))
	default:
		if err := a.showRows(record.Customer(&collections.Customer{}), rows); err != nil {
			return err
		}
		if a.format() == asText {
			a.note("%s", collections.Meaning)
			a.note("Overdue is what the server's aging says. Listed is the total of the invoices, before part payments.")
		}
	}
	if day := figures.ListDay(r.aging); day != "" && len(rows) > 0 {
		a.note("Imported invoices are of the list as of %s.", day)
	}
	if missing := r.list.Missing(); missing != "" {
		a.note("%s", missing)
	}
	n, first := apiclient.CountUnreadable(r.list.Invoices)
	return unreadableError("invoice", n, first)
}

// findCustomer returns the customer with an e-mail address or, if there is none, with a name. It
// ignores case.
func findCustomer(customers []collections.Customer, text string) (*collections.Customer, error) {
	text = strings.TrimSpace(text)
	for _, of := range []func(c *collections.Customer) string{
		func(c *collections.Customer) string { return c.Email }, func(c *collections.Customer) string { return c.Name },
	} {
		var found []*collections.Customer
		for i := range customers {
			if got := of(&customers[i]); got != "" && strings.EqualFold(got, text) {
				found = append(found, &customers[i])
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, command.Usagef("%d customers are named %s; give the e-mail address, from `tarmac remind --all`",
				len(found), command.Quoted(text))
		}
	}
	return nil, command.Usagef("no customer has the e-mail address or name %s; `tarmac remind --all` lists them",
		command.Quoted(text))
}

func (a *call) showReminder(c *collections.Customer) error {
	text := c.Reminder()
	switch {
	case a.format() != asText:
		return a.show(record.Customer(c))
	case c.IsImported:
		return errors.New(c.Name + ": " + collections.NoNumbers)
	case text == "":
		return errors.New(c.Name + " has no overdue invoices")
	}
	_, err := a.out.WriteString(text)
	return err
}
