package plain

import (
	"cmp"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/problem"
	"tarmac/client/proposal"
)

// review shows the proposal and asks what to do. It then sends the proposal or returns to a field.
func (s *session) review() error {
	p := &s.proposal
	for {
		p.Draft.Lines, _ = proposal.WithoutBlank(p.Draft.Lines)
		if index, wrong := s.firstInvalid(); wrong {
			s.say("%s: %s", p.at(index).label, problem.Sentence(s.fieldError(index)))
			ahead, err := s.fillFrom(index)
			if err != nil || !ahead {
				return err
			}
			continue
		}
		what, found := proposal.Read(p.Draft, s.today())
		for _, text := range found {
			s.say("This cannot be sent: %s", problem.Sentence(text))
		}
		s.sayProposal(what)
		s.say("%s", reviewHelp)
		text, err := s.read("Review")
		if err != nil {
			return err
		}
		done, err := s.runReviewCommand(strings.ToLower(text), what, len(found) == 0)
		if err != nil || done {
			return err
		}
	}
}

// firstInvalid returns the index of the first invalid field. wrong is false if all fields are
// valid.
func (s *session) firstInvalid() (index int, wrong bool) {
	p := &s.proposal
	if len(p.Draft.Lines) == 0 {
		p.Draft.Lines = []draft.Line{{}}
	}
	for index := range p.fieldCount() {
		if s.fieldError(index) != "" {
			return index, true
		}
	}
	return 0, false
}

// fillFrom asks for the field with the given index. If the user goes back, it asks for earlier
// fields too. It returns false if the user left the form.
func (s *session) fillFrom(index int) (filled bool, err error) {
	for last := index; index <= last; {
		step, err := s.fillOne(index)
		switch {
		case err != nil:
			return false, err
		case step == left:
			s.reportDraft()
			return false, nil
		case step == forward:
			index++
		default:
			index = max(0, index-1)
		}
	}
	return true, nil
}

// reviewHelp says what the user can type at the review.
const reviewHelp = "yes creates the draft; edit name, email, description, due, notes or line 1 changes a field; " +
	"add adds a line, remove 1 removes one; cancel saves the draft for later, discard deletes it."

// sayProposal prints all that will be sent.
func (s *session) sayProposal(p apiclient.InvoiceProposal) {
	s.say("Review. This creates a draft; nothing goes to the customer and nothing is charged.")
	for i, f := range []string{p.RecipientName, p.RecipientEmail, p.Description, p.DueDate.String(), p.Notes} {
		s.say("  %s: %s.", formFields[i].label, cmp.Or(f, "none"))
	}
	s.say("  Currency: %s.", apiclient.InvoiceCurrency)
	s.sayLines(p)
	s.say("  Total: %s.", amountInWords(proposal.Total(p)))
	if s.masked {
		s.say("Amounts are hidden; they are sent as entered.")
	}
}

// sayLines prints the line items of a proposal.
func (s *session) sayLines(p apiclient.InvoiceProposal) {
	for i, item := range p.LineItems {
		price, sum := proposal.Price(item), proposal.LineAmount(item)
		s.say("  Line %d: %s. %s times %s is %s.", i+1, item.Description, item.Quantity,
			amountInWords(price), amountInWords(sum))
	}
}

// editable lists the names of fields that the user can type at the review.
var editable = []string{"name", "email", "description", "due", "notes"}

// runReviewCommand runs a command typed at the review. valid says that the proposal can be sent.
// The result done says that the review is over.
func (s *session) runReviewCommand(text string, what apiclient.InvoiceProposal, valid bool) (done bool, err error) {
	p := &s.proposal
	word, args, _ := strings.Cut(text, " ")
	line, _ := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(args, "line")))
	isLine := line >= 1 && line <= len(p.Draft.Lines)
	index := -1
	for i, name := range editable {
		if args != "" && strings.HasPrefix(name, args) || args == "e-mail" && name == "email" {
			index = i
			break
		}
	}
	ahead := true
	switch {
	case word == "yes" && args == "" && valid:
		switch outcome, why := s.send(what, false); outcome {
		case proposal.Created:
			return true, nil
		case proposal.Unknown:
			return true, s.resolve(why)
		}
	case word == wordCancel, word == "quit":
		s.reportDraft()
		return true, nil
	case word == "discard":
		ok, err := s.confirm("This deletes the draft.", "discard")
		if ok {
			s.dropDraft()
			s.say("Draft deleted.")
		}
		return ok, err
	case word == wordBack:
		ahead, err = s.fillFrom(p.fieldCount() - 1)
	case word == "add" && len(p.Draft.Lines) < apiclient.MaxLineItems:
		p.Draft.Lines = append(p.Draft.Lines, draft.Line{})
		ahead, err = s.fill(p.fieldCount() - cells)
	case word == "remove" && isLine:
		p.Draft.Lines = append(p.Draft.Lines[:line-1:line-1], p.Draft.Lines[line:]...)
		s.saveDraft()
	case word == "edit" && index >= 0:
		ahead, err = s.fillFrom(index)
	case word == "edit" && isLine:
		for at := len(formFields) + cells*(line-1); at < len(formFields)+cells*line && ahead && err == nil; at++ {
			ahead, err = s.fillFrom(at)
		}
	default:
		s.say("Nothing changed.")
	}
	return !ahead, err
}
