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
	"tarmac/client/proposal"
)

// The words that are commands while a field is typed. A backslash before one makes it
// text.
const (
	wordBack   = "back"
	wordCancel = "cancel"
	wordEmpty  = "-" // takes out what a field has
)

// openProposal is the invoice that is being proposed.
type openProposal struct {
	onDisk  bool   // a file keeps the draft, or what it was when that was last possible
	org     string // of a server, as draft.Of has it
	draft   draft.Draft
	made    bool   // it was sent under its key, as it is now
	doubt   string // why it is not known what became of it
	insists bool   // it is sent also where that cannot be noted on the disk
}

// propose asks for an invoice field by field, reads it back and sends it once. What is
// typed is on the disk before the next field is asked for.
func (s *session) propose() error {
	ping, err := s.organization()
	switch {
	case err != nil:
		s.failed("Cannot propose an invoice", err)
		return nil
	case ping.Scopes != nil && !slices.Contains(ping.Scopes, proposal.Scope):
		s.say("Not allowed. The token lacks the scope %s.", proposal.Scope)
		return nil
	}
	s.say("Propose an invoice. This creates a draft for review; nothing goes to the customer.")
	s.say("In every field: back returns to the previous field, cancel saves the draft and leaves, Enter keeps the value, - clears it.")
	if err := s.openDraft(draft.Owner(s.server.Client.Origin(), ping.OrgID)); err != nil {
		s.say("%s", sentence(err.Error()))
		return nil
	}
	if !s.proposal.draft.SentAt.IsZero() {
		return s.resolve(cmp.Or(s.proposal.doubt, proposal.Interrupted))
	}
	ahead, err := s.fill(0)
	if err != nil || !ahead {
		return err
	}
	return s.review()
}

// openDraft takes up the organization's draft, or begins one.
func (s *session) openDraft(org string) error {
	p := &s.proposal
	if p.org == org && p.draft.Key != "" {
		s.welcomeBack()
		return nil
	}
	*p = openProposal{org: org}
	err, beside := fs.ErrNotExist, false
	if s.drafts != nil {
		p.draft, beside, err = s.drafts.Open(org, s.Now())
	}
	switch {
	case err == nil:
		p.onDisk = true
		s.welcomeBack()
	case !errors.Is(err, fs.ErrNotExist):
		s.say("%s", sentence(err.Error()))
	case beside:
		s.say("Another tarmac has a draft open for this organization; this draft is saved separately.")
	}
	if p.draft.Key != "" {
		return nil
	}
	p.draft.Key, err = proposal.NewKey(s.Entropy)
	return err
}

func (s *session) welcomeBack() {
	d := &s.proposal.draft
	if d.SentAt.IsZero() && !d.SavedAt.IsZero() {
		s.say("Draft from %s ago restored.", ago(s.Now().Sub(d.SavedAt)))
	}
}

// keep writes the draft. What was sent before has another text now, and a key stands
// for one text only.
func (s *session) keep() error {
	p := &s.proposal
	if p.made {
		key, err := proposal.NewKey(s.Entropy)
		if err != nil {
			return err
		}
		p.draft.Key, p.made = key, false
	}
	return s.note()
}

// note writes the draft as it is.
func (s *session) note() error {
	s.proposal.draft.SavedAt = s.Now().UTC()
	if s.drafts == nil {
		return nil
	}
	s.turn++
	err := s.drafts.Save(s.proposal.org, s.turn, s.proposal.draft)
	s.proposal.onDisk = s.proposal.onDisk || err == nil
	return err
}

// sayLeft says what becomes of a draft that somebody leaves.
func (s *session) sayLeft() {
	switch p := &s.proposal; {
	case p.onDisk:
		s.say("Draft saved. Type propose to continue.")
	case p.draft.SavedAt.IsZero():
		s.say("Empty draft discarded.")
	default:
		s.say("Draft kept until the program ends. Type propose to continue.")
	}
}

// dropDraft forgets the draft; the next one has a key of its own.
func (s *session) dropDraft() {
	if s.drafts != nil {
		s.turn++
		if err := s.drafts.Discard(s.proposal.org, s.turn); err != nil {
			s.say("The draft could not be removed: %s", sentence(err.Error()))
		}
	}
	s.proposal = openProposal{org: s.proposal.org}
	if key, err := proposal.NewKey(s.Entropy); err == nil {
		s.proposal.draft.Key = key
	}
}

