package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tarmac/service"
)

// admin is what people and the service itself do outside the API. It works on
// the database directly; whoever may read and write that file is the operator.
type admin struct {
	Surroundings
	database string
}

func newAdmin(s Surroundings) *cobra.Command {
	a := &admin{Surroundings: s}
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Operate the service: organizations, tokens, generated data",
		Long:  "admin works on the database that `tarmac serve` serves, also while it is being served. What it changes holds at once.",
		Args:  needsCommand,
		RunE:  needsCommand,
	}
	cmd.PersistentFlags().StringVar(&a.database, "db", defaultDatabase, "the SQLite file")
	cmd.AddCommand(newAdminOrg(a), newAdminToken(a), newAdminSeed(a))
	return cmd
}

// with opens the database that there is for one command. A name that was typed
// wrongly makes no new one.
func (a *admin) with(ctx context.Context, do func(*service.Service) error) error {
	if _, err := os.Stat(a.database); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s; `tarmac admin org create` or `tarmac serve` makes one", a.database)
	}
	return a.withNew(ctx, do)
}

// withNew opens the database for one command, and makes it when there is none.
func (a *admin) withNew(ctx context.Context, do func(*service.Service) error) error {
	svc, err := service.Open(ctx, service.Config{
		Database: a.database, Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: a.Now, Entropy: rand.Reader, Version: version(),
	})
	if err != nil {
		return err
	}
	defer svc.Close()
	return do(svc)
}

// table writes rows in columns.
func (a *admin) table(header string, rows func(w io.Writer)) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	rows(w)
	return w.Flush()
}

// moment writes a time for a table; "-" where there is none.
func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
