package books

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// ask asks the user the open question of each file in the report, and stores the answers in the
// options of its source. It returns false if there is no question, or if the user leaves a question
// without an answer.
func (f *importFlags) ask(ctx context.Context, env command.Env, report *ownbooks.Report,
	sources []bookkeeping.Source,
) (answered bool) {
	for n := range report.Files {
		q := report.Files[n].Question
		if q == nil {
			continue
		}
		if answered = askOne(ctx, env, q, &sources[n]); !answered {
			return false
		}
	}
	return answered
}

// askOne repeats a question until the user types a valid answer. It returns false for an empty
// answer, which means that the user gives up.
func askOne(ctx context.Context, env command.Env, q *ownbooks.Question, source *bookkeeping.Source) bool {
	prompt := fmt.Sprintf("%s: %s.\n%s, or nothing to stop:", filepath.Base(q.Name), q.Reason, q.Prompt())
	for {
		answer, err := command.PromptLine(ctx, env, prompt)
		if err != nil || answer == "" {
			return false
		}
		if problem := apply(q, answer, source); problem == "" {
			return true
		} else {
			fmt.Fprintln(env.Stderr, problem)
		}
	}
}

// apply stores the user's answer in the option of the file that the question is about. It returns a
// message for the user if the answer is not valid, else "".
func apply(q *ownbooks.Question, answer string, source *bookkeeping.Source) string {
	o := &source.Options
	closed := slices.Contains([]string{"--date-format", "--decimal", "--sign", "--amount", "--same-account"}, q.Flag)
	if closed && len(q.Choices) > 0 && !slices.Contains(q.Choices, answer) {
		return "That is none of " + strings.Join(q.Choices, ", ") + "."
	}
	switch q.Flag {
	case "--account":
		o.Account = answer
	case "--currency":
		if o.Currency = strings.ToUpper(answer); !bank.IsCurrency(o.Currency) {
			return "That is no currency; type a code such as USD."
		}
	case "--as-of":
		date, err := civil.Parse(answer)
		if err != nil {
			return "That is no date; type it as 2026-09-30."
		}
		o.AsOf = date
	case "--date-format":
		o.DateOrder = bank.DateOrder(answer)
	case "--sign":
		o.Sign = bank.Sign(answer)
	case "--amount":
		o.Amount = answer
	case "--same-account":
		source.SameAccount = answer
	case "--decimal":
		o.Decimal = map[string]byte{"point": '.', "comma": ','}[answer]
	default:
		return "This cannot be answered here; use " + q.Flag + "."
	}
	return ""
}

// askBalances asks for the balance of each account in the report whose balance is not known, and
// adds the answers to the options. It reports whether there was an answer.
func askBalances(ctx context.Context, env command.Env, report *ownbooks.Report,
	options *bookkeeping.Options,
) (answered bool) {
	for n := range report.Balances {
		q := &report.Balances[n]
		if answer := askBalance(ctx, env, q); answer != "" {
			options.Balances = append(options.Balances, balanceOf(q, answer))
			answered = true
		}
	}
	return answered
}

// balanceOf returns the balance that answers a question.
func balanceOf(q *ownbooks.Question, answer string) bookkeeping.StatedBalance {
	return bookkeeping.StatedBalance{Account: q.Account + " " + q.Currency, Text: answer}
}

// askBalance asks for the balance of an account until the user types a valid balance. It returns ""
// if the user does not know the balance.
func askBalance(ctx context.Context, env command.Env, q *ownbooks.Question) string {
	prompt := fmt.Sprintf("%s: %s.\n%s, or nothing if you do not know it:", q.Name, q.Reason, q.Prompt())
	for {
		answer, err := command.PromptLine(ctx, env, prompt)
		if err != nil || answer == "" {
			return ""
		}
		_, err = bookkeeping.ParseBalance(answer, q.Currency, civil.Of(env.Now()))
		if err == nil {
			return answer
		}
		fmt.Fprintln(env.Stderr, err)
	}
}
