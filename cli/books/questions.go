package books

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookkeeping"
)

func newQuestions(c *commands) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "questions",
		Short: "Answer what only a person can decide about the books",
		Long: "questions asks what the files leave open: whether a large payment is investors' or a lender's money, " +
			"whether two lines are a transfer between your accounts, whether lines of two files that part within a " +
			"day are the same payment, and which invoice or bill a payment pays. A question about financing is " +
			"about a payer: the answer holds for all payments of up to three times " +
			"the largest one that it is about, and says what the net burn becomes. " +
			"On a terminal it asks one after the other; without an answer, a question stays open. Elsewhere it " +
			"lists them, and `questions answer` answers one.",
		Example: c.open.Example("books questions") + "\n" + c.open.Example("books questions --json") + "\n" +
			c.open.Example("books questions answer ask_4f1c0a9b2d no"),
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error { return c.questions(cmd.Context(), b) })
		},
	}
	cmd.AddCommand(newAnswer(c), newAnswered(c))
	return cmd
}

// questions lists the open questions, or asks them on a terminal.
func (c *commands) questions(ctx context.Context, b *bookkeeping.Books) error {
	questions, err := b.Questions(ctx)
	if err != nil {
		return err
	}
	count, err := b.CountQuestions(ctx)
	if err != nil {
		return err
	}
	more := max(0, count-len(questions))
	return c.show(map[string]any{"questions": questions, "more": more}, func() error {
		switch {
		case len(questions) == 0:
			_, err := fmt.Fprintln(c.Stdout, "No open questions.")
			return err
		case command.IsTerminal(c.Stdin):
			return askQuestions(ctx, c.Env, b, questions)
		}
		for _, q := range questions {
			if err := printQuestion(c.Stdout, q); err != nil {
				return err
			}
		}
		if more > 0 {
			_, err := fmt.Fprintf(c.Stdout, "There are %s more, about later payments: answer these first.\n",
				plural.Count(more, "question"))
			return err
		}
		return nil
	})
}

// printQuestion prints a question with its id and its possible answers.
func printQuestion(w io.Writer, q ownbooks.OpenQuestion) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s %s\n", q.ID, q.Text, q.Status())
	for _, c := range q.Choices {
		fmt.Fprintf(&b, "    %s\n", c.Line())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func newAnswered(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "answered",
		Short: "List the answers that you have given",
		Long: "answered lists the questions that you have answered, with your answers. `questions answer` changes an " +
			"answer; the answer `open` takes it back, so that the question is asked again.",
		Example: c.open.Example("books questions answered"),
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				given, err := b.GivenAnswers(cmd.Context())
				if err != nil {
					return err
				}
				return c.show(map[string]any{"questions": given}, func() error {
					if len(given) == 0 {
						_, err := fmt.Fprintln(c.Stdout, "No question was answered yet.")
						return err
					}
					for _, q := range given {
						if err := printQuestion(c.Stdout, q); err != nil {
							return err
						}
					}
					return nil
				})
			})
		},
	}
}

func newAnswer(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "answer ID ANSWER",
		Short: "Answer a question, or change an answer",
		Long: "answer answers the question with the given id by one of its answers: yes, no, the number of an invoice " +
			"or a bill, or none. A later answer replaces an earlier one, and `open` takes it back; the invoice that a " +
			"payment has paid stays paid.",
		Example: c.open.Example("books questions answer ask_4f1c0a9b2d no"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return command.Usagef("%s needs the question's id, from `%s`, and the answer",
					cmd.CommandPath(), cmd.Parent().CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				done, err := b.Answer(cmd.Context(), args[0], args[1])
				if wrong := new(bookkeeping.WrongAnswer); errors.As(err, &wrong) {
					return command.Usagef("%w", err)
				}
				if err != nil {
					return err
				}
				return c.show(done, func() error { return printLines(c.Stdout, done.Sentences()) })
			})
		},
	}
}

// askQuestions asks the questions on a terminal, one after the other. Questions without an answer
// stay open.
func askQuestions(ctx context.Context, env command.Env, b *bookkeeping.Books, questions []ownbooks.OpenQuestion) error {
	for _, q := range questions {
		answer, err := askQuestion(ctx, env, q)
		switch {
		case err != nil:
			return err
		case answer == "":
			continue
		}
		done, err := b.Answer(ctx, q.ID, answer)
		if err != nil {
			return err
		}
		if err := printLines(env.Stdout, done.Sentences()); err != nil {
			return err
		}
	}
	return nil
}

// askQuestion repeats a question until the user types a valid answer, which it returns. It returns
// "" if the user types an empty line.
func askQuestion(ctx context.Context, env command.Env, q ownbooks.OpenQuestion) (string, error) {
	fmt.Fprintf(env.Stderr, "\n%s\n", q.Text)
	for _, choice := range q.Choices {
		fmt.Fprintf(env.Stderr, "  %s\n", choice.Line())
	}
	for {
		answer, err := command.PromptLine(ctx, env, fmt.Sprintf("[%s, or nothing to answer later]", q.Answers("/")))
		if err != nil || answer == "" {
			return "", err
		}
		if full, ok := q.Chosen(answer); ok {
			return full, nil
		}
		fmt.Fprintf(env.Stderr, "That is none of %s.\n", q.Answers(", "))
	}
}

// printLines prints each text on a line.
func printLines(w io.Writer, texts []string) error {
	for _, text := range texts {
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}
