package admin

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// auditAll makes each command below cmd a change for the audit. The store writes a line if the
// command writes anything, so that commands do nothing for it themselves.
func (a *admin) auditAll(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		a.auditAll(below)
		run := below.RunE
		if run == nil {
			continue
		}
		below.RunE = func(cmd *cobra.Command, args []string) error {
			entry := a.auditEntry(cmd, args)
			cmd.SetContext(store.WithAudit(cmd.Context(), &store.Audit{AuditEntry: entry}))
			return run(cmd, args)
		}
	}
}

// auditEntry returns the line for a command. Of its arguments it has only ids and words that the
// command offers, because others may be names or secrets.
func (a *admin) auditEntry(cmd *cobra.Command, args []string) store.AuditEntry {
	_, action, _ := strings.Cut(cmd.CommandPath(), " admin ")
	e := store.AuditEntry{At: a.Now(), Actor: a.actor(), Way: store.WayAdmin, Action: action}
	for _, arg := range args {
		switch {
		case ids.IsID(arg) && e.Target == "":
			e.Target = arg
		case slices.Contains(cmd.ValidArgs, arg):
			e.Action += " " + arg
		}
	}
	if org := cmd.Flag("org"); org != nil && ids.IsID(org.Value.String()) {
		e.OrgPublicID = org.Value.String()
	}
	return e
}

// actor returns the person and the machine of the command, as this machine says: the user who
// called sudo, or the user of the process.
func (a *admin) actor() string {
	name := a.Getenv("SUDO_USER")
	if name == "" {
		if current, err := user.Current(); err == nil {
			name = current.Username
		}
	}
	host, _ := os.Hostname()
	return termtext.Line(cmp.Or(name, "unknown") + "@" + cmp.Or(host, "unknown"))
}

// auditPage is how many lines of the audit are read at a time.
const auditPage = 500

func newAudit(a *admin) *cobra.Command {
	var org, since string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List who changed what, oldest first",
		Long: "audit lists the changes by tarmac admin, over SSH and through the API: when, who, from where, what, and " +
			"whether it was done. The outcome is attempted if the process ended in between, failed or unchanged if " +
			"nothing was changed, and partly if a part was.\n" +
			"The actor of a command is its user (the one who called sudo) and host, as that machine says; of the API and " +
			"of SSH it is the id of the token or key. There are neither secrets nor amounts. Lines are kept for 400 days.",
		Example: "tarmac admin audit --since 7d\ntarmac admin audit --org org_… --json",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var from time.Time
			if since != "" {
				age, err := command.ParseDuration("--since", since)
				if err != nil {
					return err
				}
				from = a.Now().Add(-age)
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				if org != "" {
					if _, _, err := svc.Organization(cmd.Context(), org); err != nil {
						return err
					}
				}
				return a.showAudit(cmd.Context(), svc, org, from)
			})
		},
	}
	cmd.Flags().StringVar(&org, "org", "", "only the organization with this id")
	cmd.Flags().StringVar(&since, "since", "", "only changes that are not older, such as 7d or 12h (default all)")
	return cmd
}

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

// showAudit prints the audit page by page.
func (a *admin) showAudit(ctx context.Context, svc *service.Service, org string, since time.Time) error {
	open, between, end := "[", ",", "]\n"
	if !a.json {
		open, between, end = fmt.Sprintf(auditRow, "TIME", "OUTCOME", "WAY", "ACTOR", "ORGANIZATION", "ACTION", "TARGET",
			"ADDRESS"), "", ""
	}
	if _, err := fmt.Fprint(a.Stdout, open); err != nil {
		return err
	}
	for after, first := int64(0), true; ; {
		page, err := svc.Store().AuditEntries(ctx, org, since, after, auditPage)
		if err != nil {
			return err
		}
		for _, e := range page {
			if !first {
				if _, err := fmt.Fprint(a.Stdout, between); err != nil {
					return err
				}
			}
			if err := a.showAuditEntry(e); err != nil {
				return err
			}
			after, first = e.ID, false
		}
		if len(page) < auditPage {
			break
		}
	}
	_, err := fmt.Fprint(a.Stdout, end)
	return err
}

// auditRow is the format of a row of the table. Its columns are as wide as ids and usual names,
// because the rows are printed before all of them are known.
const auditRow = "%-20s  %-9s  %-5s  %-30s  %-30s  %-20s  %-30s  %s\n"

func (a *admin) showAuditEntry(e store.AuditEntry) error {
	if a.json {
		line, err := json.Marshal(auditRecord{
			e.At, nullable(e.OrgPublicID), e.Actor, e.Way, e.Action, nullable(e.Target), nullable(e.Address), e.Outcome,
		})
		if err != nil {
			return err
		}
		_, err = a.Stdout.Write(line)
		return err
	}
	_, err := fmt.Fprintf(a.Stdout, auditRow, e.At.UTC().Format("2006-01-02T15:04:05Z"), e.Outcome, e.Way,
		textOrDash(e.Actor), textOrDash(e.OrgPublicID), textOrDash(e.Action), textOrDash(e.Target), textOrDash(e.Address))
	return err
}
