package mt940

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// details are what the texts of a line say.
type details struct {
	code      string // of a transaction, in the German list
	method    string
	name      string
	account   string
	reference string
	text      string
}

// add reads a :86: field, which has one of three forms, and adds it to those before it.
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
	case slashes.MatchString(joined):
		d.addSlashed(joinWrapped(lines, 0))
	default:
		d.addText(joined)
	}
}

func (d *details) addText(text string) {
	d.text = strings.TrimSpace(d.text + " " + strings.TrimSpace(text))
}

// lineWidth is the most characters of a line. A full line goes on in the next without a blank.
const lineWidth = 65

// joinWrapped joins lines that were cut at their width. A line that lacks characters has lost a
// blank at its end, unless it lacks more than the reader of its form expects: it has at least
// shortest characters.
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

// joinTexts joins the lines of a text with blanks.
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

// codedSeparator returns the separator of the German form, or "" for other text. The form is a
// code of three digits, and then subfields, each a separator, which is any sign, and two digits.
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

// width is the most characters of a subfield. Fuller texts go on in the next without a blank.
const width = 27

// addCoded reads the subfields of the German form.
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

// subfields splits a text at a separator that two digits of a known subfield follow.
func subfields(text, separator string) []string {
	var parts []string
	for i, part := range strings.Split(text, separator) {
		known := len(part) >= 2 && isDigits(part[:2]) && part[0] != '4' && part[0] != '5' && part[0] < '8'
		switch {
		case known:
			parts = append(parts, part)
		case i > 0 && len(parts) > 0:
			parts[len(parts)-1] += separator + part
		}
	}
	return parts
}

// joinFull joins the parts of a text, with blanks after those that are not full and before tags.
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

// tagNames are the tags inside texts of payments in euros, each before a plus. SVWZ+ is the text
// itself.
var tagNames = []string{
	"EREF", "KREF", "MREF", "CRED", "DEBT", "COAM", "OAMT", "SVWZ", "ABWA", "ABWE", "IBAN", "BIC", "PURP", "RREF", "ANAM",
}

// nextTag finds the first tag in a text. It returns where the tag begins and where its value
// does, or false.
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

// endsWord reports whether a text ends with a letter or digit.
func endsWord(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

func hasTags(text string) bool {
	_, _, ok := nextTag(text)
	return ok
}

// addTagged reads a text that may have tags.
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

// setTag takes the value of a tag.
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

// maxReference is the most characters of a reference in payments in euros.
const maxReference = 35

// splitReference splits text from the end of a reference that is longer than one can be.
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

// slashes matches the start of the form of Dutch and other banks: codes between slashes.
var slashes = regexp.MustCompile(`^/(?:` + strings.Join(slashNames, "|") + `)/`)

var slashNames = []string{
	"TRTP", "TRCD", "IBAN", "BIC", "NAME", "REMI", "EREF", "MARF", "CSID", "ORDP", "BENM", "CNTP", "RTRN", "USTD", "STRD",
	"PREF", "PURP", "ISDT", "ULTC", "ULTD", "ULTB", "SVCL", "ACCW", "INIT", "ADDR", "CDTRREFTP", "CDTRREF", "OCMT", "CHGS",
	"CHRG", "EXCH", "BUSP", "PT", "FT", "PY", "ID", "ORDR", "BENF", "OAMT",
}

// addSlashed reads codes between slashes. A value may be empty and may have slashes itself.
func (d *details) addSlashed(text string) {
	code, value := "", ""
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "/"), "/") {
		if !slices.Contains(slashNames, part) {
			value += "/" + part
			continue
		}
		d.setCode(code, strings.Trim(value, "/ "))
		code, value = part, ""
	}
	d.setCode(code, strings.Trim(value, "/ "))
}

func (d *details) setCode(code, value string) {
	switch code {
	case "TRTP":
		d.method = value
	case "NAME":
		d.name = firstOf(d.name, value)
	case "IBAN":
		d.account = firstOf(d.account, value)
	case "CNTP": // account, bank, name and town
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

// addSubfields reads the lines of an :NS: field: two digits and a text each, like the subfields
// of the German form.
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
