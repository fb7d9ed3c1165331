package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/problem"
	"tarmac/client/proposal"
	"tarmac/client/record"
	"tarmac/internal/civil"
)

func newPropose(env command.Env) *cobra.Command {
	var (
		f    proposalFlags
		file string
		key  string
	)
	cmd := &cobra.Command{
		Use:   "propose",
		Short: "Create a draft invoice; nothing is sent",
		Long: "propose creates a draft invoice for review; nothing goes to the customer and nothing is charged.\n" +
			"The proposal comes from flags, or as JSON from --file. It is checked locally and sent once. If no answer " +
			"arrives, the newest drafts are listed and the exit code is 1.",
		Example: "tarmac invoices propose --recipient-name \"Acme LLC\" --recipient-email pay@acme.example \\\n" +
			"    --description \"Consulting, May\" --due \"net 30\" \\\n" +
			"    --line \"12.5 x 180.00 Hours\" --line \"1 x 1,200 Workshop\"\n" +
			"tarmac invoices propose --file proposal.json --idempotency-key may-acme",
	}
	f.register(cmd)
	cmd.Flags().StringVar(&file, "file", "", "file with the proposal as JSON; - for standard input")
	cmd.Flags().StringVar(&key, "idempotency-key", "",
		"idempotency key: resending within a day creates no second draft on servers that support it")
	return writeCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		what, err := a.proposal(cmd, f, file)
		if err != nil {
			return err
		}
		if found := what.Check(); len(found) > 0 {
			return command.Usagef("the proposal was not sent: %s", sentences(found))
		}
		switch {
		case looksSecret(key):
			return command.Usagef("--idempotency-key must not contain a secret")
		case key == "":
			if key, err = proposal.NewKey(rand.Reader); err != nil {
				return err
			}
		}
		sentAt := a.Now()
		draft, err := a.client.ProposeInvoice(ctx, what, apiclient.IdempotencyKey(key))
		if proposal.OutcomeOf(err, false) == proposal.Unknown {
			sent := proposal.Unanswered{Proposal: what, SentAt: sentAt, Reason: problem.Of(err).Detail}
			return &unknownOutcome{a.lookForDraft(ctx, sent, key)}
		}
		if err != nil {
			return err
		}
		if err := a.show(record.Invoice(*draft)); err != nil || a.json {
			return err
		}
		_, err = fmt.Fprintf(a.out, "\nDraft %s created. Nothing was sent to the customer and nothing was charged.\n",
			draft.Number)
		return err
	})
}

// sentences joins all mistakes in a proposal to one line.
func sentences(found []apiclient.FieldError) string {
	words := make([]string, len(found))
	for i, e := range found {
		words[i] = e.Text
	}
	return strings.Join(words, "; ")
}

// proposal returns the proposal described by the file or, if file is "", by the flags.
func (a *call) proposal(cmd *cobra.Command, f proposalFlags, file string) (apiclient.InvoiceProposal, error) {
	if file == "" {
		return f.proposal(civil.Of(a.Now()))
	}
	for _, name := range proposalFlagNames {
		if cmd.Flags().Changed(name) {
			return apiclient.InvoiceProposal{}, command.Usagef("--file and --%s cannot be combined", name)
		}
	}
	content, err := readInput(a.Env, file, maxProposalFile)
	if err != nil {
		return apiclient.InvoiceProposal{}, err
	}
	return parseProposal(content)
}

// lookForDraft returns a message that says that the outcome of the proposal is unknown and lists
// the drafts that may have come from it. It also works after an interruption, because the outcome
// matters most then.
func (a *call) lookForDraft(ctx context.Context, sent proposal.Unanswered, key string) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.flags.timeout)
	defer cancel()
	words := []string{sent.UnknownText(), sent.SentText()}
	among, err := sent.Search(ctx, a.client)
	if err != nil {
		words = append(words, "The newest drafts could not be read either: "+problem.Of(err).Text())
	} else {
		words = append(words, among.Text())
	}
	for _, d := range among.Drafts[:among.Likely] {
		words = append(words, fmt.Sprintf("%s %s of %s, created %s.", d.Number, d.ID, d.Total, record.Timestamp(d.CreatedAt)))
	}
	return strings.Join(append(words, "Look at `tarmac invoices --status draft` before sending it again; with "+
		"--idempotency-key "+key+
		", where it is remembered, no duplicate is created"), " ")
}
