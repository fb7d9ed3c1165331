package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// accompanying lists patterns of the files that every archive contains besides the program: the
// documentation and the files that it links to.
var accompanying = []string{
	"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "THIRD_PARTY_NOTICES", "openapi.yaml",
	"docs/*.md", "docs/*.png", "examples/follow/*.*", "examples/receiver/*.*", "examples/receiver/stdlib/*.*",
	"packaging/Containerfile",
}

// release describes the release to build.
type release struct {
	*toolchain
	version    string
	date       time.Time // modification time of all files in the archives
	out        string
	home       string // address of the project on a forge, or ""
	maintainer string // name and mail address of who answers for the packages
	progress   io.Writer
	sums       map[string]string // SHA-256 of the published files in hexadecimal, keyed by name
}

// publish writes the archives, packages and bills of materials for the targets, and the checksums
// of all files. If the address of the project is known, it also writes a formula for Homebrew.
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
	r.sums = map[string]string{}
	for _, p := range targets {
		fmt.Fprintln(r.progress, p)
		program, list, err := r.build(ctx, p, filepath.Join(temporary, "program"))
		if err != nil {
			return err
		}
		var files []file
		if p.system == "linux" {
			if files, err = r.packages(ctx, p, temporary, common, program); err != nil {
				return err
			}
		}
		executable, ending := "tarmac", ".tar.gz"
		if p.system == "windows" {
			executable, ending = "tarmac.exe", ".zip"
		}
		archive, err := pack(p, r.fileName(p), append(slices.Clip(common), file{executable, true, program}), r.date)
		if err != nil {
			return err
		}
		files = append(files, file{name: r.fileName(p) + ending, content: archive},
			file{name: r.fileName(p) + ".cdx.json", content: list})
		if err := r.writeAll(files); err != nil {
			return err
		}
	}
	if r.home != "" {
		formula, err := r.formula()
		if err != nil {
			return err
		}
		if err := r.writeAll([]file{{name: "tarmac.rb", content: formula}}); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), r.listOfSums(), 0o644)
}

// fileName returns the name of the published files for a platform, without what follows the dot.
func (r *release) fileName(p platform) string {
	return fmt.Sprintf("tarmac_%s_%s_%s", strings.TrimPrefix(r.version, "v"), p.system, p.architecture)
}

// writeAll writes published files and adds their checksums to r.sums.
func (r *release) writeAll(files []file) error {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(r.out, f.name), f.content, 0o644); err != nil {
			return err
		}
		r.sums[f.name] = fmt.Sprintf("%x", sha256.Sum256(f.content))
	}
	return nil
}

// listOfSums returns the checksums in the format of sha256sum, sorted by file name.
func (r *release) listOfSums() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&b, "%s  %s\n", r.sums[name], name)
	}
	return b.Bytes()
}

// build builds the program for a platform. It returns the program and its bill of materials.
func (r *release) build(ctx context.Context, p platform, to string) (program, list []byte, err error) {
	modules, direct, err := r.modules(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if err := r.compile(ctx, p, to); err != nil {
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

// compile compiles the program for a platform. No VCS information is added: the version already
// names the commit, and a tree without git must build the same program.
func (r *release) compile(ctx context.Context, p platform, to string) error {
	_, err := r.run(ctx, p, "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid= -X tarmac/cli.stamped="+r.version, "-o", to, ".")
	return err
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
	if err := r.compile(ctx, platform{runtime.GOOS, runtime.GOARCH}, program); err != nil {
		return nil, err
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
