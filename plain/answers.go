package plain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/answer"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/theme"
)

// answerPage shows the answer to a question. Its rows have numbers, which the command open takes.
type answerPage struct {
	title   string
	ask     answer.Question
	hint    string // what can be typed next; may be ""
	doc     cached[*answer.Doc]
	rows    []answer.Row // rows with numbers
	printed int          // how many of them are printed
}

func (p *answerPage) name() string { return p.title }

func (p *answerPage) commands(*session) []command {
	return []command{
		{"next", "", "more rows", p.next},
		{"open", "NUMBER", "what is behind a row, by list number", p.open},
	}
}

// show asks the question and prints the answer. If that fails, it prints the last answer again.
func (p *answerPage) show(s *session) error {
	d, err := p.ask(s.ctx, s.source())
	input := new(answer.InputError)
	switch {
	case errors.Is(err, errEnd):
		return err
	case d != nil:
		p.doc = cached[*answer.Doc]{d, s.Now()}
		if err != nil && !slices.ContainsFunc(d.Sections, func(part answer.Section) bool { return part.Err != nil }) {
			s.sayAll(problem.Sentence(err.Error()))
		}
	case errors.As(err, &input):
		return s.answer("%s: %s", upperFirst(p.title), problem.Sentence(input.Text))
	default:
		s.say("%s: %s", upperFirst(p.title), errorInWords(err))
		// The token may no longer read the answer, so the old one isn't shown either.
		if errors.Is(err, apiclient.ErrForbidden) || errors.Is(err, apiclient.ErrUnauthorized) {
			p.doc = cached[*answer.Doc]{}
		}
		if !p.doc.known() {
			return nil
		}
		s.say("Stale: last updated %s ago.", spanInWords(s.Now().Sub(p.doc.at)))
	}
	p.rows, p.printed = nil, 0
	p.sayDoc(s, p.doc.value)
	if p.hint != "" {
		s.say("%s", p.hint)
	}
	return nil
}

// sayDoc prints an answer: its sums, what is missing in them, and then its sections.
func (p *answerPage) sayDoc(s *session, d *answer.Doc) {
	switch {
	case d.Title != "":
		s.sayAll(d.Title)
	case p.title != "overview": // overview prints a title of its own
		s.say("%s.", s.title())
	}
	if d.IsEmpty() {
		s.sayAll(d.Table.Empty)
	} else {
		s.sayAll(d.Summary...)
	}
	s.sayAll(d.Notes...)
	if d.Unreadable != nil {
		s.sayAll(problem.Sentence(d.Unreadable.Error()))
	}
	for i := range d.Sections {
		p.sayPart(s, &d.Sections[i], d.Table)
	}
}

func (p *answerPage) sayPart(s *session, part *answer.Section, rows *answer.Table) {
	if part.Err != nil {
		s.say("%s: %s", part.Title, errorInWords(part.Err))
		return
	}
	if !s.masked {
		for _, reason := range part.Reasons {
			s.saySentence(reason.Text)
		}
	}
	s.sayFacts(part.Figures)
	if t := part.Table; t != nil {
		title := part.Title + t.Title
		switch {
		case len(t.Rows) == 0 && t != rows && t.Empty != "":
			s.say("%s", problem.Sentence(strings.TrimPrefix(title+": "+t.Empty, ": ")))
		case len(t.Rows) > 0 && title != "":
			s.say("%s:", title)
		}
		if isNumbered(t) {
			p.rows, p.printed = t.Rows, 0
			_ = p.next(s, "") // it cannot fail
		} else {
			for i := range t.Rows {
				s.say("  %s.", strings.Replace(s.rowInWords(&t.Rows[i]), ", ", ": ", 1))
			}
		}
		s.sayAll(t.Excluded)
	}
	if !s.masked {
		s.sayAll(part.Revealing...)
	}
	s.sayAll(part.Text...)
}

// isNumbered reports whether the rows of a table can be opened.
func isNumbered(t *answer.Table) bool {
	return slices.ContainsFunc(t.Rows, func(r answer.Row) bool {
		switch r.Record.(type) {
		case apiclient.Transaction, apiclient.OverdueCustomer:
			return true
		}
		return r.Open != nil
	})
}

// rowsAtOnce is the number of rows that are printed at once.
const rowsAtOnce = 20

func (p *answerPage) next(s *session, _ string) error {
	if p.printed > 0 && p.printed == len(p.rows) {
		return s.answer("End of list.")
	}
	end := min(len(p.rows), p.printed+rowsAtOnce)
	sayNumbered(s, p.printed+1, p.rows[p.printed:end], s.rowInWords)
	if p.printed = end; end < len(p.rows) {
		return s.answer("%s of %s. Type next for more.", money.Count(int64(end)), money.Count(int64(len(p.rows))))
	}
	return nil
}

func (p *answerPage) open(s *session, args string) error {
	i, ok := s.pick(args, len(p.rows))
	if !ok {
		return nil
	}
	switch row := &p.rows[i]; of := row.Record.(type) {
	case apiclient.Transaction:
		return s.open(&transactionPage{of})
	case apiclient.OverdueCustomer:
		overdue := row.Get("overdue_cents")
		owed, _ := overdue.Total()
		return s.openInvoices(apiclient.InvoiceOverdue, of.Name, owed)
	default:
		return s.open(&answerPage{title: "details", ask: row.Open})
	}
}

// rowInWords says a row: the name first, then what its fields say.
func (s *session) rowInWords(row *answer.Row) string {
	switch of := row.Record.(type) {
	case apiclient.Transaction:
		return transactionLine(&of)
	case apiclient.Event:
		return eventLine(&of)
	case collections.Customer:
		if of.Name == "" && of.Email == "" {
			return "no name, " + s.lineInWords(row.Object)
		}
	}
	return s.lineInWords(row.Object)
}

