package simplefin

import (
	"maps"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// maxText is the largest length of a text of the server in a notice, in runes. maxNotices is the
// largest number of notices.
const (
	maxText    = 300
	maxNotices = 20
)

// problems are the errors that the server reports in an answer.
type problems struct {
	access access
	set    *accountSet
	// notices are the errors in words for the user, each once.
	notices []string
	// byAccount and byConnection are the errors of one account or login, by its id. general is an
	// error of accounts or logins that does not say of which.
	byAccount, byConnection map[string]string
	general                 string
	signIn                  []string // banks at which a person has to sign in again
}

// collectProblems sorts the errors in an answer by what they are about.
func (p *provider) collectProblems(set *accountSet) *problems {
	found := &problems{
		access: p.access, set: set, byAccount: map[string]string{}, byConnection: map[string]string{},
	}
	for _, e := range set.Problems {
		found.add(e)
	}
	for _, text := range set.Errors {
		found.addText(text)
	}
	return found
}

// add takes an error of version 2. Errors of the request (gen.) are only shown; errors of accounts
// (act.) and logins (con.) make statements incomplete.
func (p *problems) add(e problem) {
	text := p.clean(e.Text)
	if text == "" {
		text = p.clean(e.Message)
	}
	if text == "" {
		text = "an error without a text"
	}
	if e.Code == needsLogin {
		text = p.addSignIn(e) + text
	} else {
		text = p.nameOf(e) + text
	}
	p.addNotice(text)
	scope, _, _ := strings.Cut(e.Code, ".")
	switch {
	case scope != "act" && scope != "con":
	case e.Account != "":
		p.byAccount[e.Account] = text
	case e.Connection != "":
		p.byConnection[e.Connection] = text
	default:
		p.general = text
	}
}

// needsLogin is the code of the error that a person has to sign in at a bank again.
const needsLogin = "con.auth"

// addSignIn adds the bank of an error to those at which a person has to sign in, and returns that
// as the beginning of a sentence.
func (p *problems) addSignIn(e problem) string {
	name := "a bank"
	for _, c := range p.set.Connections {
		if c.ID == e.Connection && e.Connection != "" && p.clean(c.Name) != "" {
			name = p.clean(c.Name)
		}
	}
	if !slices.Contains(p.signIn, name) {
		p.signIn = append(p.signIn, name)
	}
	return name + " needs you to sign in again: "
}

// addText takes an error of version 1, which is only a text. It is about a bank if it names it.
func (p *problems) addText(text string) {
	text = p.clean(text)
	if text == "" {
		return
	}
	p.addNotice(text)
	lower := strings.ToLower(text)
	for _, a := range *p.set.Accounts {
		for _, name := range []string{a.Organization.Name, a.Organization.Domain} {
			if name != "" && strings.Contains(lower, strings.ToLower(name)) {
				p.byConnection[a.connectionID()] = text
			}
		}
	}
}

// nameOf returns the name of the account or login that an error is about, and a colon. It is "" if
// the error is about neither, or names it itself.
func (p *problems) nameOf(e problem) string {
	name := ""
	for _, c := range p.set.Connections {
		if c.ID == e.Connection && e.Connection != "" {
			name = p.clean(c.Name)
		}
	}
	for _, a := range *p.set.Accounts {
		if a.ID == e.Account && (e.Connection == "" || e.Connection == a.Connection) {
			name = p.clean(a.Name)
		}
	}
	if name == "" || strings.Contains(e.Text, name) {
		return ""
	}
	return name + ": "
}

// addNotice adds a notice once.
func (p *problems) addNotice(text string) {
	if text = title + " says: " + text; len(p.notices) < maxNotices && !slices.Contains(p.notices, text) {
		p.notices = append(p.notices, text)
	}
}

// of returns the error because of which an account's statement is incomplete, or "".
func (p *problems) of(a *account) string {
	for _, text := range []string{p.byAccount[a.ID], p.byConnection[a.connectionID()], p.general} {
		if text != "" {
			return text
		}
	}
	return ""
}

// ofAbsent returns the error because of which an account may be missing in the answer, or "". If
// the account's key does not say at which bank it is, that is the errors of all banks.
func (p *problems) ofAbsent(id string) string {
	for _, account := range slices.Sorted(maps.Keys(p.byAccount)) {
		if id == account || strings.HasSuffix(id, "/"+account) {
			return p.byAccount[account]
		}
	}
	for connection, text := range p.byConnection {
		if strings.HasPrefix(id, connection+"/") {
			return text
		}
	}
	if hasConnection(id) || len(p.byConnection) == 0 {
		return p.general
	}
	texts := slices.Compact(slices.Sorted(maps.Values(p.byConnection)))
	return strings.Join(texts[:min(len(texts), maxNotices)], "; ")
}

// clean returns a text of the server for a notice, without the credentials.
func (p *problems) clean(text string) string {
	runes := []rune(p.access.hide.Replace(bank.Text(text)))
	if len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return string(runes)
}
