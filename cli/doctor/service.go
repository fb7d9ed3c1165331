package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"tarmac/cli/command"
	"tarmac/cli/sshd"
	"tarmac/internal/plural"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store"
	"tarmac/service/store/database"
)

// accessUnused is the time without use after which an SSH key gets a note.
const accessUnused = 90 * 24 * time.Hour

// sessionsListed is the number of an organization's newest SSH sessions that the doctor reads.
const sessionsListed = 1000

// examineService checks a database of the service and lists who has access to which organization.
func (d *doctor) examineService(ctx context.Context) {
	const check = "database"
	name := database.PublicName(d.database)
	if !database.IsPostgres(d.database) {
		if _, err := os.Stat(d.database); errors.Is(err, fs.ErrNotExist) {
			d.problem(check, name+" does not exist", "name the database of `tarmac serve` with --db")
			return
		}
		d.examineRoom(d.database)
	}
	svc, err := command.OpenService(ctx, service.Config{
		Database: d.database, Operator: true, Logger: slog.New(slog.DiscardHandler), Now: d.Now, Entropy: rand.Reader,
		Version: d.version,
	})
	if err != nil {
		d.problem(check, err.Error(), "")
		return
	}
	defer svc.Close()
	if err := d.examineAccess(ctx, svc, name); err != nil {
		d.problem(check, err.Error(), "")
	}
}

func (d *doctor) examineAccess(ctx context.Context, svc *service.Service, name string) error {
	all, err := svc.Organizations(ctx)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 && !database.IsPostgres(d.database) {
		d.note("database", name+" belongs to root", "run the service as a user of its own (docs/operating.md)")
	}
	d.ok("database", name+", "+plural.Count(len(all), "organization"))
	for _, o := range all {
		tokens, err := svc.Tokens(ctx, o.PublicID)
		if err != nil {
			return err
		}
		d.examineTokens(o, tokens)
		keys, err := svc.SSHKeys(ctx, o.PublicID)
		if err != nil {
			return err
		}
		d.examineSSHKeys(o, keys)
		sessions, err := svc.SSHSessions(ctx, o.PublicID, sessionsListed)
		if err != nil {
			return err
		}
		d.examineSSHSessions(o, sessions)
	}
	serving, killed, err := svc.SSHProcesses(ctx)
	d.examineSSHProcesses(serving, killed)
	return err
}

// sshSilence is how long a process that serves sessions may write nothing and still be well.
const sshSilence = 2 * sshd.KeepInterval

// examineSSHProcesses reports which processes serve sessions over SSH, and which were killed.
func (d *doctor) examineSSHProcesses(serving, killed []store.SSHProcess) {
	const check = "SSH server"
	for _, p := range serving {
		found := fmt.Sprintf("%s, host key %s", place(p), p.HostKey)
		if silent := d.Now().Sub(p.SeenAt); silent >= sshSilence {
			d.note(check, fmt.Sprintf("%s; silent for %s", found, plural.Count(plural.Span(silent))),
				"if it was killed, it is listed until "+p.LostAt().UTC().Format("15:04:05 UTC"))
			continue
		}
		d.ok(check, found)
	}
	for _, p := range killed {
		d.note(check, place(p)+" was killed; its sessions have ended", "start it again, or read in its log why it ended")
	}
}

// place says where a process serves sessions.
func place(p store.SSHProcess) string {
	return p.Address + " on " + cmp.Or(p.Host, "an unnamed machine")
}

// examineTokens reports how many tokens of an organization are valid, and which do not expire.
func (d *doctor) examineTokens(o store.Organization, tokens []access.Token) {
	const check = "tokens"
	now, valid := d.Now(), 0
	var lasting []string
	for _, t := range tokens {
		if !t.Valid(now) {
			continue
		}
		valid++
		if t.ExpiresAt == nil {
			lasting = append(lasting, t.PublicID)
		}
	}
	found := fmt.Sprintf("%s (%s): %s valid", o.Name, o.PublicID, plural.Count(valid, "token"))
	if len(lasting) > 0 {
		d.note(check, found+"; these do not expire: "+strings.Join(lasting, ", "),
			"replace them with tokens that expire (`tarmac admin token create --expires`)")
		return
	}
	d.ok(check, found)
}

// examineSSHKeys reports each SSH key of an organization that may be used: whose it is, what it may
// do, until when, and when it was last used.
func (d *doctor) examineSSHKeys(o store.Organization, keys []access.SSHKey) {
	const check = "SSH keys"
	now, valid := d.Now(), 0
	for _, k := range keys {
		if !k.Valid(now) {
			continue
		}
		valid++
		found := fmt.Sprintf("%s (%s): %s, %s %s, %s, %s", o.Name, o.PublicID, k.Name, k.PublicID, k.Fingerprint,
			scopesText(k.Scopes), lastUse(k, now))
		revoke := "`tarmac admin ssh-key revoke " + k.PublicID + "`"
		lastUse := k.CreatedAt
		if k.LastUsedAt != nil {
			lastUse = *k.LastUsedAt
		}
		switch {
		case now.Sub(lastUse) > accessUnused:
			d.note(check, found, "if it is not needed any more: "+revoke)
		case k.ExpiresAt == nil:
			d.note(check, found+", does not expire", revoke+", and add it again with --expires")
		default:
			d.ok(check, found+", expires "+k.ExpiresAt.UTC().Format(time.DateOnly))
		}
	}
	if valid == 0 {
		d.ok(check, fmt.Sprintf("%s (%s): none may be used", o.Name, o.PublicID))
	}
}

// scopesText says what an SSH key may do.
func scopesText(scopes []access.Scope) string {
	if slices.Equal(scopes, access.ReadScopes()) {
		return "may read everything"
	}
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return "may " + strings.Join(names, ", ")
}

func lastUse(k access.SSHKey, now time.Time) string {
	if k.LastUsedAt == nil {
		return "never used"
	}
	n, unit := plural.Span(now.Sub(*k.LastUsedAt))
	return "last used " + plural.Count(n, unit) + " ago"
}

// examineSSHSessions reports an organization's open sessions over SSH.
func (d *doctor) examineSSHSessions(o store.Organization, sessions []store.SSHSession) {
	var open []string
	for _, s := range sessions {
		if s.EndedAt == nil && !s.Lost(d.Now()) {
			open = append(open, s.KeyName+" from "+s.Remote)
		}
	}
	if len(open) > 0 {
		d.ok("SSH sessions", fmt.Sprintf("%s (%s): %s open: %s", o.Name, o.PublicID,
			plural.Count(len(open), "session"), strings.Join(open, ", ")))
	}
}
