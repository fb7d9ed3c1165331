package main

import (
	"bytes"
	"strings"
	"text/template"
)

// formulaText is a formula for Homebrew, as https://docs.brew.sh/Formula-Cookbook describes it.
var formulaText = template.Must(template.New("formula").Parse(`class Tarmac < Formula
  desc "Company's finances in a terminal"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "MIT"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Archives}}
    on_{{.Processor}} do
      url "{{.URL}}"
      sha256 "{{.Sum}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "tarmac"
    man1.install "man/tarmac.1"
    bash_completion.install "completions/tarmac.bash" => "tarmac"
    zsh_completion.install "completions/_tarmac"
    fish_completion.install "completions/tarmac.fish"
    doc.install Dir["*.md", "docs", "examples", "packaging", "openapi.yaml", "THIRD_PARTY_NOTICES"]
  end

  test do
    assert_match "v#{version}", shell_output("#{bin}/tarmac version")
  end
end
`))

type (
	formulaSystem struct {
		Name     string // as Homebrew calls it
		Archives []formulaArchive
	}
	formulaArchive struct{ Processor, URL, Sum string }
)

// formula returns a formula for Homebrew that installs the published archives of macOS and Linux.
func (r *release) formula() ([]byte, error) {
	var systems []formulaSystem
	for _, s := range []struct{ name, system string }{{"macos", "darwin"}, {"linux", "linux"}} {
		one := formulaSystem{Name: s.name}
		for _, a := range []struct{ name, architecture string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			archive := r.fileName(platform{s.system, a.architecture}) + ".tar.gz"
			if sum, ok := r.sums[archive]; ok {
				url := r.home + "/releases/download/" + r.version + "/" + archive
				one.Archives = append(one.Archives, formulaArchive{a.name, url, sum})
			}
		}
		if len(one.Archives) > 0 {
			systems = append(systems, one)
		}
	}
	var b bytes.Buffer
	err := formulaText.Execute(&b, struct {
		Home, Version string
		Systems       []formulaSystem
	}{r.home, strings.TrimPrefix(r.version, "v"), systems})
	return b.Bytes(), err
}
