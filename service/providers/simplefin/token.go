package simplefin

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/statements/bank"
)

// Sentences about tokens. None repeats a part of a token.
var (
	errToken = errors.New("this is no setup token of SimpleFIN: copy all of the text that the server shows as " +
		"the setup token")
	errAccess = errors.New("this is an access URL of SimpleFIN, which belongs to the program that got it: create a " +
		"setup token for tarmac instead")
	errInsecure = errors.New("this setup token does not lead to an address that begins with https:// and has the " +
		"usual port, so nothing was sent: create a setup token at your SimpleFIN server")
	errPrivate = errors.New("this setup token leads to an address of this computer or of a private network, where no " +
		"provider is, so nothing was sent: create a setup token at your SimpleFIN server")
	errNoAccess = errors.New("the answer to the setup token is no access URL of SimpleFIN")
)

// maxAccess is the largest length of an access URL in bytes.
const maxAccess = 4 << 10

// access is an access URL in parts.
type access struct {
	host, path     string
	user, password wire.Secret
	// hide replaces the user and the password in a text of the server.
	hide *strings.Replacer
}

// checkToken checks a setup token before it is claimed.
func checkToken(token wire.Secret) error {
	_, err := claimURL(token)
	return err
}

// claimURL returns the URL in a setup token. Blanks and line breaks within a token are ignored.
func claimURL(token wire.Secret) (*url.URL, error) {
	text := strings.Join(strings.Fields(token.Reveal()), "")
	if strings.HasPrefix(text, "http") && strings.Contains(text, "@") {
		return nil, errAccess
	}
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errToken
	}
	u, err := url.Parse(strings.TrimSpace(string(decoded)))
	switch {
	case err != nil, u.Hostname() == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, errToken
	case isPrivate(u.Hostname()):
		return nil, errPrivate
	case !secure(u), u.User != nil:
		return nil, errInsecure
	}
	return u, nil
}

// isPrivate reports whether a host is written as an address of this computer or a private network.
// The address of any other name is checked when it is connected to.
func isPrivate(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && (address.IsLoopback() || address.IsPrivate() ||
		address.IsLinkLocalUnicast() || address.IsUnspecified())
}

// secure reports whether a URL is one of HTTPS at its usual port.
func secure(u *url.URL) bool {
	return u.Scheme == "https" && (u.Port() == "" || u.Port() == "443")
}

// claim exchanges a setup token for an access URL. A setup token can be claimed once: if the claim
// was sent and failed, the token may be used up.
func claim(ctx context.Context, client *wire.Client, token wire.Secret) (wire.Secret, error) {
	u, err := claimURL(token)
	if err != nil {
		return wire.Secret{}, &providers.Failure{Cause: providers.Denied, Text: err.Error()}
	}
	response, err := client.Do(ctx, wire.Request{
		Method: http.MethodPost, Host: u.Hostname(), Path: u.Path, Query: u.Query(), MaxBody: maxAccess,
	})
	if err != nil {
		return wire.Secret{}, claimFailure(err)
	}
	credential := wire.NewSecret(strings.TrimSpace(string(response.Body)))
	a, err := parseAccess(credential)
	if err == nil && !related(a.host, u.Hostname()) {
		err = errors.New("the answer to the setup token leads to another server")
	}
	if err != nil {
		return wire.Secret{}, &providers.Failure{Cause: providers.Malformed, Text: err.Error() + "; " + usedUp}
	}
	return credential, nil
}

// usedUp tells what to do about a setup token that may have been claimed.
const usedUp = "the setup token may be used up now: disable it at your SimpleFIN server, and create a new one"

// claimFailure returns the failure for a claim that failed with err.
func claimFailure(err error) error {
	refused, ok := errors.AsType[*wire.Error](err)
	if ok && refused.Status == http.StatusForbidden && !isPage(refused.Body) {
		return &providers.Failure{
			Cause: providers.Denied,
			Text: "SimpleFIN refused the setup token: it does not exist or was claimed before; if you did not claim it, " +
				"somebody else may be reading your accounts: disable it at " + refused.Host + " and create a new one",
		}
	}
	failure := providers.FailureOf(title, err)
	if !ok || refused.Kind != wire.Unsent {
		failure.Text += "; " + usedUp
	}
	return failure
}

// isPage reports whether the body of an answer is a page of HTML, as a firewall or a network that
// asks for a login sends it.
func isPage(body []byte) bool { return bank.NotText(body) != "" }

// open returns the provider of an access URL.
func open(client *wire.Client, credential wire.Secret) (providers.Provider, error) {
	a, err := parseAccess(credential)
	if err != nil {
		return nil, err
	}
	return &provider{client, a}, nil
}

// parseAccess returns the parts of an access URL. Its user and password are decoded.
func parseAccess(credential wire.Secret) (access, error) {
	u, err := url.Parse(credential.Reveal())
	if err != nil || u.Hostname() == "" || !secure(u) || u.RawQuery != "" {
		return access{}, errNoAccess
	}
	user := u.User.Username()
	password, _ := u.User.Password()
	if user == "" || password == "" {
		return access{}, errNoAccess
	}
	escapedUser, escapedPassword, _ := strings.Cut(u.User.String(), ":")
	return access{
		host: u.Hostname(), path: strings.TrimRight(u.Path, "/"),
		user: wire.NewSecret(user), password: wire.NewSecret(password),
		hide: strings.NewReplacer(password, hidden, escapedPassword, hidden, user, hidden, escapedUser, hidden),
	}, nil
}

// hidden stands in place of a user or a password.
const hidden = "[token]"

// related reports whether two hosts are the same, or differ only in the first part of their names,
// as bridge.simplefin.org and beta-bridge.simplefin.org do.
func related(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	_, parentA, _ := strings.Cut(a, ".")
	_, parentB, _ := strings.Cut(b, ".")
	return strings.Contains(parentA, ".") && strings.EqualFold(parentA, parentB)
}