// lineInWords returns the fields of a record in one line, without unknown values other than
// amounts.
func (s *session) lineInWords(o record.Object) string {
	var said []string
	for i := range o {
		f := &o[i]
		isAmount := f.Kind == record.KindAmount
		if f.Phrase == record.NoPhrase || f.Reveals && s.masked || !f.Column.InTable && f.Phrase == "" ||
			!isAmount && f.Detail() == "" && (f.Phrase == "" || strings.Contains(f.Phrase, "%s")) {
			continue
		}
		value := cmp.Or(f.Text(), f.Detail())
		switch {
		case f.Kind != record.KindDate && f.Kind != record.KindDecimal && (!isAmount || f.Phrase == ""):
			value = s.value(f)
		case isAmount:
			value = markedInWords(strings.TrimPrefix(value, record.Sign(f.Direction)), f.Mark())
		}
		switch {
		case value == "" || value == money.Dash:
			value = unknown
		case f.Phrase == "" && f.Kind != record.KindText:
			value = lowerFirst(f.Label) + " " + value
		}
		if f.Kind == record.KindDecimal {
			value = cmp.Or(f.Detail(), value)
		}
		if f.Phrase != "" {
			value = strings.Replace(f.Phrase, "%s", value, 1)
		}
		said = append(said, sentenceInWords(" " + value)[1:])
	}
	return strings.Join(said, ", ")
}

// sayFacts prints figures, each on a line with its label and its meaning, and then why some of them
// are unknown or incomplete. A nested record is one line.
func (s *session) sayFacts(o record.Object) {
	var reasons []string
	for i := range o {
		f := &o[i]
		if nested, is := f.Object(); is && f.Phrase != record.NoPhrase {
			text, why := s.factsInWords(nested)
			s.sayAll(strings.Replace(f.Phrase, "%s", text, 1))
			reasons = append(reasons, why...)
		} else if text, why, ok := s.factInWords(f); ok {
			if f.Meaning != "" {
				text += ", " + f.Meaning
			}
			s.say("%s.", strings.TrimSuffix(text, "."))
			reasons = append(reasons, why)
		}
	}
	said := map[string]bool{"": true}
	for _, why := range reasons {
		if !said[why] {
			said[why] = true
			s.sayAll(why)
		}
	}
}

// factsInWords returns figures in one line, and their reasons.
func (s *session) factsInWords(o record.Object) (line string, reasons []string) {
	var parts []string
	for i := range o {
		if text, why, ok := s.factInWords(&o[i]); ok {
			parts = append(parts, lowerFirst(strings.Replace(text, ": ", " ", 1)))
			reasons = append(reasons, why)
			if o[i].Meaning != "" {
				reasons = append(reasons, o[i].Label+" is "+o[i].Meaning+".")
			}
		}
	}
	return strings.Join(parts, ", "), reasons
}

// factInWords returns a figure with its label and its meaning, and why it is unknown or incomplete.
// It returns false if the field isn't for people.
func (s *session) factInWords(f *record.Field) (text, why string, ok bool) {
	_, isList := f.Objects()
	isFixed := f.Label == "" && f.Phrase != ""
	isBlank := f.Label == "" || f.TextOrDash() == money.Dash && f.Why() == ""
	if isList || f.Phrase == record.NoPhrase || isBlank && !isFixed && !f.Reveals {
		return "", "", false
	}
	if isFixed {
		return f.Phrase, "", true
	}
	label, form, found := strings.Cut(f.Phrase, ": ")
	if !found { // it is how a row says the figure
		label, form = f.Label, "%s"
	}
	text = s.value(f)
	switch {
	case f.Reveals && s.masked:
		text = hidden
	case f.Kind != record.KindAmount && f.Known() && f.Mark() != figures.NoMark:
		text = strings.TrimPrefix(f.Text(), f.Mark().Sign())
		text = markedInWords(strings.Replace(form, "%s", text, 1), f.Mark())
	case text != unknown: // an unknown value is printed without its unit
		text = strings.Replace(form, "%s", text, 1)
	}
	text = label + ": " + sentenceInWords(text)
	if f.Name == "runway_months" && f.Known() && !s.masked {
		text += s.runwayRating(f)
	}
	return text, whyInWords(f), true
}

// whyInWords returns the sentence that says why a figure is unknown or incomplete, with the names
// of what it excludes. It returns "" for a complete figure.
func whyInWords(f *record.Field) string {
	text := f.Why()
	if names := f.Names(); names != "" {
		text = strings.TrimSuffix(text, ".") + ": " + names + "."
	}
	return text
}

// runwayRating rates a runway: ", healthy (6 to 12 months)".
func (s *session) runwayRating(f *record.Field) string {
	var months, tenth int64
	_, _ = fmt.Sscanf(f.Raw(), "%d.%d", &months, &tenth)
	of := theme.Theme{Thresholds: theme.Thresholds(s.Runway)}
	return ", " + of.RunwayWord(10*months+tenth) + " (" + of.RunwayRule(10*months+tenth) + ")"
}

// sayAll prints sentences with words for their signs and marks.
func (s *session) sayAll(sentences ...string) {
	for _, text := range sentences {
		if text != "" {
			s.say("%s", sentenceInWords(text))
		}
	}
}

// saySentence prints a sentence that may begin with a sign or a mark.
func (s *session) saySentence(text string) { s.say("%s", upperFirst(sentenceInWords(" " + text)[1:])) }
