package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/collections"
	"tarmac/client/record"
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
		d, err := answer.Customers(ctx, a.source(), answer.CustomersParams{OnlyOverdue: !all && len(args) == 0})
		if err != nil {
			return err
		}
		if len(args) > 0 {
			c, err := findCustomer(d.Table.Rows, args[0])
			if err != nil {
				return err
			}
			return a.showReminder(c)
		}
		if d.IsFiltered {
			d.Table.Empty += " Use --all for all customers."
		}
		return a.showAnswer(d, nil)
	})
}

// findCustomer returns the customer with an e-mail address or else with a name. It ignores case.
func findCustomer(customers []answer.Row, text string) (*collections.Customer, error) {
	text = strings.TrimSpace(text)
	for _, of := range []func(c *collections.Customer) string{
		func(c *collections.Customer) string { return c.Email }, func(c *collections.Customer) string { return c.Name },
	} {
		var found []*collections.Customer
		for i := range customers {
			c, _ := customers[i].Record.(collections.Customer)
			if got := of(&c); got != "" && strings.EqualFold(got, text) {
				found = append(found, &c)
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
