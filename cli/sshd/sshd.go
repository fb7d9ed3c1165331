// Package sshd is the command that serves the dashboard over SSH.
package sshd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"tarmac/cli/admin"
	"tarmac/cli/command"
	"tarmac/cli/serving"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store/database"
	"tarmac/sshserver"
)

type sshFlags struct {
	version        string // of the program
	addr, database string
	keyFile        string
	hostKey        string
	idle           time.Duration
	connectionRate int
	perAddress     int // connections
	sessions       int
	sessionsPerKey int
	metricsAddr    string
	drain          time.Duration
}

// shortestIdle is the shortest time for --idle, so that a session can be used at all.
const shortestIdle = time.Second

// New returns the command `tarmac ssh` of a program with a version.
func New(env command.Env, version string) *cobra.Command {
	f := sshFlags{version: version}
	cmd := &cobra.Command{
		Use:   "ssh --host-key FILE",
		Short: "Serve the dashboard over SSH",
		Long: "ssh serves the dashboard to people who connect with an SSH client, for example ssh -p 2222 " +
			"finance.example.com. They need neither tarmac nor a token. It works on the same database as `tarmac " +
			"serve`, which need not run on this machine and may be stopped meanwhile.\n" +
			"`tarmac admin ssh-key add` allows a person's public key to open an organization, read-only unless it is " +
			"given scopes that write. If a key opens several organizations, the SSH user name chooses one; otherwise " +
			"the first page does. A revoked or expired key has its sessions ended within a second.\n" +
			"Only the dashboard is served: no commands, no files, no forwarding. Drafts and filters are kept in the " +
			"database, and exports are left to tarmac on the person's own machine.\n" +
			"If the file of the host key does not exist, ssh creates it.",
		Example: "tarmac ssh --db tarmac.db --addr 127.0.0.1:2222 --host-key ssh_host_key",
		Args:    command.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runSSH(cmd.Context(), env, f) },
	}
	limits := sshserver.DefaultLimits
	cmd.Flags().StringVar(&f.addr, "addr", "127.0.0.1:2222", "address to listen on")
	admin.DatabaseFlags(cmd.Flags(), &f.database, &f.keyFile)
	cmd.Flags().StringVar(&f.hostKey, "host-key", "", "file with the server's private key, readable by you alone")
	cmd.Flags().DurationVar(&f.idle, "idle", 30*time.Minute, "time without a key press after which a session ends")
	cmd.Flags().IntVar(&f.connectionRate, "connection-rate", 60,
		"connections a minute from each address; 0 for no limit, for example behind a proxy")
	cmd.Flags().IntVar(&f.perAddress, "max-connections-per-address", limits.ConnectionsPerNetwork,
		"open connections of each address; 0 for no limit, for example behind a proxy")
	cmd.Flags().IntVar(&f.sessions, "max-sessions", limits.Sessions, "open sessions")
	cmd.Flags().IntVar(&f.sessionsPerKey, "max-sessions-per-key", limits.SessionsPerKey, "open sessions of one key")
	cmd.Flags().StringVar(&f.metricsAddr, "metrics-addr", "",
		"address for Prometheus metrics at /metrics, and for /healthz and /readyz")
	cmd.Flags().DurationVar(&f.drain, "drain", 0,
		"time for which a stopping server still serves sessions, while /readyz tells balancers to go elsewhere")
	return cmd
}

func (f sshFlags) check() error {
	switch {
	case f.hostKey == "":
		return command.Usagef("--host-key is missing: name the file with the server's private key, which is created " +
			"if it does not exist")
	case f.idle < shortestIdle:
		return command.Usagef("--idle must be %s or more", shortestIdle)
	case f.connectionRate < 0 || f.connectionRate > serving.MaxLimit:
		return command.Usagef("--connection-rate must be from 0 to %d", serving.MaxLimit)
	case f.perAddress < 0 || f.perAddress > serving.MaxLimit:
		return command.Usagef("--max-connections-per-address must be from 0 to %d", serving.MaxLimit)
	case f.sessions < 1 || f.sessions > serving.MaxLimit:
		return command.Usagef("--max-sessions must be from 1 to %d", serving.MaxLimit)
	case f.sessionsPerKey < 1 || f.sessionsPerKey > serving.MaxLimit:
		return command.Usagef("--max-sessions-per-key must be from 1 to %d", serving.MaxLimit)
	case f.drain < 0 || f.drain > serving.MaxDrain:
		return command.Usagef("--drain must be from 0s to %s", serving.MaxDrain)
	}
	return nil
}

// limits returns the limits of the server. Each session has a connection, and some more connections
// may be about to begin or to end one. A quarter of an address's connections need not have
// authenticated yet.
func (f sshFlags) limits() sshserver.Limits {
	limits := sshserver.DefaultLimits
	limits.Connections += f.sessions - limits.Sessions
	limits.Sessions, limits.SessionsPerKey = f.sessions, f.sessionsPerKey
	limits.ConnectionsPerNetwork = limits.Connections + limits.Unauthenticated
	limits.UnauthenticatedPerNetwork = limits.Unauthenticated
	if f.perAddress > 0 {
		limits.ConnectionsPerNetwork = f.perAddress
		limits.UnauthenticatedPerNetwork = min(max(f.perAddress/4, 1), limits.Unauthenticated)
	}
	return limits
}

