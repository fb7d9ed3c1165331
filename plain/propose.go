package plain

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/problem"
	"tarmac/client/proposal"
)

// Words with a special meaning when a field is asked for. After a backslash they are ordinary text.
const (
	wordBack   = "back"
	wordCancel = "cancel"
	wordEmpty  = "-" // clears the field
)

// openProposal is the invoice proposal that the user is writing.
type openProposal struct {
	proposal.Saved
	onDisk        bool   // there is a file with the draft, perhaps an earlier version of it
	unknownReason string // why the outcome of the last request is unknown
	sendUnsaved   bool   // send the proposal even if its file cannot be marked as sent
}

// propose asks for the fields of an invoice one by one, shows the proposal for review and sends it
// once. It saves each field to disk before it asks for the next.
func (s *session) propose(string) error {
	ping, err := s.organization()
	switch {
	case err != nil:
		return s.failed("Cannot propose an invoice", err)
	case ping.Scopes != nil && !slices.Contains(ping.Scopes, proposal.Scope):
		return s.answer("Not allowed. The token lacks the scope %s.", proposal.Scope)
	}
	s.say("Propose an invoice. This creates a draft for review; nothing goes to the customer.")
	s.say("In every field: back returns to the previous field, cancel saves the draft and leaves, " +
		"Enter keeps the value, - clears it.")
	if err := s.openDraft(draft.OrgKey(s.server.Client.Origin(), ping.OrgID)); err != nil {
		return s.answer("%s", problem.Sentence(err.Error()))
	}
	if !s.proposal.Draft.SentAt.IsZero() {
		return s.resolve(cmp.Or(s.proposal.unknownReason, proposal.Interrupted))
	}
	ahead, err := s.fill(0)
	if err != nil || !ahead {
		return err
	}
	return s.review()
}

// openDraft loads the organization's draft, or starts a new one.
func (s *session) openDraft(org string) error {
	p := &s.proposal
	if p.Org == org && p.Draft.Key != "" {
		s.sayRestored()
		return nil
	}
	*p = openProposal{Saved: proposal.Saved{Store: s.drafts, Org: org}}
	d, openElsewhere, err := proposal.OpenDraft(s.drafts, org, s.Entropy, s.Now())
	p.Draft = d
	switch {
	case err == nil:
		p.onDisk = true
		s.sayRestored()
	case d.Key == "":
		return err
	case !errors.Is(err, fs.ErrNotExist):
		s.say("%s", problem.Sentence(err.Error()))
	case openElsewhere:
		s.say("%s", proposal.OpenElsewhere)
	}
	return nil
}

// sayRestored prints how old a restored draft is, unless the draft was sent.
func (s *session) sayRestored() {
	d := &s.proposal.Draft
	if d.SentAt.IsZero() && !d.SavedAt.IsZero() {
		s.say("Draft from %s ago restored.", spanInWords(s.Now().Sub(d.SavedAt)))
	}
}

// saveDraft saves a changed draft and prints an error if that fails.
func (s *session) saveDraft() {
	err := s.proposal.Change(s.Entropy)
	if err == nil {
		err = s.writeDraft()
	}
	s.sayUnsaved(err)
}

// sayUnsaved prints why the draft was not saved, unless err is nil.
func (s *session) sayUnsaved(err error) {
	if err != nil {
		s.say("Draft not saved: %s", problem.Sentence(err.Error()))
	}
}

// writeDraft saves the draft with its current idempotency key.
func (s *session) writeDraft() error {
	err := s.proposal.Write(s.Now())()
	s.proposal.onDisk = s.drafts != nil && (s.proposal.onDisk || err == nil)
	return err
}

// reportDraft prints whether an unfinished draft remains on disk.
func (s *session) reportDraft() {
	switch p := &s.proposal; {
	case p.onDisk:
		s.say("Draft saved. Type propose to continue.")
	case p.Draft.SavedAt.IsZero():
		s.say("Empty draft discarded.")
	default:
		s.say("Draft kept until the program ends. Type propose to continue.")
	}
}

// dropDraft deletes the draft. The next draft gets a new idempotency key.
func (s *session) dropDraft() {
	saved := s.proposal.Saved
	remove, _ := saved.Discard(s.Entropy) // without a key, the next draft is opened again
	if err := remove(); err != nil {
		s.say("The draft could not be removed: %s", problem.Sentence(err.Error()))
	}
	s.proposal = openProposal{Saved: saved}
}

// formField is one field of the form.
type formField struct {
	label string
	hint  string
	name  string // field name in the API
	value func(d *draft.Draft) *string
}

// formFields lists the fields of the form that come before the line items.
var formFields = []formField{
	{"Recipient name", "", "recipient_name", func(d *draft.Draft) *string { return &d.RecipientName }},
	{"Recipient e-mail", "", "recipient_email", func(d *draft.Draft) *string { return &d.RecipientEmail }},
	{"Description", "what the invoice is for", "description", func(d *draft.Draft) *string { return &d.Description }},
	{"Due date", "such as 2026-12-31, 31 Dec or net 30; optional", "due_date",
		func(d *draft.Draft) *string { return &d.DueDate }},
	{"Internal notes", "optional", "notes", func(d *draft.Draft) *string { return &d.Notes }},
}

// cells is the number of fields of a line item: description, quantity and unit price.
const cells = len(proposal.CellNames)

