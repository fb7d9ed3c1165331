package mt940

import (
	"regexp"
	"strings"

	"tarmac/service/statements/bank"
)

// entry is the statement line that is being read, with the fields that belong to it.
type entry struct {
	line  bank.Line
	texts []field
	extra []string // further lines of the :61: field
	code  string   // transaction type, such as NTRF
	raw   strings.Builder
}

// entryParts has the parts of a :61: field. The optional funds code, which is the third letter of
// the currency, is dropped: it would make RCR and DD212,39 ambiguous.
type entryParts struct {
	value, entry string // value date and entry date; the second may be ""
	// direction is C (credit) or D (debit). R before it means a reversal, and E an expected entry.
	direction  string
	amount     string
	code       string // transaction type; may be ""
	references string
}

// splitEntry splits the first line of a :61: field into its parts. It returns false if it does not
// have the required form.
func splitEntry(text string) (parts entryParts, ok bool) {
	next := func(length int, allowed string) string {
		size := 0
		for size < min(length, len(text)) && strings.IndexByte(allowed, text[size]) >= 0 {
			size++
		}
		found := text[:size]
		text = text[size:]
		return found
	}
	const digits, capitals = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	parts.value, parts.entry = next(6, digits), next(4, digits)
	next(len(text), " ")
	parts.direction = next(1, "RE") + next(1, "CD")
	next(1, capitals)
	next(len(text), " ")
	parts.amount = next(len(text), digits+".")
	if parts.amount != "" {
		parts.amount += next(1, ",") + next(len(text), digits)
	}
	next(len(text), " ")
	if len(text) >= 4 && strings.Contains(capitals, text[:1]) && strings.Trim(text[1:4], capitals+digits+" ") == "" {
		parts.code, text = text[:4], text[4:]
	}
	parts.references = text
	ok = len(parts.value) == 6 && (len(parts.entry) == 4 || parts.entry == "") && parts.amount != "" &&
		parts.amount[0] != '.' && strings.ContainsAny(parts.direction, "CD")
	return parts, ok
}

// beginEntry reads a :61: field. The parameter last is true if the file ends with it.
func (r *reader) beginEntry(f field, last bool) error {
	r.ensure(f)
	parts, ok := splitEntry(f.first())
	if !ok {
		return bank.Errorf(f.line, "%q is not a line of a statement", bank.Short(f.first()))
	}
	if parts.code == "" && last {
		return bank.Errorf(f.line, "the file ends within a line: it is cut short")
	}
	if err := r.announce(); err != nil {
		return err
	}
	s := r.statement
	line := bank.Line{Place: f.line, Pending: parts.direction[0] == 'E'}
	if err := s.setDates(&line, parts.value, parts.entry); err != nil {
		return err
	}
	minor, err := parseAmount(parts.amount, s.Currency, f.line)
	if err != nil {
		return err
	}
	switch parts.direction {
	case "D", "RC", "ED":
		minor = -minor
	}
	line.Minor = minor
	s.count(&line, parts.direction)
	e := &entry{line: line, code: strings.TrimSpace(parts.code)}
	e.setReferences(parts.references)
	for i, text := range f.lines {
		if strings.TrimSpace(text) != "" && strings.TrimSpace(text) != f.first() {
			e.extra = f.lines[i:]
			break
		}
	}
	e.raw.WriteString(f.raw())
	r.entry = e
	return nil
}

// setDates sets the value date and the booking date. Without an entry date, the booking date is the
// value date.
func (s *statement) setDates(line *bank.Line, value, entry string) error {
	day, err := parseDate(value, line.Place)
	if err != nil {
		return err
	}
	booked := day
	if entry != "" {
		if booked, err = entryDate(entry, day.Date, line.Place); err != nil {
			return err
		}
	}
	if day.moved || booked.moved {
		s.february.Add(line.Place)
	}
	line.Value, line.Booked = day.Date, booked.Date
	return nil
}

