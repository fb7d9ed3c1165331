package books

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
)

// choices returns the accounts to read: those that flags name, or those that the user chooses. The
// accounts of a connection that has got a new token stay without a question.
func (f *connectFlags) choices(ctx context.Context, env command.Env, c *ownbooks.Connection) (
	choices []ownbooks.AccountChoice, err error,
) {
	if len(c.Accounts) == 0 {
		return nil, nil
	}
	if len(f.accounts) > 0 {
		return named(c, f.accounts)
	}
	chosen := c.Chosen()
	ask := !f.yes && (f.choose || !areKnown(c))
	for i := range c.Accounts {
		a := &c.Accounts[i]
		switch {
		case a.Refused != "":
			fmt.Fprintf(env.Stderr, "%s cannot be taken: %s.\n", a.Label(), a.Refused)
			continue
		case a.Missing:
			fmt.Fprintf(env.Stderr, "%s does not list %s any more; its lines stay in the books.\n", c.Title, a.Label())
			continue
		}
		choice, take := ownbooks.AccountChoice{ID: a.ID}, chosen[i]
		if ask {
			if choice, take, err = f.askAccount(ctx, env, c, a); err != nil {
				return nil, err
			}
		}
		if take {
			choices = append(choices, choice)
		}
	}
	if len(choices) == 0 {
		return nil, fmt.Errorf("no account was chosen; choose with `%s`", chooseAgain(f.open, c))
	}
	return choices, nil
}

// areKnown reports whether accounts were chosen before, and the provider still lists all of them.
func areKnown(c *ownbooks.Connection) bool {
	return slices.ContainsFunc(c.Accounts, func(a ownbooks.ConnectedAccount) bool { return a.Taken }) &&
		!slices.ContainsFunc(c.Accounts, func(a ownbooks.ConnectedAccount) bool { return a.Taken && a.Missing })
}

// askAccount asks whether to read an account, and into which account of the books.
func (f *connectFlags) askAccount(
	ctx context.Context, env command.Env, c *ownbooks.Connection, a *ownbooks.ConnectedAccount,
) (choice ownbooks.AccountChoice, take bool, err error) {
	balance := money.Dash
	if a.Balance != nil {
		balance = money.Format(*a.Balance, a.Currency)
	}
	fmt.Fprintf(env.Stderr, "%s, %s %s\n", a.Label(), a.Currency, balance)
	targets := c.Targets(a)
	choice = ownbooks.AccountChoice{ID: a.ID, BooksAccount: targets[0]}
	for {
		answer, err := command.PromptLine(ctx, env, f.question(a, targets))
		if err != nil {
			return choice, false, err
		}
		n, wrong := strconv.Atoi(answer)
		switch lower := strings.ToLower(answer); {
		case lower == "", lower == "y", lower == "yes":
			return choice, true, nil
		case lower == "n", lower == "no":
			return choice, false, nil
		case wrong == nil && n >= 1 && n <= len(targets):
			choice.BooksAccount = targets[n-1]
			return choice, true, nil
		case !a.Taken && !f.empty:
			choice.BooksAccount = answer
			return choice, true, nil
		}
		fmt.Fprintln(env.Stderr, "  Type y or n.")
	}
}

// question asks into which of the targets an account is read.
func (f *connectFlags) question(a *ownbooks.ConnectedAccount, targets []string) string {
	first := "  Read it into " + ownbooks.AccountText(targets[0]) + " of your books?"
	if a.IsNew(targets[0]) {
		first = "  Read it into your books, as a new account?"
	}
	switch {
	case len(targets) > 1:
		texts := make([]string, len(targets))
		for n, target := range targets {
			texts[n] = fmt.Sprintf("%d for %s", n+1, ownbooks.AccountText(target))
			if a.IsNew(target) {
				texts[n] += " as a new account"
			}
		}
		return first + " [Y/n, " + strings.Join(texts, ", ") + "]"
	case a.Taken || f.empty:
		return first + " [Y/n]"
	}
	return first + " [Y/n, or the account of your books that it is]"
}

// isCalled reports whether a user means an account by a text: its id, its name, or the end of its
// number.
func isCalled(a *ownbooks.ConnectedAccount, text string) bool {
	end := strings.TrimPrefix(a.Number, "…")
	return text == a.ID || strings.EqualFold(text, a.Name) || strings.EqualFold(text, a.Label()) ||
		end != "" && strings.HasSuffix(text, end)
}

// named returns the accounts that flags name.
func named(c *ownbooks.Connection, texts []string) (choices []ownbooks.AccountChoice, err error) {
	for _, text := range texts {
		var found []*ownbooks.ConnectedAccount
		for i := range c.Accounts {
			if isCalled(&c.Accounts[i], text) {
				found = append(found, &c.Accounts[i])
			}
		}
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("%s has no account %s; there are %s", c.Title, command.Quoted(text), labels(c))
		case len(found) > 1:
			return nil, fmt.Errorf("%s has several accounts %s; name one of %s", c.Title, command.Quoted(text),
				labels(c))
		case found[0].Refused != "":
			return nil, fmt.Errorf("%s cannot be taken: %s", found[0].Label(), found[0].Refused)
		}
		choices = append(choices, ownbooks.AccountChoice{ID: found[0].ID})
	}
	return choices, nil
}

func labels(c *ownbooks.Connection) string {
	all := make([]string, len(c.Accounts))
	for i := range c.Accounts {
		all[i] = c.Accounts[i].Label()
	}
	return strings.Join(all, ", ")
}
