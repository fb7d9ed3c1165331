package books

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// ask asks about the files that a person must decide about, and adds the answers to their
// options. It returns false if there is nothing to ask or no answer was given.
func (f *importFlags) ask(ctx context.Context, env command.Env, report *bookkeeping.Report,
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

// askOne asks one question until the answer can be used. An empty answer gives up.
func askOne(ctx context.Context, env command.Env, q *bank.Question, source *bookkeeping.Source) bool {
	prompt := fmt.Sprintf("%s: %s.\n%s", termtext.Line(filepath.Base(source.Name)), termtext.Line(q.Reason), wanted(q))
	for {
		answer, err := command.PromptLine(ctx, env, prompt)
		if err != nil || answer == "" {
			return false
		}
		if problem := apply(q, answer, &source.Options); problem == "" {
			return true
		} else {
			fmt.Fprintln(env.Stderr, problem)
		}
	}
}

// wanted says what to type.
func wanted(q *bank.Question) string {
	what := strings.TrimPrefix(q.Flag, "--")
	if len(q.Choices) == 0 {
		return "Type the " + what + ", or nothing to stop:"
	}
	return fmt.Sprintf("Type the %s (%s), or nothing to stop:", what, termtext.Line(strings.Join(q.Choices, ", ")))
}

// apply sets the option that a question asks for. It returns what is wrong with the answer, or
// "".
func apply(q *bank.Question, answer string, o *bank.Options) string {
	closed := q.Flag == "--date-format" || q.Flag == "--decimal" || q.Flag == "--sign"
	if closed && len(q.Choices) > 0 && !slices.Contains(q.Choices, answer) {
		return "That is none of " + termtext.Line(strings.Join(q.Choices, ", ")) + "."
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
	case "--decimal":
		o.Decimal = map[string]byte{"point": '.', "comma": ','}[answer]
	default:
		return "This cannot be answered here; use " + q.Flag + "."
	}
	return ""
}