// count updates the first and last booking date and the sums that are compared with the bank's
// totals.
func (s *statement) count(line *bank.Line, direction string) {
	if line.Pending {
		return
	}
	if s.firstLine.IsZero() || line.Booked.Before(s.firstLine) {
		s.firstLine = line.Booked
	}
	if line.Booked.After(s.lastLine) {
		s.lastLine = line.Booked
	}
	s.reversals = s.reversals || direction[0] == 'R'
	if line.Minor < 0 {
		s.debits.count++
		s.debits.minor -= line.Minor
	} else {
		s.credits.count++
		s.credits.minor += line.Minor
	}
}

// nameAfterAccount matches a reference that consists of the other party's account number and, after
// several blanks, its name.
var nameAfterAccount = regexp.MustCompile(`^([A-Z0-9]{4,16}) {2,}(\S.*)$`)

// setReferences reads the account owner's reference and, after //, the bank's.
func (e *entry) setReferences(text string) {
	own, banks, _ := strings.Cut(text, "//")
	e.line.ID = unlessNone(banks)
	if parts := nameAfterAccount.FindStringSubmatch(own); parts != nil {
		e.line.OtherAccount, e.line.Counterparty = unlessNone(parts[1]), bank.Text(parts[2])
		return
	}
	e.line.Reference = unlessNone(own)
}

// unlessNone returns a reference, or "" for a word such as NONREF that stands for no reference.
func unlessNone(text string) string {
	text = bank.Text(text)
	if len(text) == 1 {
		return ""
	}
	switch strings.ToUpper(text) {
	case "NONREF", "NON", "NONE", "NOTPROVIDED", "NOT PROVIDED", "KREF+":
		return ""
	}
	return text
}

// add adds a :86: or :NS: field to the entry.
func (e *entry) add(f field) {
	if e.raw.Len() < bank.MaxRaw {
		e.texts = append(e.texts, f)
		e.raw.WriteString("\n" + f.raw())
	}
}

// endEntry passes the current entry to the sink. It does nothing if there is none.
func (r *reader) endEntry() error {
	e := r.entry
	r.entry = nil
	if e == nil {
		return nil
	}
	raw := e.raw.String()
	raw = strings.ReplaceAll(strings.ToValidUTF8(raw[:min(len(raw), bank.MaxRaw)], ""), "\x00", "")
	e.line.Raw = raw
	e.describe()
	return r.sink.Line(&r.statement.Statement, e.line)
}

// describe sets the counterparty, the description and other texts of the line.
func (e *entry) describe() {
	var d details
	for _, f := range e.texts {
		if f.tag == "NS" {
			d.addSubfields(f.lines)
		} else {
			d.add(f.lines)
		}
	}
	line := &e.line
	line.Counterparty = bank.Text(firstOf(d.name, line.Counterparty))
	line.OtherAccount = bank.Text(firstOf(d.account, line.OtherAccount))
	line.Reference = bank.Text(firstOf(d.reference, line.Reference))
	line.Method = bank.Text(firstOf(d.method, e.code))
	line.Transfer = d.code == "833" // cash management, in the transaction codes of German banks
	texts := d.texts
	for _, text := range e.extra {
		if isSlashed(text) {
			line.Original = original(text, line.Minor)
		} else {
			texts = append(texts, text)
		}
	}
	line.Description = bank.Text(strings.Join(texts, " "))
}

// originalForm matches the amount in the currency of the payment (/OCMT/) and, if there is one, the
// exchange rate (/EXCH/).
var originalForm = regexp.MustCompile(`/OCMT/([A-Z]{3})(\d[\d.]*(?:,\d*)?)/(?:.*?/EXCH/(\d+,?\d*)/)?`)

// original returns the amount in the currency of the payment. It returns nil if the text has none.
func original(text string, minor int64) *bank.Original {
	parts := originalForm.FindStringSubmatch(text + "/")
	if parts == nil || !bank.IsCurrency(parts[1]) {
		return nil
	}
	amount, err := parseAmount(parts[2], parts[1], 0)
	if err != nil {
		return nil
	}
	if minor < 0 {
		amount = -amount
	}
	return &bank.Original{Currency: parts[1], Minor: amount, Rate: strings.Replace(parts[3], ",", ".", 1)}
}