// sshGCPercent is the GOGC value of `tarmac ssh`, whose memory grows with the number of sessions.
const sshGCPercent = 10

func runSSH(ctx context.Context, env command.Env, f sshFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	logger := slog.New(slog.NewJSONHandler(env.Stderr, &slog.HandlerOptions{ReplaceAttr: serving.InUTC}))
	name := admin.DatabaseName(env, f.database)
	if warning := admin.PasswordWarning(f.database); warning != "" {
		logger.Warn(warning)
	}
	if err := admin.CheckExists(name); err != nil {
		return err
	}
	hostKey, err := loadHostKey(f.hostKey, logger)
	if err != nil {
		return err
	}
	if env.OwnProcess && env.Getenv("GOGC") == "" {
		debug.SetGCPercent(sshGCPercent)
	}
	svc, err := command.OpenService(ctx, service.Config{
		Database: name, KeyFile: f.keyFile, RatePerMinute: serving.DefaultRate, Limits: service.DefaultLimits, Now: env.Now,
		Entropy: rand.Reader, Version: f.version, SmallCache: true,
		Logger: slog.New(warnings{logger.Handler()}), // each session makes many requests
	})
	if err != nil {
		return err
	}
	defer func() { _ = svc.Close() }()
	return serveSSH(ctx, env, f, svc, hostKey, logger)
}

// serveSSH serves sessions until ctx ends. When ctx ends, /readyz answers 503, and serveSSH
// continues to serve for f.drain, after it has told the people in open sessions.
func serveSSH(
	ctx context.Context, env command.Env, f sshFlags, svc *service.Service, hostKey ssh.Signer, logger *slog.Logger,
) error {
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", f.addr, err)
	}
	sessions := newSSHSessions(svc, f.version, env.Now, logger)
	rates := newConnectionRates(f.connectionRate)
	server, err := sshserver.New(sshserver.Config{
		HostKeys: []ssh.Signer{hostKey}, IsKnown: sessions.isKnown, Authenticate: sessions.authenticate, Run: sessions.run,
		Admit: func(network netip.Prefix, known bool) bool { return rates.allow(network, known, env.Now()) },
		Idle:  f.idle, Limits: f.limits(), Logger: logger,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if f.metricsAddr != "" {
		if err := svc.RegisterMetrics(newSSHMetrics(server)); err != nil {
			return errors.Join(err, listener.Close())
		}
		stop, err := serving.Metrics(f.metricsAddr, svc, logger)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer stop()
	}
	sessions.remember(ctx, server)
	sessions.recordStart(listener.Addr().String(), ssh.FingerprintSHA256(hostKey.PublicKey()))
	defer sessions.recordStop()
	name := database.PublicName(admin.DatabaseName(env, f.database))
	logger.Info("serving", "addr", listener.Addr().String(), "db", name, "version", f.version,
		"host_key", ssh.FingerprintSHA256(hostKey.PublicKey()))
	serving.NotifyReady(env, logger)
	began := time.Now()
	watching, stop := context.WithCancel(context.WithoutCancel(ctx)) // sessions are watched until they have ended
	var watch sync.WaitGroup
	sessions.watch(watching, &watch, server)
	served, endServing := context.WithCancel(context.WithoutCancel(ctx))
	defer endServing()
	cancelStop := context.AfterFunc(ctx, func() {
		svc.Stop()
		sessions.announceStop(f.drain)
		time.AfterFunc(f.drain, endServing)
	})
	defer cancelStop()
	err = server.Serve(served, listener)
	stop()
	watch.Wait()
	serving.LogStopped(logger, context.Cause(ctx), err, time.Since(began))
	return err
}

// connectionRates limit how often networks connect. Of IPv6 addresses, a /56 and a /48 may be one
// subscriber's, so that they are limited, too, unless somebody has logged in from the /64 before.
type connectionRates struct{ network, block, wide *access.Limiter }

func newConnectionRates(perMinute int) connectionRates {
	return connectionRates{
		access.NewLimiter(perMinute), access.NewLimiter(4 * perMinute), access.NewLimiter(16 * perMinute),
	}
}

func (r connectionRates) allow(network netip.Prefix, known bool, now time.Time) bool {
	if !r.network.Take(network.String(), now).Allowed {
		return false
	}
	if network.Addr().Is4() || known {
		return true
	}
	block, _ := network.Addr().Prefix(56) // cannot fail: the number of bits is right
	wide, _ := network.Addr().Prefix(48)
	return r.block.Take(block.String(), now).Allowed && r.wide.Take(wide.String(), now).Allowed
}

// warnings is a log handler that drops messages below the level of warnings.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
