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
	"tarmac/service/invoicing"
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
				used, err := svc.Drafts(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				record, limit := orgOf(org), org.DraftLimit()
				record.Drafts, record.DraftBytes = &used.Drafts, &used.Bytes
				return a.show(record, func() error {
					if err := table(a, orgHeader, []store.Organization{org}, orgRow); err != nil {
						return err
					}
					return a.line("\nDrafts: %d of %d, %.1f of %d MiB", used.Drafts, limit.Drafts,
						float64(used.Bytes)/(1<<20), limit.Bytes>>20)()
				})
			})
		},
	}
}

// orgLimit is a limit that an operator sets for an organization, with the flag for it.
type orgLimit struct {
	flag, unit string
	most       int
	set        func(*store.OrganizationLimits, int)
}

func orgLimits() []orgLimit {
	return []orgLimit{
		{"requests", "requests a minute", 1_000_000, func(l *store.OrganizationLimits, n int) { l.RequestsPerMinute = n }},
		{"drafts", "drafts", invoicing.MostDrafts, func(l *store.OrganizationLimits, n int) { l.Drafts = n }},
		{"draft-mib", "MiB of drafts", 1 << 20, func(l *store.OrganizationLimits, n int) {
			l.DraftBytes = int64(n) << 20
		}},
	}
}

// noLimit is the value of a flag that takes a limit back.
const noLimit = "default"

func newOrgLimit(a *admin) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "limit ID",
		Short: "Limit the requests and drafts of an organization",
		Long: "limit sets how many requests a minute all tokens and SSH keys of the organization may make together, up to " +
			strconv.Itoa(access.MaxBurst) + " of them at once, and how many drafts of invoices it may have. The limit of " +
			"each token (`tarmac serve --rate`) stays. Requests beyond it are answered with 429 and Retry-After, and " +
			"proposals beyond the limit of drafts with 409.\n" +
			"By default an organization may make any number of requests and have " +
			strconv.Itoa(invoicing.DefaultMaxDrafts) + " drafts of " + strconv.Itoa(invoicing.DefaultMaxDraftBytes>>20) +
			" MiB. The value " + noLimit + " takes a limit back. Limits take effect at once, in all processes.",
		Example: "tarmac admin org limit org_… --requests 600\n" +
			"tarmac admin org limit org_… --drafts 5000 --draft-mib 100",
		Args: oneID("organization", "tarmac admin org list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			change, err := limitChange(cmd)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				org, err := svc.LimitOrganization(cmd.Context(), args[0], change)
				if err != nil {
					return err
				}
				limit := org.DraftLimit()
				return a.show(orgOf(org), a.line("%s requests %s, drafts %d of %d MiB", org.PublicID, requestLimit(org),
					limit.Drafts, limit.Bytes>>20))
			})
		},
	}
	for _, l := range orgLimits() {
		cmd.Flags().String(l.flag, "", l.unit+", or "+noLimit)
	}
	return cmd
}

// limitChange returns the change of limits that the flags of cmd ask for.
func limitChange(cmd *cobra.Command) (func(*store.OrganizationLimits), error) {
	values := map[string]int{}
	for _, l := range orgLimits() {
		if !cmd.Flags().Changed(l.flag) {
			continue
		}
		text := cmd.Flag(l.flag).Value.String()
		n, err := strconv.Atoi(text)
		if text == noLimit {
			n = 0
		} else if err != nil || n < 1 || n > l.most {
			return nil, command.Usagef("--%s must be a number of %s from 1 to %d, or %s", l.flag, l.unit, l.most, noLimit)
		}
		values[l.flag] = n
	}
	if len(values) == 0 {
		return nil, command.Usagef("tarmac admin org limit needs --requests, --drafts or --draft-mib")
	}
	return func(limits *store.OrganizationLimits) {
		for _, l := range orgLimits() {
			if n, given := values[l.flag]; given {
				l.set(limits, n)
			}
		}
	}, nil
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
