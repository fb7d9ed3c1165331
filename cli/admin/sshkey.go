package admin

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store"
)

func newSSHKey(a *admin) *cobra.Command {
	return command.Group("ssh-key", "SSH keys that open the dashboard of `tarmac ssh`: add, list, sessions, revoke",
		newSSHKeyAdd(a), newSSHKeyList(a), newSSHKeySessions(a), newSSHKeyRevoke(a))
}

func newSSHKeyAdd(a *admin) *cobra.Command {
	var add service.NewSSHKey
	var file, expires string
	var scopes []string
	cmd := &cobra.Command{
		Use:   "add",
		Short: "Let a person open an organization's dashboard over SSH",
		Long: "add allows the owner of a public key to open the organization's dashboard with `ssh`, where `tarmac ssh` " +
			"serves it. The key can do what its scopes allow: by default read everything and change nothing.\n" +
			"The file is the public key that ssh-keygen makes, such as id_ed25519.pub; - is standard input. Ed25519, " +
			"ECDSA and security keys are accepted, and RSA from 3072 bits. Certificates, and options such as from=, are " +
			"refused.\n" +
			"If the same public key belongs to several organizations, the SSH user name chooses one: its id, or the name " +
			"given by --user.\n" +
			"Scopes: " + strings.Join(scopeNames(), ", ") + ".",
		Example: "tarmac admin ssh-key add --org org_… --name Ada --file id_ed25519.pub --expires 90d\n" +
			"ssh ada@laptop cat .ssh/id_ed25519.pub | tarmac admin ssh-key add --org org_… --name Ada --file -",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if add.Name == "" || file == "" {
				return command.Usagef("--name and --file are required: the person's name and the file of the public key")
			}
			if len(scopes) > 0 {
				if add.Scopes, err = parseScopes(scopes); err != nil {
					return err
				}
			}
			if add.ExpiresIn, err = parseLife(expires); err != nil {
				return err
			}
			if add.PublicKey, err = a.readPublicKey(file); err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				k, err := svc.AddSSHKey(cmd.Context(), add)
				if err != nil {
					return err
				}
				return a.show(sshKeyOf(k, a.Now()), a.line("%s added for %s: %s, %s", k.PublicID, termtext.Line(k.Name),
					k.Fingerprint, sshKeyLimits(k)))
			})
		},
	}
	orgFlag(cmd, &add.OrgPublicID)
	cmd.Flags().StringVar(&add.Name, "name", "", "the person's name")
	cmd.Flags().StringVar(&file, "file", "", "file of the public key; - for standard input")
	cmd.Flags().StringVar(&add.Login, "user", "", "SSH user name that chooses this organization (default its id)")
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "scopes to grant, separated by commas (default all that only read)")
	command.Choices(cmd, "scope", access.Scopes[:]...)
	cmd.Flags().StringVar(&expires, "expires", "", "lifetime such as 90d or 12h (default until revoked)")
	return cmd
}

// maxPublicKeyFile is the largest file that readPublicKey reads, in bytes. The public key of the
// largest RSA key has less than three thousand.
const maxPublicKeyFile = 16 << 10

