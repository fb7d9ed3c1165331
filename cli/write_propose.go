package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

func newPropose(s Surroundings) *cobra.Command {
	var (
		f    proposalFlags
		file string
		key  string
	)
	cmd := &cobra.Command{
		Use:   "propose",
		Short: "Propose an invoice: a draft, nothing is sent",
		Long: "propose makes a draft of an invoice for a person to review; nothing is sent to anybody and nothing is charged.\n" +
			"The proposal comes from flags, or as the API's JSON from --file. It is checked here first, and sent once: where no answer comes,\n" +
			"the newest drafts are looked up and told, and the exit code is 1.",
		Example: "tarmac invoices propose --recipient-name \"Acme LLC\" --recipient-email pay@acme.example \\\n" +
			"    --description \"Consulting, May\" --due \"net 30\" \\\n" +
			"    --line \"12.5 x 180.00 Hours\" --line \"1 x 1,200 Workshop\"\n" +
			"tarmac invoices propose --file proposal.json --idempotency-key may-acme",
	}
	f.register(cmd)
	cmd.Flags().StringVar(&file, "file", "", "a file with the proposal as JSON; - for standard input")
	cmd.Flags().StringVar(&key, "idempotency-key", "", "a name for this proposal: sent again within a day it makes no second draft, where the server knows that")
	return writing(s, cmd, func(ctx context.Context, a *ask, _ []string) error {
		proposal, err := a.proposal(cmd, f, file)
		if err != nil {
			return err
		}
		if found := proposal.Check(); len(found) > 0 {
			return usagef("the proposal was not sent: %s", sentences(found))
		}
		var options []apiclient.ProposeOption
		if key != "" {
			if looksSecret(key) {
				return usagef("--idempotency-key is no place for a secret")
			}
			options = append(options, apiclient.IdempotencyKey(key))
		}
		began := a.Now()
		draft, err := a.client.ProposeInvoice(ctx, proposal, options...)
		if errors.Is(err, apiclient.ErrOutcomeUnknown) {
			return &unknownOutcome{err.Error() + ". " + a.lookForDraft(ctx, proposal, began)}
		}
		if err != nil {
			return err
		}
		if err := a.show(invoiceObject(*draft)); err != nil || a.json {
			return err
		}
		_, err = fmt.Fprintf(a.out, "\n%s is a draft: nothing was sent to anybody, and nothing is charged.\n", draft.Number)
		return err
	})
}

// sentences puts all that is wrong with a proposal on one line.
func sentences(found []apiclient.FieldError) string {
	words := make([]string, len(found))
	for i, e := range found {
		words[i] = e.Text
	}
	return strings.Join(words, "; ")
}

// proposal reads the proposal from the file, or from the flags.
func (a *ask) proposal(cmd *cobra.Command, f proposalFlags, file string) (apiclient.InvoiceProposal, error) {
	if file == "" {
		return f.proposal(civil.Of(a.Now()))
	}
	for _, name := range proposalFlagNames {
		if cmd.Flags().Changed(name) {
			return apiclient.InvoiceProposal{}, usagef("--file has the whole proposal; --%s goes without it", name)
		}
	}
	content, err := readInput(a.Surroundings, file, maxProposalFile)
	if err != nil {
		return apiclient.InvoiceProposal{}, err
	}
	return parseProposal(content)
}

const (
	// newestDrafts is how many drafts are looked at after a proposal got no answer.
	newestDrafts = 50
	// clockSkew is how far the server's clock may be from this one.
	clockSkew = 5 * time.Minute
)

// lookForDraft says whether a proposal that got no answer seems to have become a
// draft. It looks once more also after an interruption: that is when it matters.
func (a *ask) lookForDraft(ctx context.Context, p apiclient.InvoiceProposal, began time.Time) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.flags.timeout)
	defer cancel()
	drafts, err := a.client.Invoices(ctx, apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: newestDrafts})
	if err != nil {
		return "The newest drafts could not be looked up either (" + err.Error() + ")"
	}
	for _, d := range drafts {
		if alike(d, p) && d.CreatedAt.After(began.Add(-clockSkew)) {
			return fmt.Sprintf("There is a draft like it, %s %s of %s made at %s: it seems to have been carried out", d.Number, d.ID, d.Total, clock(d.CreatedAt))
		}
	}
	return fmt.Sprintf("None of the newest %s drafts is like it: it seems not to have been carried out", money.Count(int64(len(drafts))))
}

// alike reports whether a draft is what a proposal would have become.
func alike(d apiclient.Invoice, p apiclient.InvoiceProposal) bool {
	total, err := p.Total()
	got, known := d.Total.Minor()
	return err == nil && known && got == total && d.RecipientEmail == strings.TrimSpace(p.RecipientEmail) &&
		d.RecipientName == strings.TrimSpace(p.RecipientName)
}
