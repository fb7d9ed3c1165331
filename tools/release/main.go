// Command release builds the published files of tarmac: an archive and a bill of materials
// (CycloneDX) for each platform, packages for Linux, and SHA256SUMS. With the address of the
// project it also writes a formula for Homebrew. The build is reproducible: the same source tree,
// version, date and version of Go produce the same bytes on any machine. .ci/release runs it for a
// commit.
//
//	SOURCE_DATE_EPOCH=1790000000 go run ./tools/release -version v1.2.3 -out DIR
//	go run ./tools/release -notices > THIRD_PARTY_NOTICES
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/mail"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// platforms lists the platforms for which the program is published. None of the builds needs a C
// compiler.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

var (
	versions = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	// Other characters would need quotes in a formula.
	homes = regexp.MustCompile(`^(https://[0-9A-Za-z._~/:-]+)?$`)
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH"), os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, epoch string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	version := flags.String("version", "", "the `release`, such as v1.2.3")
	out := flags.String("out", "", "a `directory` for the files; it must not exist")
	home := flags.String("home", "", "the project's `address` on a forge, such as https://github.com/owner/tarmac; "+
		"its releases are expected below releases/download/")
	maintainer := flags.String("maintainer", "The tarmac authors <authors@tarmac.invalid>",
		"who answers for the packages, as `NAME <ADDRESS>`")
	only := flags.String("targets", "", "only these `platforms`, such as linux/amd64,windows/arm64")
	notices := flags.Bool("notices", false, "print the notices that the archives carry, and build nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	goCommand, err := newToolchain(ctx, ".")
	if err != nil {
		return err
	}
	if *notices {
		modules, err := goCommand.modulesOfAll(ctx)
		if err != nil {
			return err
		}
		return writeNotices(stdout, modules)
	}
	if !versions.MatchString(*version) {
		return fmt.Errorf("-version is %q; give one such as v1.2.3", *version)
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is %q; set it to the commit's time: git log -1 --format=%%ct", epoch)
	}
	if !homes.MatchString(*home) {
		return fmt.Errorf("-home is %q; give an address such as https://github.com/owner/tarmac", *home)
	}
	if _, err := mail.ParseAddress(*maintainer); err != nil {
		return fmt.Errorf("-maintainer is %q; give one such as Ada Lovelace <ada@example.com>", *maintainer)
	}
	targets, err := selectPlatforms(*only)
	if err != nil {
		return err
	}
	if *out == "" {
		return fmt.Errorf("say where the files go: -out DIR")
	}
	if err := os.Mkdir(*out, 0o755); err != nil {
		return err
	}
	r := release{toolchain: goCommand, version: *version, date: time.Unix(seconds, 0).UTC(), out: *out,
		home: strings.TrimSuffix(*home, "/"), maintainer: *maintainer, progress: stderr}
	return r.publish(ctx, targets)
}

// selectPlatforms returns the platforms in a comma-separated list such as
// "linux/amd64,windows/arm64". For an empty list it returns all platforms.
func selectPlatforms(list string) ([]platform, error) {
	if list == "" {
		return platforms, nil
	}
	var targets []platform
next:
	for name := range strings.SplitSeq(list, ",") {
		for _, p := range platforms {
			if p.String() == name {
				targets = append(targets, p)
				continue next
			}
		}
		return nil, fmt.Errorf("-targets names %q; there are %v", name, platforms)
	}
	return targets, nil
}
