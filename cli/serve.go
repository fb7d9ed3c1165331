package cli

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"tarmac/service"
)

// defaultDatabase is the file that serve and admin use when none is named: both
// must mean the same one.
const defaultDatabase = "tarmac.db"

// defaultRate is how many requests a minute a token may make.
const defaultRate = 300

type serveFlags struct {
	addr, database  string
	tlsCert, tlsKey string
	rate            int
}

func newServe(s Surroundings) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API",
		Long: "serve answers the Organization Finance Client API from a SQLite file, which it creates and brings up to date as needed.\n" +
			"Organizations and tokens are made with `tarmac admin` on the same file, also while it is being served.",
		Example: "tarmac serve --db tarmac.db --addr 127.0.0.1:8080",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), s, f) },
	}
	cmd.Flags().StringVar(&f.addr, "addr", "127.0.0.1:8080", "the address to listen on")
	cmd.Flags().StringVar(&f.database, "db", defaultDatabase, "the SQLite file")
	cmd.Flags().StringVar(&f.tlsCert, "tls-cert", "", "a PEM file with the certificate and its chain")
	cmd.Flags().StringVar(&f.tlsKey, "tls-key", "", "a PEM file with the certificate's key")
	cmd.Flags().IntVar(&f.rate, "rate", defaultRate, "requests a minute for each token; 0 for no limit")
	return cmd
}

func runServe(ctx context.Context, s Surroundings, f serveFlags) error {
	if f.rate < 0 {
		return usagef("--rate must be 0 or more")
	}
	tlsConfig, err := loadTLS(f.tlsCert, f.tlsKey)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewJSONHandler(s.Stderr, &slog.HandlerOptions{ReplaceAttr: inUTC}))
	svc, err := service.Open(ctx, service.Config{
		Database: f.database, RatePerMinute: f.rate, Logger: logger, Now: s.Now, Entropy: rand.Reader,
		Contract: s.Contract, Version: version(),
	})
	if err != nil {
		return err
	}
	defer svc.Close()
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", f.addr, err)
	}
	if tlsConfig == nil && !isLoopback(listener.Addr()) {
		logger.Warn("serving without TLS beyond this machine: tokens cross the network in the clear", "addr", listener.Addr().String())
	}
	logger.Info("serving", "addr", listener.Addr().String(), "tls", tlsConfig != nil, "db", f.database, "version", version())
	return svc.Serve(ctx, listener, tlsConfig)
}

// inUTC writes a log's times in UTC, as the API does: two logs of two machines
// are read side by side.
func inUTC(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}

func loadTLS(cert, key string) (*tls.Config, error) {
	switch {
	case cert == "" && key == "":
		return nil, nil
	case cert == "" || key == "":
		return nil, usagef("--tls-cert and --tls-key go together")
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("cannot read the TLS certificate and key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