// readPublicKey returns the content of the named file or, for "-", of standard input.
func (a *admin) readPublicKey(name string) (content string, err error) {
	from := a.Stdin
	if name != "-" {
		if from, err = os.Open(name); err != nil {
			return "", fmt.Errorf("reading the public key: %w", err)
		}
		defer from.Close()
	}
	raw, err := io.ReadAll(io.LimitReader(from, maxPublicKeyFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("reading the public key: %w", err)
	case len(raw) > maxPublicKeyFile:
		return "", fmt.Errorf("%s is too long for a public key: give a file such as id_ed25519.pub", termtext.Line(name))
	}
	return string(raw), nil
}

// sshKeyLimits says what a key may do and until when.
func sshKeyLimits(k access.SSHKey) string {
	limits := joinScopes(k.Scopes)
	if k.ExpiresAt == nil {
		return limits + ", until it is revoked"
	}
	return limits + ", until " + formatTime(k.ExpiresAt)
}

func newSSHKeyList(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List an organization's SSH keys",
		Example: "tarmac admin ssh-key list --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				keys, err := svc.SSHKeys(cmd.Context(), org)
				if err != nil {
					return err
				}
				now := a.Now()
				return showList(a, keys, func(k access.SSHKey) sshKeyRecord { return sshKeyOf(k, now) },
					"ID\tNAME\tUSER\tSTATE\tCREATED\tEXPIRES\tLAST USED\tSCOPES\tKEY",
					func(k access.SSHKey) []string {
						return []string{k.PublicID, termtext.Line(k.Name), textOrDash(k.Login), sshKeyState(k, now),
							formatTime(&k.CreatedAt), formatTime(k.ExpiresAt), formatTime(k.LastUsedAt), joinScopes(k.Scopes),
							k.Fingerprint}
					})
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

func newSSHKeySessions(a *admin) *cobra.Command {
	var org string
	var limit int
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List who used the dashboard over SSH, newest first",
		Long: "sessions lists who opened the organization's dashboard over SSH, from where, for how long, how many " +
			"invoices they proposed, and why the session ended. A session is lost if its `tarmac ssh` was killed. " +
			"Sessions are deleted after 91 days.",
		Example: "tarmac admin ssh-key sessions --org org_…\n" +
			"tarmac admin ssh-key sessions --org org_… --limit 1000 --json",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkLimit(limit); err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				sessions, err := svc.SSHSessions(cmd.Context(), org, limit)
				if err != nil {
					return err
				}
				a.noteLimit(len(sessions), limit)
				now := a.Now()
				return showList(a, sessions, func(s store.SSHSession) sshSessionRecord { return sshSessionOf(s, now) },
					sshSessionHeader, func(s store.SSHSession) []string { return sshSessionRow(s, now) })
			})
		},
	}
	orgFlag(cmd, &org)
	limitFlag(cmd, &limit)
	return cmd
}

// sshSessionHeader and sshSessionRow define the columns of the table of sessions.
const sshSessionHeader = "BEGAN\tLASTED\tNAME\tKEY\tFROM\tCLIENT\tPROPOSED\tSTATE"

func sshSessionRow(s store.SSHSession, now time.Time) []string {
	return []string{
		formatTime(&s.BeganAt), sshSessionLength(s, now), termtext.Line(s.KeyName), s.KeyPublicID, termtext.Line(s.Remote),
		termtext.Line(s.Client), strconv.Itoa(s.Proposed), sshSessionStateText(s, now),
	}
}

func newSSHKeyRevoke(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke an SSH key immediately",
		Long: "revoke ends the key's open sessions within a second. The person's drafts and what-if scenarios are kept for " +
			"30 days. If you add the same public key again, they are there again.",
		Example: "tarmac admin ssh-key revoke ssh_…",
		Args:    oneID("SSH key", "tarmac admin ssh-key list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				if err := svc.RevokeSSHKey(cmd.Context(), args[0]); err != nil {
					return err
				}
				return a.show(revokedRecord{args[0], "revoked"}, a.line("%s revoked", args[0]))
			})
		},
	}
}

func sshKeyState(k access.SSHKey, now time.Time) string {
	return credentialState(k.RevokedAt, k.Valid(now))
}

// The states of sessions over SSH.
const (
	sessionOpen  = "open"
	sessionLost  = "lost"
	sessionEnded = "ended"
)

func sshSessionState(s store.SSHSession, now time.Time) string {
	switch {
	case s.EndedAt != nil:
		return sessionEnded
	case s.Lost(now):
		return sessionLost
	}
	return sessionOpen
}

// sshSessionStateText is sshSessionState for the table. It includes the reason for the end.
func sshSessionStateText(s store.SSHSession, now time.Time) string {
	state := sshSessionState(s, now)
	if state == sessionEnded && s.EndReason != "" {
		state += ": " + termtext.Line(s.EndReason)
	}
	return state
}

// sshSessionLength says how long a session lasted or, if it is open, has lasted. The end of a lost
// session is the time at which it was last seen.
func sshSessionLength(s store.SSHSession, now time.Time) string {
	until := s.SeenAt
	if sshSessionState(s, now) == sessionOpen {
		until = now
	}
	n, unit := plural.Span(max(0, until.Sub(s.BeganAt)))
	return plural.Count(n, unit)
}