// entry is one field of the form.
type entry struct {
	label string
	hint  string
	name  string // in the API
	value func(d *draft.Draft) *string
}

// entries are the fields before the lines.
var entries = []entry{
	{"Recipient name", "", "recipient_name", func(d *draft.Draft) *string { return &d.RecipientName }},
	{"Recipient e-mail", "", "recipient_email", func(d *draft.Draft) *string { return &d.RecipientEmail }},
	{"Description", "what the invoice is for", "description", func(d *draft.Draft) *string { return &d.Description }},
	{"Due date", "such as 2026-12-31, 31 Dec or net 30; optional", "due_date", func(d *draft.Draft) *string { return &d.DueDate }},
	{"Internal notes", "optional", "notes", func(d *draft.Draft) *string { return &d.Notes }},
}

// cells are the fields of a line.
const cells = len(proposal.CellNames)

// at returns the field at a place: those before the lines, then three a line.
func (p *openProposal) at(place int) entry {
	if place < len(entries) {
		return entries[place]
	}
	i, cell := (place-len(entries))/cells, (place-len(entries))%cells
	e := [cells]entry{
		{"description", "item or service", "", func(d *draft.Draft) *string { return &d.Lines[i].Description }},
		{"quantity", "such as 1 or 12.5", "", func(d *draft.Draft) *string { return &d.Lines[i].Quantity }},
		{"unit price", "in dollars, such as 1,200.50 or 1.5k", "", func(d *draft.Draft) *string { return &d.Lines[i].UnitPrice }},
	}[cell]
	e.label, e.name = "Line "+strconv.Itoa(i+1)+" "+e.label, proposal.CellName(i, cell)
	return e
}

// places is how many fields there are.
func (p *openProposal) places() int { return len(entries) + cells*len(p.draft.Lines) }

// field asks for one value: "" typed keeps what is there. The answer is text, or one
// of the words back and cancel.
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

// fill asks for the fields from a place on, and after the last line whether there is
// another. It reports false when it was left.
func (s *session) fill(place int) (ahead bool, err error) {
	p := &s.proposal
	for {
		if place == p.places() {
			more := len(p.draft.Lines) == 0
			if !more {
				if more, err = s.another(); err != nil {
					return false, err
				}
			}
			if !more || len(p.draft.Lines) == apiclient.MaxLineItems {
				return true, nil
			}
			p.draft.Lines = append(p.draft.Lines, draft.Line{})
		}
		step, err := s.fillOne(place)
		if err != nil {
			return false, err
		}
		switch {
		case step == left:
			s.sayLeft()
			return false, nil
		case step == backward && place == 0:
			s.say("This is the first field. Type cancel to leave.")
		case step == backward:
			place--
		default:
			place++
		}
	}
}

// another asks whether there is one more line.
func (s *session) another() (bool, error) {
	for {
		n := len(s.proposal.draft.Lines)
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

// step is where a field leads to.
type step int

const (
	forward step = iota
	backward
	left
)

// fillOne asks for a field until it is sound or left. It is judged when it is typed.
func (s *session) fillOne(place int) (step, error) {
	p := &s.proposal
	e := p.at(place)
	value := e.value(&p.draft)
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
		s.understand(e, value)
		if wrong := s.wrong(place); wrong != "" {
			s.say("%s: %s", upperFirst(e.label), sentence(wrong))
			// What was there stays, unless that is what is wrong: it would be offered for ever.
			if *value = before; before == text {
				*value = ""
			}
			continue
		}
		if err := s.keep(); err != nil {
			s.say("Draft not saved: %s", sentence(err.Error()))
		}
		if cents, ok := p.lineAmount(place); ok {
			s.say("Line total: %s.", usd(cents))
		}
		return forward, nil
	}
}

// understand writes out what was typed in words, and says it: net 30 is the same day
// tomorrow.
func (s *session) understand(e entry, value *string) {
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

// lineAmount is what a line comes to, once its last field is there.
func (p *openProposal) lineAmount(place int) (int64, bool) {
	if place < len(entries) || (place-len(entries))%cells != cells-1 {
		return 0, false
	}
	return proposal.LineAmount(p.draft.Lines[(place-len(entries))/cells])
}

// wrong is what the rules say of one field; "" for a sound one.
func (s *session) wrong(place int) string {
	_, found := proposal.Read(s.proposal.draft, s.today())
	return found[s.proposal.at(place).name]
}
