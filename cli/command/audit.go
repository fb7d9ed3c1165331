package command

import (
	"cmp"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/internal/termtext"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// Audit makes cmd and each command below it a change for the audit. The store writes a line if the
// command writes anything, so that commands do nothing for it themselves. parent is the beginning
// of their command lines, which the audit leaves out.
func Audit(env Env, cmd *cobra.Command, way, parent string) {
	for _, below := range cmd.Commands() {
		Audit(env, below, way, parent)
	}
	run := cmd.RunE
	if run == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		action, _ := strings.CutPrefix(cmd.CommandPath(), parent+" ")
		entry := AuditEntry(env, way, action)
		identify(&entry, cmd, args)
		cmd.SetContext(store.WithAudit(cmd.Context(), &store.Audit{AuditEntry: entry}))
		return run(cmd, args)
	}
}

// AuditEntry returns the line for a change by the person who runs this program: the user who called
// sudo, or the user of the process, and the machine, as this machine says.
func AuditEntry(env Env, way, action string) store.AuditEntry {
	name := env.Getenv("SUDO_USER")
	if name == "" {
		if current, err := user.Current(); err == nil {
			name = current.Username
		}
	}
	host, _ := os.Hostname()
	actor := termtext.Line(cmp.Or(name, "unknown") + "@" + cmp.Or(host, "unknown"))
	return store.AuditEntry{At: env.Now(), Actor: actor, Way: way, Action: action}
}

// identify adds what a command changes. Of its arguments it takes only ids and words that the
// command offers, because others may be names or secrets.
func identify(e *store.AuditEntry, cmd *cobra.Command, args []string) {
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
}