// at returns the field with the given index. The formFields come first, followed by the fields of
// each line item.
func (p *openProposal) at(index int) formField {
	if index < len(formFields) {
		return formFields[index]
	}
	i, cell := (index-len(formFields))/cells, (index-len(formFields))%cells
	e := [cells]formField{
		{"description", "item or service", "", func(d *draft.Draft) *string { return &d.Lines[i].Description }},
		{"quantity", "such as 1 or 12.5", "", func(d *draft.Draft) *string { return &d.Lines[i].Quantity }},
		{"unit price", "in dollars, such as 1,200.50 or 1.5k", "",
			func(d *draft.Draft) *string { return &d.Lines[i].UnitPrice }},
	}[cell]
	e.label, e.name = "Line "+strconv.Itoa(i+1)+" "+e.label, proposal.CellName(i, cell)
	return e
}

// fieldCount returns the number of fields in the form, including all line items.
func (p *openProposal) fieldCount() int { return len(formFields) + cells*len(p.Draft.Lines) }

// field asks for one value. An empty input keeps the present value. It returns the value, or the
// word back or cancel if the user typed one of these.
func (s *session) field(label, hint, present string) (string, error) {
	prompt := label
	switch {
	case present != "":
		s.say("%s is now %s", label, present)
	case hint != "":
		prompt += ", " + hint
	}
	text, err := s.read(prompt)
	switch {
	case err != nil:
		return "", err
	case text == "":
		return present, nil
	case text == wordEmpty:
		return "", nil
	}
	if lower := strings.ToLower(text); lower == wordBack || lower == wordCancel {
		return lower, nil
	}
	return text, nil
}

// fill asks for the fields from the given index to the last. After the last line item, it asks
// whether to add another, until the user declines. The result ahead is false if the user leaves the
// form.
func (s *session) fill(index int) (ahead bool, err error) {
	p := &s.proposal
	for {
		if index == p.fieldCount() {
			more := len(p.Draft.Lines) == 0
			if !more {
				more, err = s.askForAnotherLine()
			}
			if err != nil || !more || len(p.Draft.Lines) == apiclient.MaxLineItems {
				return err == nil, err
			}
			p.Draft.Lines = append(p.Draft.Lines, draft.Line{})
		}
		step, err := s.fillOne(index)
		if err != nil {
			return false, err
		}
		switch {
		case step == left:
			s.reportDraft()
			return false, nil
		case step == backward && index == 0:
			s.say("This is the first field. Type cancel to leave.")
		case step == backward:
			index--
		default:
			index++
		}
	}
}

// askForAnotherLine asks whether to add a line item.
func (s *session) askForAnotherLine() (bool, error) {
	for {
		n := len(s.proposal.Draft.Lines)
		text, err := s.read("Add another line? So far " + strconv.Itoa(n) + "; yes or no")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(text) {
		case "y", "yes":
			return true, nil
		case "", "n", "no":
			return false, nil
		}
		s.say("yes adds a line; no goes to the review, where everything can be changed.")
	}
}

// step says which field to ask for next.
type step int

const (
	forward step = iota
	backward
	left
)

// fillOne asks for a field until its value is valid or the user leaves the field.
func (s *session) fillOne(index int) (step, error) {
	p := &s.proposal
	e := p.at(index)
	value := e.value(&p.Draft)
	for {
		text, err := s.field(e.label, e.hint, *value)
		switch {
		case err != nil:
			return left, err
		case text == wordBack:
			return backward, nil
		case text == wordCancel:
			return left, nil
		}
		before := *value
		*value = strings.TrimPrefix(text, `\`)
		s.normalize(e, value)
		if wrong := s.fieldError(index); wrong != "" {
			s.say("%s: %s", upperFirst(e.label), problem.Sentence(wrong))
			// Restore the old value, unless it is the invalid one. The user could otherwise never
			// leave this field.
			if *value = before; before == text {
				*value = ""
			}
			continue
		}
		s.saveDraft()
		if total := p.lineAmount(index); total.Known() {
			s.say("Line total: %s.", amountInWords(total))
		}
		return forward, nil
	}
}

// normalize replaces text such as "net 30" with the date, quantity or price that it means, and
// prints the result.
func (s *session) normalize(e formField, value *string) {
	understood := *value
	switch {
	case e.name == "due_date":
		understood = proposal.DueText(*value, s.today())
	case strings.HasSuffix(e.name, ".quantity"):
		understood = proposal.QuantityText(*value)
	case strings.HasSuffix(e.name, ".unit_price_cents"):
		understood = proposal.PriceText(*value)
	}
	if understood != *value {
		*value = understood
		s.say("%s: %s.", upperFirst(e.label), understood)
	}
}

// lineAmount returns the amount of a line item, given the index of the item's last field. For other
// fields it returns an unknown amount.
func (p *openProposal) lineAmount(index int) apiclient.Amount {
	if index < len(formFields) || (index-len(formFields))%cells != cells-1 {
		return apiclient.Amount{}
	}
	return proposal.DraftAmount(p.Draft.Lines[(index-len(formFields))/cells])
}

// fieldError says what is wrong with the field of the given index. It returns "" if the field is
// valid.
func (s *session) fieldError(index int) string {
	_, found := proposal.Read(s.proposal.Draft, s.today())
	return found[s.proposal.at(index).name]
}
