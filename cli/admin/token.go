package admin

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service"
	"tarmac/service/access"
)

func newToken(a *admin) *cobra.Command {
	return command.Group("token", "Organization tokens: create, list, revoke", newTokenCreate(a), newTokenList(a),
		newTokenRevoke(a))
}

func newTokenCreate(a *admin) *cobra.Command {
	var org, expires string
	var scopes []string
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a token and print it once",
		Long: "create prints only the token to standard output. The token is stored as a hash and cannot be shown again.\n" +
			"Scopes: " + strings.Join(scopeNames(), ", ") + ".",
		Example: "tarmac admin token create --org org_… --scope account:read,payments:read --expires 90d > token && " +
			"chmod 600 token",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			granted, err := parseScopes(scopes)
			if err != nil {
				return err
			}
			life, err := parseLife(expires)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				secret, t, err := svc.CreateToken(cmd.Context(), org, granted, life)
				if err != nil {
					return err
				}
				return a.show(newTokenRecord{t.PublicID, secret, t.OrgPublicID, t.Scopes, t.ExpiresAt}, a.line("%s", secret))
			})
		},
	}
	orgFlag(cmd, &org)
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "scopes to grant, separated by commas")
	command.Choices(cmd, "scope", access.Scopes[:]...)
	cmd.Flags().StringVar(&expires, "expires", "", "lifetime such as 90d or 12h (default until revoked)")
	return cmd
}

func newTokenList(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List an organization's tokens without their secrets",
		Example: "tarmac admin token list --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				tokens, err := svc.Tokens(cmd.Context(), org)
				if err != nil {
					return err
				}
				now := a.Now()
				return showList(a, tokens, func(t access.Token) tokenRecord { return tokenOf(t, now) },
					"ID\tENDS IN\tSTATE\tCREATED\tEXPIRES\tLAST USED\tSCOPES",
					func(t access.Token) []string {
						return []string{t.PublicID, "…" + t.LastFour, tokenState(t, now), formatTime(&t.CreatedAt),
							formatTime(t.ExpiresAt), formatTime(t.LastUsedAt), joinScopes(t.Scopes)}
					})
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

func newTokenRevoke(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:     "revoke ID",
		Short:   "Revoke a token immediately",
		Example: "tarmac admin token revoke tok_…",
		Args:    oneID("token", "tarmac admin token list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				if err := svc.RevokeToken(cmd.Context(), args[0]); err != nil {
					return err
				}
				return a.show(revokedRecord{args[0], "revoked"}, a.line("%s revoked", args[0]))
			})
		},
	}
}

func tokenState(t access.Token, now time.Time) string {
	return credentialState(t.RevokedAt, t.Valid(now))
}

// credentialState returns the state of a token or an SSH key in one word.
func credentialState(revoked *time.Time, valid bool) string {
	switch {
	case revoked != nil:
		return "revoked"
	case !valid:
		return "expired"
	}
	return "active"
}

func scopeNames() []string {
	var names []string
	for _, s := range access.Scopes {
		names = append(names, string(s))
	}
	return names
}

func joinScopes(scopes []access.Scope) string {
	var names []string
	for _, s := range scopes {
		names = append(names, string(s))
	}
	return strings.Join(names, ",")
}

func parseScopes(names []string) ([]access.Scope, error) {
	var scopes []access.Scope
	for _, name := range names {
		scope, ok := access.ParseScope(strings.TrimSpace(name))
		if !ok {
			return nil, command.Usagef("unknown scope %s; the scopes are %s", command.Quoted(name),
				strings.Join(scopeNames(), ", "))
		}
		scopes = append(scopes, scope)
	}
	if len(scopes) == 0 {
		return nil, command.Usagef("--scope is missing: choose from %s",
			strings.Join(scopeNames(), ", "))
	}
	return scopes, nil
}

// parseLife parses the lifetime of a token, such as "90d" or "12h". For "" it returns 0: the token
// does not expire.
func parseLife(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	life, err := command.ParseDuration("--expires", text)
	if err != nil {
		return 0, err
	}
	if life <= 0 {
		return 0, command.Usagef("--expires must be in the future, not %q", text)
	}
	return life, nil
}
