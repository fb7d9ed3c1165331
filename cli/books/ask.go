package books

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// preview returns the report of a preview. On a terminal, it first asks what the files leave open:
// the same questions in the same order as in the dashboard. It stores the answers in the sources
// and the options.
func (f *importFlags) preview(ctx context.Context, env command.Env, open Opener, sources []bookkeeping.Source,
	options *bookkeeping.Options,
) (*ownbooks.Report, error) {
	var batch ownbooks.Batch
	asks := !f.dryRun && command.IsTerminal(env.Stdin)
	options.NameAccounts = asks || f.dryRun
	for {
		preview := *options
		preview.Preview, preview.AllowUnnamed = true, f.dryRun
		report, err := f.report(ctx, open.Preview, sources, preview)
		if err != nil || !asks {
			return report, err
		}
		if f.name == "" && open.NeedsName() {
			report.General = slices.Insert(report.General, 0, ownbooks.NameQuestion(report.Company))
		}
		q := report.Question(&batch)
		if q == nil || batch.Answered(q) {
			return report, nil
		}
		answer, ok := askFile(ctx, env, q)
		if !ok {
			return report, nil
		}
		batch.Answers = append(batch.Answers, ownbooks.Answer{Question: *q, Text: answer})
		if q.Flag == ownbooks.NameFlag {
			f.name = answer
		}
		if err := answerFiles(&batch, sources, options); err != nil {
			return nil, err
		}
	}
}

// askFile asks a question about the files until the user types a valid answer. An empty answer is
// the proposed one or, to an optional question, that the user does not know. Without either, it
// returns false: the user gives up.
func askFile(ctx context.Context, env command.Env, q *ownbooks.Question) (answer string, ok bool) {
	fmt.Fprintf(env.Stderr, "%s: %s.\n", filepath.Base(q.Name), strings.TrimSuffix(q.Reason, "."))
	for _, sample := range q.Samples {
		fmt.Fprintf(env.Stderr, "    %s\n", sample)
	}
	options := q.Options()
	for n, option := range options {
		if option.Means == "" || option.Answer != option.Label {
			option.Means = strings.TrimPrefix(option.Means+", type "+option.Answer, ", ")
		}
		fmt.Fprintf(env.Stderr, "  %d  %s: %s\n", n+1, option.Label, option.Means)
	}
	empty := cmp.Or(q.Proposed, defaultAnswer(q))
	prompt := q.Prompt() + ", or nothing to stop:"
	switch {
	case q.IsOptional():
		prompt = q.Prompt() + ", or nothing if you do not know it:"
	case empty != "":
		prompt = fmt.Sprintf("%s [%s]:", q.Prompt(), empty)
	}
	for {
		answer, err := command.PromptLine(ctx, env, prompt)
		if err != nil {
			return "", false
		}
		if answer = cmp.Or(strings.TrimSpace(answer), empty); answer == "" {
			return "", q.IsOptional()
		}
		if err := checkAnswer(q, answer, civil.Of(env.Now())); err != nil {
			fmt.Fprintln(env.Stderr, err)
			continue
		}
		return answer, true
	}
}

// defaultAnswer returns the answer of an empty line if the files propose none.
func defaultAnswer(q *ownbooks.Question) string {
	switch q.Flag {
	case ownbooks.NameFlag:
		return DefaultCompany
	case ownbooks.CurrencyFlag:
		return q.Choices[0]
	}
	return ""
}

// answerFiles stores the answers of a batch in the sources, whose indexes are those of its files,
// and in the options. It replaces all stated balances if there is an answer about one.
func answerFiles(batch *ownbooks.Batch, sources []bookkeeping.Source, options *bookkeeping.Options) error {
	var balances []bookkeeping.StatedBalance
	for n := range batch.Answers {
		q, text := &batch.Answers[n].Question, batch.Answers[n].Text
		switch {
		case q.Flag == ownbooks.NameFlag:
		case q.Flag == ownbooks.CurrencyFlag:
			options.ReportIn = strings.ToUpper(text)
		case q.IsOptional() && text != "":
			balances = append(balances, bookkeeping.StatedBalance{
				Account: q.Account + " " + q.Currency, Text: q.Balance(text),
			})
		case q.IsOptional():
		default:
			if problem := apply(q, text, &sources[q.File]); problem != "" {
				return errors.New(problem)
			}
		}
	}
	if balances != nil {
		options.Balances = append(options.Balances[:0:0], balances...)
	}
	return nil
}

// checkAnswer returns an error for the user if a text does not answer a question.
func checkAnswer(q *ownbooks.Question, text string, today civil.Date) error {
	switch {
	case q.Flag == ownbooks.NameFlag:
		if err := ownbooks.CheckName(text); err != nil {
			return err
		}
		_, err := service.CheckOrganizationName(text)
		return err
	case q.Flag == ownbooks.CurrencyFlag:
		if !bank.IsCurrency(strings.ToUpper(text)) {
			return errors.New("that is no currency; type a code such as EUR")
		}
		return nil
	case q.IsOptional():
		_, err := bookkeeping.ParseBalance(q.Balance(text), q.Currency, today)
		return err
	}
	if problem := apply(q, text, new(bookkeeping.Source)); problem != "" {
		return errors.New(problem)
	}
	return nil
}

// apply stores the user's answer in the option of the file that the question is about. It returns a
// message for the user if the answer is not valid, else "".
func apply(q *ownbooks.Question, answer string, source *bookkeeping.Source) string {
	o := &source.Options
	if source.Skip = strings.EqualFold(answer, ownbooks.Skip); source.Skip {
		return ""
	}
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
