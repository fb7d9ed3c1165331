package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/cli/doctor"
	"tarmac/service"
	"tarmac/service/store"
)

func newDoctor(env command.Env) *cobra.Command {
	return doctor.New(env, version(), ownBooks{env}, func(cmd *cobra.Command) func() (doctor.Flags, error) {
		var f clientFlags
		f.register(cmd)
		return func() (doctor.Flags, error) {
			return doctor.Flags{Flags: f.Flags, Timeout: f.timeout, NoColor: f.noColor}, f.check()
		}
	})
}

// Files implements doctor.OwnBooks.
func (o ownBooks) Files(path string) []string {
	files := make([]string, len(sqliteEndings))
	for i, ending := range sqliteEndings {
		files[i] = path + ending
	}
	return files
}

// Inspect implements doctor.OwnBooks.
func (o ownBooks) Inspect(ctx context.Context, path string, do func(*service.Service) error) error {
	return o.open(ctx, path, openOptions{}, do)
}

// Company implements doctor.OwnBooks.
func (o ownBooks) Company(ctx context.Context, svc *service.Service, path string) (store.Organization, error) {
	return companyIn(ctx, svc, path)
}
