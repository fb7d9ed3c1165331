package admin

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store"
)

func newOrg(a *admin) *cobra.Command {
	return command.Group("org", "Organizations: create, list, show, limit, erase", newOrgCreate(a), newOrgList(a),
		newOrgShow(a), newOrgLimit(a), newOrgErase(a))
}

func newOrgCreate(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:     "create NAME",
		Short:   "Create an organization and print its id",
		Example: `tarmac admin org create "Northlight Labs"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return command.Usagef("tarmac admin org create needs one argument, the organization's name")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withNew(cmd.Context(), func(svc *service.Service) error {
				org, err := svc.CreateOrganization(cmd.Context(), strings.TrimSpace(args[0]))
				if err != nil {
					return err
				}
				return a.show(orgOf(org), a.line("%s", org.PublicID))
			})
		},
	}
}

func newOrgList(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the organizations",
		Example: "tarmac admin org list",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				orgs, err := svc.Organizations(cmd.Context())
				if err != nil {
					return err
				}
				return showList(a, orgs, orgOf, orgHeader, orgRow)
			})
		},
	}
}

func newOrgShow(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show an organization",
		Example: "tarmac admin org show org_…",
		Args:    oneID("organization", "tarmac admin org list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				org, _, err := svc.Organization(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.show(orgOf(org), func() error { return table(a, orgHeader, []store.Organization{org}, orgRow) })
			})
		},
	}
}

// maxRequestLimit is the largest limit of an organization's requests a minute.
const maxRequestLimit = 1_000_000

func newOrgLimit(a *admin) *cobra.Command {
	const flag, noLimit = "requests", "default"
	var requests string
	cmd := &cobra.Command{
		Use:   "limit ID --requests N",
		Short: "Limit the requests of an organization",
		Long: "limit sets how many requests a minute all tokens and SSH keys of the organization may make together, up to " +
			strconv.Itoa(access.MaxBurst) + " of them at once. The limit of each token (`tarmac serve --rate`) stays. " +
			"Requests beyond it are answered with 429 and Retry-After.\n" +
			"--requests " + noLimit + " takes the limit back. It takes effect at once, in all processes.",
		Example: "tarmac admin org limit org_… --requests 600",
		Args:    oneID("organization", "tarmac admin org list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			perMinute, err := strconv.Atoi(requests)
			if requests == noLimit {
				perMinute, err = 0, nil
			} else if err != nil || perMinute < 1 || perMinute > maxRequestLimit {
				return command.Usagef("--%s must be a number of requests a minute from 1 to %d, or %s", flag,
					maxRequestLimit, noLimit)
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				org, err := svc.LimitRequests(cmd.Context(), args[0], perMinute)
				if err != nil {
					return err
				}
				return a.show(orgOf(org), a.line("%s requests %s", org.PublicID, requestLimit(org)))
			})
		},
	}
	cmd.Flags().StringVar(&requests, flag, "", "requests a minute, or "+noLimit)
	return cmd
}

// requestLimit returns the limit of an organization's requests, or "-" if it has none of its own.
func requestLimit(o store.Organization) string {
	if o.RequestsPerMinute == 0 {
		return "-"
	}
	return strconv.Itoa(o.RequestsPerMinute) + "/min"
}

func newOrgErase(a *admin) *cobra.Command {
	var confirm string
	cmd := &cobra.Command{
		Use:   "erase ID --confirm ID",
		Short: "Delete everything of an organization, for ever",
		Long: "erase revokes the organization's tokens and SSH keys, stops its webhooks, and deletes its records, books, " +
			"connections and documents. Nothing brings them back but a backup. --confirm must repeat the ID.\n" +
			"It works in short transactions beside a running service. If it is interrupted, the organization is without " +
			"access and in part deleted; run it again, and it continues.\n" +
			"The ID and the lines of the audit stay, without names and amounts. Backups and copies made before still hold " +
			"the data, and the room in the file is used again, not given back.\n" +
			"To keep a copy first, use `tarmac admin copy --org ID`.",
		Example: "tarmac admin org erase org_… --confirm org_…",
		Args:    oneID("organization", "tarmac admin org list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if confirm != args[0] {
				return command.Usagef("--confirm must repeat the organization's ID: everything of it will be deleted")
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				deleted, err := svc.EraseOrganization(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.show(erasedRecord{args[0], deleted}, a.line("Erased %s: %s. Backups and copies made before still hold "+
					"its data.", args[0], plural.Count(deleted, "row")))
			})
		},
	}
	cmd.Flags().StringVar(&confirm, "confirm", "", "the same ID again")
	return cmd
}

// orgHeader and orgRow define the columns of the table of organizations.
const orgHeader = "ID\tNAME\tOWNER\tREQUESTS\tCREATED"

func orgRow(o store.Organization) []string {
	return []string{o.PublicID, termtext.Line(o.Name), ownerText(o), requestLimit(o), formatTime(&o.CreatedAt)}
}
