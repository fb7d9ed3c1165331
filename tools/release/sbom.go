package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// These types hold the fields of CycloneDX 1.6 that the bill of materials uses
// (https://cyclonedx.org/docs/1.6/json/).
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Serial       string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     bomMetadata  `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	bomMetadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string            `json:"type"`
		Ref        string            `json:"bom-ref"`
		Name       string            `json:"name"`
		Version    string            `json:"version"`
		Hashes     []bomHash         `json:"hashes,omitempty"`
		Licences   []licenceChoice   `json:"licenses"`
		PURL       string            `json:"purl"`
		Properties []bomNameAndValue `json:"properties,omitempty"`
	}
	bomHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licenceChoice struct {
		Licence bomLicence `json:"license"`
	}
	bomLicence struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	}
	bomNameAndValue struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// contents lists the modules of a built program.
type contents struct {
	version  string
	platform platform
	date     time.Time
	program  []byte
	standard *module
	modules  []*module
	font     *module
	direct   []string          // paths of the modules that tarmac imports directly
	sums     map[string]string // checksums in go.sum, keyed by module path
}

// billOfMaterials returns the bill of materials of a program as CycloneDX JSON. The hash of a
// module is its checksum in go.sum.
func billOfMaterials(c contents) ([]byte, error) {
	refs := map[string]string{}
	for _, m := range append([]*module{c.standard}, c.modules...) {
		refs[m.path] = purl(m)
	}
	hash := sha256.Sum256(c.program)
	self := component{
		Type: "application", Name: "tarmac", Version: c.version,
		Ref: "pkg:generic/tarmac@" + c.version, PURL: "pkg:generic/tarmac@" + c.version,
		Hashes:   []bomHash{{"SHA-256", hex.EncodeToString(hash[:])}},
		Licences: []licenceChoice{{bomLicence{ID: "MIT"}}},
		Properties: []bomNameAndValue{
			{"tarmac:platform", c.platform.String()}, {"tarmac:go", "go" + c.standard.version},
		},
	}
	b := bom{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata:     bomMetadata{Timestamp: c.date.Format(time.RFC3339), Component: self},
		Dependencies: []dependency{{self.Ref, append([]string{refs["std"]}, all(refs, c.direct)...)}, {Ref: refs["std"]}},
	}
	// The serial number is derived from the contents, so that the build is reproducible.
	b.Serial = serial(append(hash[:], self.Ref...))
	std, err := described(c.standard, refs["std"], "")
	if err != nil {
		return nil, err
	}
	b.Components = []component{std}
	for _, m := range c.modules {
		described, err := described(m, refs[m.path], c.sums[m.path])
		if err != nil {
			return nil, err
		}
		b.Components = append(b.Components, described)
		b.Dependencies = append(b.Dependencies, dependency{refs[m.path], all(refs, m.uses)})
	}
	font, err := describedFont(c.font)
	if err != nil {
		return nil, err
	}
	b.Components = append(b.Components, font)
	b.Dependencies[0].On = append(b.Dependencies[0].On, font.Ref)
	b.Dependencies = append(b.Dependencies, dependency{Ref: font.Ref})
	written, err := json.MarshalIndent(b, "", "  ")
	return append(written, '\n'), err
}

func described(m *module, ref, sum string) (component, error) {
	c := component{Type: "library", Ref: ref, Name: m.path, Version: m.version, PURL: ref, Licences: licenceChoices(m)}
	if m.path == "std" {
		return c, nil
	}
	encoded, ok := strings.CutPrefix(sum, "h1:")
	hash, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil {
		return component{}, fmt.Errorf("the program names no sum of %s", m.name())
	}
	c.Hashes = []bomHash{{"SHA-256", hex.EncodeToString(hash)}}
	return c, nil
}

func licenceChoices(m *module) (all []licenceChoice) {
	for _, id := range licencesOf(m.texts) {
		if name, own := strings.CutPrefix(id, "LicenseRef-"); own {
			all = append(all, licenceChoice{bomLicence{Name: name}})
		} else {
			all = append(all, licenceChoice{bomLicence{ID: id}})
		}
	}
	return all
}

// purl returns the package URL of a module (https://github.com/package-url).
func purl(m *module) string {
	return "pkg:golang/" + m.path + "@" + strings.ReplaceAll(m.version, "+", "%2B")
}

func all(refs map[string]string, paths []string) []string {
	var found []string
	for _, path := range paths {
		found = append(found, refs[path])
	}
	return found
}

// serial returns a UUID that is derived from the given bytes (RFC 9562, version 8).
func serial(of []byte) string {
	u := sha256.Sum256(of)
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
}
