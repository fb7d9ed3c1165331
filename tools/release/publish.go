package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// accompanying lists patterns of the files that every archive contains besides the program: the
// documentation and the files that it links to.
var accompanying = []string{"README.md", "LICENSE", "THIRD_PARTY_NOTICES", "openapi.yaml", "docs/*.md", "docs/*.png"}

// release describes the release to build.
type release struct {
	*toolchain
	version  string
	date     time.Time // modification time of all files in the archives
	out      string
	progress io.Writer
}

// publish writes the archives and bills of materials for the targets, and the checksums of all
// files.
func (r *release) publish(ctx context.Context, targets []platform) error {
	temporary, err := os.MkdirTemp("", "tarmac-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	common, err := r.documents(ctx, temporary)
	if err != nil {
		return err
	}
	var sums []string
	for _, p := range targets {
		fmt.Fprintln(r.progress, p)
		program, list, err := r.build(ctx, p, filepath.Join(temporary, "program"))
		if err != nil {
			return err
		}
		name := fmt.Sprintf("tarmac_%s_%s_%s", strings.TrimPrefix(r.version, "v"), p.system, p.architecture)
		executable, ending := "tarmac", ".tar.gz"
		if p.system == "windows" {
			executable, ending = "tarmac.exe", ".zip"
		}
		archive, err := pack(p, name, append(slices.Clip(common), file{executable, true, program}), r.date)
		if err != nil {
			return err
		}
		for _, f := range []file{{name: name + ending, content: archive}, {name: name + ".cdx.json", content: list}} {
			if err := os.WriteFile(filepath.Join(r.out, f.name), f.content, 0o644); err != nil {
				return err
			}
			sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(f.content), f.name))
		}
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(sums, "")), 0o644)
}

// build builds the program for a platform. It returns the program and its bill of materials.
func (r *release) build(ctx context.Context, p platform, to string) (program, list []byte, err error) {
	modules, direct, err := r.modules(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	// No VCS information is added: the version already names the commit, and a tree without git
	// must build the same program.
	if _, err := r.run(ctx, p, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X tarmac/cli.stamped="+
		r.version,
		"-o", to, "."); err != nil {
		return nil, nil, err
	}
	if program, err = os.ReadFile(to); err != nil {
		return nil, nil, err
	}
	sums, err := sumsIn(program, modules)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p, err)
	}
	standard, err := r.standardLibrary()
	if err != nil {
		return nil, nil, err
	}
	font, err := r.embedded()
	if err != nil {
		return nil, nil, err
	}
	list, err = billOfMaterials(contents{
		version: r.version, platform: p, date: r.date, program: program, standard: standard, modules: modules, font: font,
		direct: direct, sums: sums,
	})
	return program, list, err
}

// sumsIn returns the checksums of modules that are recorded in a built program. It returns an error
// if the program's modules are not those listed.
func sumsIn(program []byte, modules []*module) (map[string]string, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	sums, inside := map[string]string{}, []string{}
	for _, m := range info.Deps {
		sums[m.Path] = m.Sum
		inside = append(inside, m.Path+"@"+m.Version)
	}
	listed := []string{}
	for _, m := range modules {
		listed = append(listed, m.name())
	}
	slices.Sort(inside)
	slices.Sort(listed)
	if !slices.Equal(inside, listed) {
		return nil, fmt.Errorf("the program is built from %v, and go list says %v", inside, listed)
	}
	return sums, nil
}

// documents returns the files that every archive contains besides the program. They are files of
// the source tree, and the manuals and shell completions that the program prints without reading
// the user's settings.
func (r *release) documents(ctx context.Context, temporary string) ([]file, error) {
	var files []file
	for _, pattern := range accompanying {
		names, err := filepath.Glob(filepath.Join(r.directory, pattern))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("nothing is named %s; an archive needs it (%w)", pattern, os.ErrNotExist)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			inside, err := filepath.Rel(r.directory, name)
			if err != nil {
				return nil, err
			}
			files = append(files, file{name: filepath.ToSlash(inside), content: content})
		}
	}
	program := filepath.Join(temporary, "here.exe")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = r.directory
	if _, err := build.Output(); err != nil {
		return nil, commandError("go build", err)
	}
	for name, args := range map[string][]string{
		"man/tarmac.1":            {"man"},
		"completions/tarmac.bash": {"completion", "bash"},
		"completions/_tarmac":     {"completion", "zsh"},
		"completions/tarmac.fish": {"completion", "fish"},
		"completions/tarmac.ps1":  {"completion", "powershell"},
	} {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = []string{
			"HOME=" + temporary,
			"USERPROFILE=" + temporary,
			"APPDATA=" + temporary,
			"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		}
		printed, err := cmd.Output()
		if err != nil {
			return nil, commandError("tarmac "+strings.Join(args, " "), err)
		}
		files = append(files, file{name: name, content: printed})
	}
	return files, nil
}
