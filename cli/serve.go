package cli

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/admin"
	"tarmac/cli/command"
	"tarmac/cli/serving"
	"tarmac/service"
	"tarmac/service/connections"
	"tarmac/service/egress"
	"tarmac/service/store/database"
)

type serveFlags struct {
	addr, database  string
	keyFile         string
	tlsCert, tlsKey string
	rate            int
	limits          service.Limits
	metricsAddr     string
	trustedProxies  []string
	drain           time.Duration
	webhookAllow    []string
	webhookCAFile   string
	invoiceFonts    []string
}

func newServe(env command.Env) *cobra.Command {
	f := serveFlags{limits: service.DefaultLimits}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API",
		Long: "serve runs the Organization Finance Client API on an SQLite file, which it creates and migrates as " +
			"needed, or on a PostgreSQL database, which several processes can serve together with the same " +
			"--key-file.\n" +
			"Create organizations and tokens with `tarmac admin` on the same database, also while the service is " +
			"running.\n" +
			"The service also delivers webhooks and marks invoices overdue, so at least one process must be running.\n" +
			"See docs/operating.md for a complete setup with TLS, webhooks and backups.",
		Example: "tarmac serve --db tarmac.db --addr 127.0.0.1:8080\n" +
			"tarmac serve --addr :443 --tls-cert chain.pem --tls-key key.pem --metrics-addr 127.0.0.1:9090",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), env, f) },
	}
	cmd.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8080", "address to listen on")
	admin.DatabaseFlags(cmd.Flags(), &f.database, &f.keyFile)
	cmd.Flags().StringVar(&f.tlsCert, "tls-cert", "", "PEM file with the certificate and its chain")
	cmd.Flags().StringVar(&f.tlsKey, "tls-key", "", "PEM file with the certificate's key")
	cmd.Flags().IntVar(&f.rate, "rate", serving.DefaultRate, "requests per minute for each token; 0 for no limit")
	cmd.Flags().IntVar(&f.limits.FailuresPerMinute, "failure-rate", f.limits.FailuresPerMinute,
		"wrong tokens per minute from each address; 0 for no limit")
	cmd.Flags().IntVar(&f.limits.Requests, "max-requests", f.limits.Requests,
		"concurrent requests, at most a quarter of them for one organization; 0 for no limit")
	cmd.Flags().IntVar(&f.limits.Connections, "max-connections", f.limits.Connections,
		"open connections; 0 for no limit")
	cmd.Flags().IntVar(&f.limits.ConnectionsPerAddress, "max-connections-per-address", f.limits.ConnectionsPerAddress,
		"open connections from one address other than this machine; 0 for no limit")
	cmd.Flags().StringArrayVar(&f.trustedProxies, "trusted-proxy", nil,
		"network or address of a proxy whose X-Forwarded-For is believed; repeat for several")
	cmd.Flags().DurationVar(&f.drain, "drain", 0,
		"time for which a stopping service still answers, while /readyz tells balancers to go elsewhere")
	cmd.Flags().StringVar(&f.metricsAddr, "metrics-addr", "",
		"address for Prometheus metrics at /metrics, and for /healthz and /readyz")
	invoiceFontFlag(cmd.Flags(), &f.invoiceFonts)
	cmd.Flags().StringArrayVar(&f.webhookAllow, "webhook-allow", nil,
		"HOST:PORT that webhooks may reach although it is not public, for tests; repeat for several")
	cmd.Flags().StringVar(&f.webhookCAFile, "webhook-ca-file", "",
		"PEM file with extra certificate authorities for webhook receivers, for tests")
	return cmd
}

func runServe(ctx context.Context, env command.Env, f serveFlags) error {
	if f.rate < 0 {
		return command.Usagef("--rate must be 0 or more")
	}
	for _, flag := range [...]struct {
		name string
		n    int
	}{
		{"failure-rate", f.limits.FailuresPerMinute}, {"max-requests", f.limits.Requests},
		{"max-connections", f.limits.Connections}, {"max-connections-per-address", f.limits.ConnectionsPerAddress},
	} {
		if flag.n < 0 || flag.n > serving.MaxLimit {
			return command.Usagef("--%s must be from 0 to %d", flag.name, serving.MaxLimit)
		}
	}
	if f.drain < 0 || f.drain > serving.MaxDrain {
		return command.Usagef("--drain must be from 0s to %s", serving.MaxDrain)
	}
	proxies, err := connections.ParseProxies(f.trustedProxies)
	if err != nil {
		return command.Usagef("--trusted-proxy: %s", err)
	}
	tlsConfig, err := loadTLS(f.tlsCert, f.tlsKey)
	if err != nil {
		return err
	}
	authorities, err := command.Authorities("--webhook-ca-file", f.webhookCAFile)
	if err != nil {
		return err
	}
	fonts, err := loadInvoiceFonts(f.invoiceFonts)
	if err != nil {
		return err
	}
	if env.OwnProcess {
		relaxGC(env.Getenv)
	}
	logger := slog.New(slog.NewJSONHandler(env.Stderr, &slog.HandlerOptions{ReplaceAttr: serving.InUTC}))
	name := admin.DatabaseName(env, f.database)
	if warning := admin.PasswordWarning(f.database); warning != "" {
		logger.Warn(warning)
	}
	svc, err := command.OpenService(ctx, service.Config{
		Database: name, KeyFile: f.keyFile, RatePerMinute: f.rate, Limits: f.limits, Proxies: proxies, Drain: f.drain,
		Logger: logger, Now: env.Now, Entropy: rand.Reader,
		Contract: env.Contract, Version: version(), Webhooks: egress.Config{Allow: f.webhookAllow, RootCAs: authorities},
		InvoiceFonts: fonts, ReadsProviders: true,
	})
	if err != nil {
		return err
	}
	defer svc.Close()
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", f.addr, err)
	}
	if tlsConfig == nil && !serving.IsLoopback(listener.Addr()) {
		logger.Warn("serving without TLS beyond this machine: tokens cross the network unencrypted", "addr",
			listener.Addr().String())
	}
	if len(f.webhookAllow) > 0 || f.webhookCAFile != "" {
		logger.Warn("webhooks may go where customers should not reach: --webhook-allow and --webhook-ca-file are for tests",
			"allow", f.webhookAllow, "ca_file", f.webhookCAFile)
	}
	if f.metricsAddr != "" {
		stop, err := serving.Metrics(f.metricsAddr, svc, logger)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer stop()
	}
	logger.Info("serving", "addr", listener.Addr().String(), "tls", tlsConfig != nil, "db", database.PublicName(name),
		"version", version())
	serving.NotifyReady(env, logger)
	began := time.Now()
	err = svc.Serve(ctx, listener, tlsConfig)
	serving.LogStopped(logger, context.Cause(ctx), err, time.Since(began))
	return err
}

// The service has little memory in use but allocates much. With Go's default settings, it would
// collect garbage many times a second, which takes 10 to 25 % of its processor time. With these
// settings, the heap grows to five times the memory in use, but not beyond memoryLimit.
const (
	garbagePercent = 400
	memoryLimit    = 384 << 20
)

// relaxGC applies garbagePercent and memoryLimit, unless the environment sets GOGC or GOMEMLIMIT.
func relaxGC(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

func loadTLS(cert, key string) (*tls.Config, error) {
	switch {
	case cert == "" && key == "":
		return nil, nil
	case cert == "" || key == "":
		return nil, command.Usagef("--tls-cert and --tls-key go together")
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("cannot read the TLS certificate and key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}
