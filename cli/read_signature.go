package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/apiclient/webhook"
	"tarmac/cli/command"
	"tarmac/client/record"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// signatureCheck is a received delivery whose signature the user wants to check.
type signatureCheck struct {
	secretFiles []string
	header      string
	body        string
	tolerance   time.Duration
	json        bool
}

func newCheckSignature(env command.Env) *cobra.Command {
	var c signatureCheck
	cmd := &cobra.Command{
		Use:   "check-signature",
		Short: "Verify the signature of a received delivery, offline",
		Long: "check-signature verifies the signature of a webhook delivery: its body, byte for byte as received, and " +
			"its " + webhook.SignatureHeader + " header. If the check fails, it reports why and exits with 1. It contacts " +
			"no server. Secrets are read from files that only you can read.",
		Example: "tarmac webhooks check-signature --secret-file webhook-secret --header \"t=1760000000,v1=…\" --body " +
			"delivery.json",
		Args: command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			var out *bufio.Writer
			return withBufferedOutput(env, &out, func() error { return c.run(env, out) })
		},
	}
	cmd.Flags().StringArrayVar(&c.secretFiles, "secret-file", nil,
		"file with the signing secret; repeat during a rotation")
	cmd.Flags().StringVar(&c.header, "header", "", "the value of the header "+webhook.SignatureHeader)
	cmd.Flags().StringVar(&c.body, "body", "-", "file with the body; - for standard input")
	cmd.Flags().DurationVar(&c.tolerance, "tolerance", webhook.Tolerance, "maximum age of the signature")
	cmd.Flags().BoolVar(&c.json, "json", false, "print the event as JSON")
	return cmd
}

func (c signatureCheck) run(env command.Env, out *bufio.Writer) error {
	switch {
	case len(c.secretFiles) == 0:
		return command.Usagef("--secret-file is missing: a file with the endpoint's signing secret")
	case c.header == "":
		return command.Usagef("--header is missing: the value of the delivery's %s", webhook.SignatureHeader)
	case c.tolerance <= 0:
		return command.Usagef("--tolerance must be greater than zero, such as 5m")
	}
	secrets := make([]apiclient.Secret, len(c.secretFiles))
	for i, path := range c.secretFiles {
		var err error
		if secrets[i], err = readSecret(path); err != nil {
			return err
		}
	}
	body, err := readInput(env, c.body, webhook.MaxBody)
	if err != nil {
		return err
	}
	header := strings.TrimSpace(c.header)
	now := env.Now()
	event, err := webhook.Verify(body, header, secrets, webhook.WithTolerance(c.tolerance),
		webhook.WithNow(func() time.Time { return now }))
	if err != nil {
		return explainMismatch(err, body, header, secrets, c.tolerance, now)
	}
	if c.json {
		return record.Event(event).WriteJSON(out)
	}
	_, err = fmt.Fprintf(out, "genuine  %s  %s  %s\n", event.ID, event.Type, record.EventAbout(event))
	return err
}

// explainMismatch returns an error that says why a delivery was rejected, with advice for whoever
// receives the deliveries.
func explainMismatch(err error, body []byte, header string, secrets []apiclient.Secret, tolerance time.Duration,
	now time.Time) error {
	verify := func(body []byte) error {
		_, err := webhook.Verify(body, header, secrets, webhook.WithTolerance(math.MaxInt64),
			webhook.WithNow(func() time.Time { return now }))
		return err
	}
	matches := func(body []byte) bool {
		err := verify(body)
		return err == nil || errors.Is(err, webhook.ErrNoEvent)
	}
	switch {
	case errors.Is(err, webhook.ErrStale):
		return fmt.Errorf("%w: the signature is right, and the time of signing (t) is more than %s from now", err, tolerance)
	case !errors.Is(err, webhook.ErrNoMatch):
		return err
	case matches(bytes.TrimRight(body, "\r\n")):
		return fmt.Errorf("%w; without the final line end one does: keep the body byte for byte as received",
			err)
	case matches(append(bytes.Clone(body), '\n')):
		return fmt.Errorf("%w; with a final line end one does: keep the body byte for byte as received", err)
	}
	return fmt.Errorf("%w: another secret (was it rotated?), or a body or time that was changed", err)
}

const maxSecretFile = 8 << 10

// readSecret reads a signing secret from a file that only its owner can read.
func readSecret(path string) (apiclient.Secret, error) {
	content, err := privatefile.Read(path, maxSecretFile)
	if err != nil {
		return "", err
	}
	secret := apiclient.Secret(strings.TrimRight(string(content), "\r\n"))
	if err := secret.Check(); err != nil {
		return "", fmt.Errorf("%s: %w", termtext.Line(path), err)
	}
	return secret, nil
}
