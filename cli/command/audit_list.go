package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tarmac/service/store"
)

// AuditList prints lines of the audit. Its JSON has all fields, its table the most important ones.
type AuditList struct {
	Env
	JSON  bool
	Since string // the flag --since: the age of the oldest line to print; "" for all lines
}

// auditPage is how many lines of the audit are read at a time.
const auditPage = 500

// auditRecord is the JSON form of a line of the audit.
type auditRecord struct {
	Time         time.Time `json:"time"`
	Organization *string   `json:"organization"`
	Actor        string    `json:"actor"`
	Way          string    `json:"way"`
	Action       string    `json:"action"`
	Target       *string   `json:"target"`
	Address      *string   `json:"address"`
	Outcome      string    `json:"outcome"`
}

// Print prints the lines of an organization, or of all if org is "", page by page.
func (l *AuditList) Print(ctx context.Context, st *store.Store, org string) error {
	var since time.Time
	if l.Since != "" {
		age, err := ParseDuration("--since", l.Since)
		if err != nil {
			return err
		}
		since = l.Now().Add(-age)
	}
	open, between, end := "[", ",", "]\n"
	if !l.JSON {
		open, between, end = auditRow("TIME", "OUTCOME", "WAY", "ACTOR", "ACTION", "TARGET"), "", ""
	}
	if _, err := fmt.Fprint(l.Stdout, open); err != nil {
		return err
	}
	for after, first := (store.AuditEntry{}), true; ; {
		page, err := st.AuditEntries(ctx, org, since, after, auditPage)
		if err != nil {
			return err
		}
		for _, e := range page {
			text, err := l.text(e)
			if err != nil {
				return err
			}
			if !first {
				text = between + text
			}
			if _, err := fmt.Fprint(l.Stdout, text); err != nil {
				return err
			}
			after, first = e, false
		}
		if len(page) < auditPage {
			break
		}
	}
	_, err := fmt.Fprint(l.Stdout, end)
	return err
}

func (l *AuditList) text(e store.AuditEntry) (string, error) {
	if l.JSON {
		line, err := json.Marshal(auditRecord{
			e.At, textOrNull(e.OrgPublicID), e.Actor, e.Way, e.Action, textOrNull(e.Target), textOrNull(e.Address), e.Outcome,
		})
		return string(line), err
	}
	return auditRow(e.At.UTC().Format("2006-01-02 15:04"), e.Outcome, e.Way, e.Actor, e.Action,
		cmp.Or(e.Target, e.OrgPublicID)), nil
}

// auditRow returns a row of the table, of at most 80 columns. Its columns have fixed widths,
// because rows are printed before all of them are known.
func auditRow(at, outcome, way, actor, action, target string) string {
	return fmt.Sprintf("%-16s  %-9s  %-5s  %-13s  %-16s  %s\n", at, outcome, way, shortened(actor, 13),
		shortened(action, 16), shortened(target, 11))
}

// shortened returns a text in at most width columns, or a dash if it is "". Of an id or a
// fingerprint it keeps the kind and the end, of other texts the beginning.
func shortened(text string, width int) string {
	letters := []rune(text)
	switch kind := strings.IndexAny(text, "_:") + 1; {
	case text == "":
		return "-"
	case len(letters) <= width:
		return text
	case kind > 0 && kind < width-4:
		return text[:kind] + "…" + string(letters[len(letters)-(width-kind-1):])
	default:
		return string(letters[:width-1]) + "…"
	}
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
