package mt940

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// details holds the parts of the texts of a statement line (fields :86: and :NS:).
type details struct {
	code      string // transaction code of German banks
	method    string
	name      string
	account   string
	reference string
	texts     []string
}

// add reads a :86: field in one of its forms and adds it to the details.
func (d *details) add(lines []string) {
	joined := strings.TrimSpace(joinWrapped(lines, lineWidth-1))
	if separator := codedSeparator(joined); separator != "" {
		d.code = joined[:3]
		d.addCoded(joined[3:], separator)
		return
	}
	joined = joinTexts(lines)
	switch {
	case hasTags(joined):
		d.addTagged(joined)
	case isSlashed(joined):
		d.addSlashed(joinWrapped(lines, 0))
	default:
		d.addText(joined)
	}
}

func (d *details) addText(text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.texts = append(d.texts, text)
	}
}

// lineWidth is the largest length of a line in characters. A text that fills a line continues on
// the next one without a blank.
const lineWidth = 65

// joinWrapped joins lines that a bank cut at lineWidth. A line with at least shortest characters,
// but fewer than lineWidth, ended with a blank that was removed; that blank is added again.
func joinWrapped(lines []string, shortest int) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line)
		if length := utf8.RuneCountInString(line); length < lineWidth && length >= shortest {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// joinTexts joins lines with blanks. It skips empty lines.
func joinTexts(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// codedSeparator returns the separator of subfields if the text has the German form, else "". In
// that form, a code of three digits comes first, then subfields. Each subfield begins with the
// separator, which is any sign, and a number of two digits.
func codedSeparator(text string) string {
	if len(text) < 6 || !isDigits(text[:3]) {
		return ""
	}
	sign, size := utf8.DecodeRuneInString(text[3:])
	word := sign == '_' || unicode.IsLetter(sign) || unicode.IsDigit(sign) || unicode.IsSpace(sign)
	if word || strings.ContainsRune(",.:/+-", sign) || len(text) < 5+size || !isDigits(text[3+size:5+size]) {
		return ""
	}
	return text[3 : 3+size]
}

// width is the largest length of a subfield in characters. A text that fills a subfield continues
// in the next one without a blank.
const width = 27

// addCoded reads the subfields of the German form. The parameter separator stands before each of
// them.
func (d *details) addCoded(text, separator string) {
	var purpose, name []string
	var branch string
	for _, part := range subfields(text, separator) {
		value := part[2:]
		switch number := part[:2]; {
		case number == "00":
			d.method = strings.TrimSpace(value)
		case number >= "20" && number <= "29", number >= "60" && number <= "69":
			purpose = append(purpose, value)
		case number == "30":
			branch = strings.TrimSpace(value)
		case number == "31":
			d.account = strings.TrimSpace(value)
		case number == "32" || number == "33":
			name = append(name, value)
		case number == "38" && strings.TrimSpace(value) != "":
			d.account = strings.TrimSpace(value)
		}
	}
	if branch != "" && isDigits(branch) && isDigits(d.account) && d.account != "" {
		d.account = branch + "/" + d.account
	}
	d.name = strings.TrimSpace(joinFull(name))
	d.addTagged(joinFull(purpose))
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// subfields splits a text at each separator that the number of a known subfield follows.
func subfields(text, separator string) []string {
	var parts []string
	start, at := -1, 0 // the subfield begins at start
	for part := range strings.SplitSeq(text, separator) {
		if len(part) >= 2 && isDigits(part[:2]) && part[0] != '4' && part[0] != '5' && part[0] < '8' {
			if start >= 0 {
				parts = append(parts, text[start:at-len(separator)])
			}
			start = at
		}
		at += len(part) + len(separator)
	}
	if start >= 0 {
		parts = append(parts, text[start:])
	}
	return parts
}

// joinFull joins the subfields of a text. It adds a blank after those that are shorter than width,
// and before tags.
func joinFull(parts []string) string {
	var b strings.Builder
	for i, part := range parts {
		if i > 0 && (utf8.RuneCountInString(parts[i-1]) < width || hasTags(part[:min(len(part), 5)])) {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// tagNames lists the tags in texts of SEPA payments, such as EREF+. The text itself follows SVWZ+.
var tagNames = []string{
	"EREF", "KREF", "MREF", "CRED", "DEBT", "COAM", "OAMT", "SVWZ", "ABWA", "ABWE", "IBAN", "BIC", "PURP", "RREF", "ANAM",
}

// nextTag finds the first tag in a text. It returns the index of the tag and the index of its
// value. It returns false if there is no tag.
func nextTag(text string) (start, value int, ok bool) {
	for from := 0; ; {
		at := strings.IndexByte(text[from:], '+')
		if at < 0 {
			return 0, 0, false
		}
		plus := from + at
		for _, name := range tagNames {
			start := plus - len(name)
			if start >= 0 && text[start:plus] == name && !endsWord(text[:start]) {
				return start, plus + 1, true
			}
		}
		from = plus + 1
	}
}

// endsWord reports whether the last character of a text is a letter or a digit.
func endsWord(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

func hasTags(text string) bool {
	_, _, ok := nextTag(text)
	return ok
}

// addTagged reads a text with or without tags.
func (d *details) addTagged(text string) {
	start, from, ok := nextTag(text)
	if !ok {
		d.addText(text)
		return
	}
	d.addText(text[:start])
	for ok {
		name := text[start : from-1]
		text = text[from:]
		value := text
		if start, from, ok = nextTag(text); ok {
			value = text[:start]
		}
		d.setTag(name, strings.TrimSpace(value))
	}
}

// setTag stores the value of a tag.
func (d *details) setTag(name, value string) {
	switch name {
	case "EREF":
		value, rest := splitReference(value)
		d.reference = firstOf(unlessNone(value), d.reference)
		d.addText(rest)
	case "KREF":
		d.reference = firstOf(d.reference, unlessNone(value))
	case "SVWZ":
		d.addText(value)
	case "ABWA", "ABWE", "ANAM":
		if d.name == "" {
			d.name = value
		} else {
			d.addText(value)
		}
	case "IBAN":
		d.account = firstOf(d.account, value)
	}
}

// maxReference is the largest length of a SEPA reference in characters.
const maxReference = 35

// splitReference cuts a value after maxReference characters. The rest is text that follows the
// reference without a blank.
func splitReference(text string) (reference, rest string) {
	if utf8.RuneCountInString(text) <= maxReference {
		return text, ""
	}
	at := strings.LastIndexByte(string([]rune(text)[:maxReference+1]), ' ')
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at+1:]
}

// isSlashed reports whether a text begins in the form of Dutch and other banks, with a code between
// slashes, such as /EREF/.
func isSlashed(text string) bool {
	after, begins := strings.CutPrefix(text, "/")
	code, _, ends := strings.Cut(after, "/")
	return begins && ends && slices.Contains(slashNames, code)
}

var slashNames = []string{
	"TRTP", "TRCD", "IBAN", "BIC", "NAME", "REMI", "EREF", "MARF", "CSID", "ORDP", "BENM", "CNTP", "RTRN", "USTD", "STRD",
	"PREF", "PURP", "ISDT", "ULTC", "ULTD", "ULTB", "SVCL", "ACCW", "INIT", "ADDR", "CDTRREFTP", "CDTRREF", "OCMT", "CHGS",
	"CHRG", "EXCH", "BUSP", "PT", "FT", "PY", "ID", "ORDR", "BENF", "OAMT",
}

// addSlashed reads a text with codes between slashes. Values may be empty and may contain slashes.
func (d *details) addSlashed(text string) {
	code, start, at := "", 0, 0 // the value begins at start
	for part := range strings.SplitSeq(text, "/") {
		if slices.Contains(slashNames, part) {
			d.setCode(code, strings.Trim(text[start:at], "/ "))
			code, start = part, at+len(part)
		}
		at += len(part) + len("/")
	}
	d.setCode(code, strings.Trim(text[start:], "/ "))
}

func (d *details) setCode(code, value string) {
	switch code {
	case "TRTP":
		d.method = value
	case "NAME":
		d.name = firstOf(d.name, value)
	case "IBAN":
		d.account = firstOf(d.account, value)
	case "CNTP": // subfields: account, bank, name and town
		parts := append(strings.Split(value, "/"), "", "", "")
		d.account, d.name = firstOf(d.account, parts[0]), firstOf(d.name, parts[2])
	case "EREF":
		d.reference = firstOf(unlessNone(value), d.reference)
	case "CDTRREF":
		d.reference = firstOf(value, d.reference)
	case "REMI", "USTD", "STRD", "PY", "OCMT", "RTRN":
		d.addText(value)
	}
}

// addSubfields reads the lines of a :NS: field. Each has a number of two digits and a text, like
// the subfields of the German form.
func (d *details) addSubfields(lines []string) {
	var purpose, name []string
	for _, line := range lines {
		if len(line) < 3 || !isDigits(line[:2]) {
			continue
		}
		value := strings.TrimSpace(line[2:])
		switch number := line[:2]; {
		case number >= "01" && number <= "14":
			purpose = append(purpose, value)
		case number == "15" || number == "16":
			name = append(name, value)
		case number == "17" && !strings.ContainsAny(value, "0123456789"):
			d.method = value
		}
	}
	d.name = firstOf(d.name, strings.Join(name, " "))
	d.addText(strings.Join(slices.Compact(purpose), " "))
}
