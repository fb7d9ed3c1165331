package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// text is the text of a module's licence, or of another file that must be distributed with the
// module, such as NOTICE.
type text struct {
	file    string // path in its module, with forward slashes
	content string
	licence string // SPDX or LicenseRef- identifiers, separated by ", "; "" for other files
}

var (
	passedOn = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([-._].*)?$`)
	goesWith = regexp.MustCompile(`(?i)^(notice|patents)`)
)

// permitted lists the licences that modules may have. They allow everything that the project's own
// licence allows, if their texts are distributed too. A licence is recognized by sentences that its
// text contains after normalize has been applied to it.
var permitted = []struct {
	licence   string
	sentences []string
}{
	{"MIT-0", []string{ // MIT without the duty to pass the text on
		"mit no attribution",
		"permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated " +
			`documentation files (the "software"), to deal in the software without restriction`,
		`the software is provided "as is", without warranty of any kind`,
	}},
	{"MIT", []string{
		`permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated ` +
			`documentation files (the "software"), to deal in the software without restriction, including without limitation ` +
			`the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the software`,
		`the software is provided "as is", without warranty of any kind`,
	}},
	{"BSD-3-Clause", []string{
		"redistribution and use in source and binary forms, with or without modification, are permitted provided that the " +
			"following conditions are met",
		"endorse or promote products derived from this software without specific prior written permission",
		`"as is" and any express or implied warranties`,
	}},
	{"BSD-2-Clause", []string{
		"redistribution and use in source and binary forms, with or without modification, are permitted provided that the " +
			"following conditions are met",
		`"as is" and any express or implied warranties`,
	}},
	{"Apache-2.0", []string{
		"apache license version 2.0, january 2004",
		"each contributor hereby grants to you a perpetual, worldwide, non-exclusive, no-charge, royalty-free, " +
			"irrevocable copyright license",
	}},
	{"ISC", []string{
		"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby " +
			"granted",
	}},
	{"Bitstream-Vera", []string{
		`bitstream vera is a trademark of bitstream`,
		`permission is hereby granted, free of charge, to any person obtaining a copy of the fonts accompanying this ` +
			`license ("fonts")`,
	}},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}},
}

// restrictive lists words that no permitted licence contains. A text with one of them is refused,
// even if it contains a permitted licence.
var restrictive = []string{
	"general public license", "mozilla public license", "commons clause", "business source", "server side public",
	"elastic license",
	"non-commercial", "noncommercial", "may not be used for", "shall be used for good",
}

// reviewed lists the SHA-256 checksums of texts that a person has read, because they combine
// several licences or are unique. A text that has changed must be reviewed again.
var reviewed = map[string]struct{ sum, licence string }{
	// This file contains the licences of musl, the Go library, go-netdb and nixpkgs: MIT and
	// BSD-3-Clause.
	"modernc.org/libc/LICENSE-3RD-PARTY.md": {"f597097efe3d97021f89170746bd3a0fb9a8b6fb26b82043ed68a4e0283bee6c", ""},
	// Section 1 of this file covers what is linked: MIT, BSD-3-Clause and the public domain.
	// MPL-2.0 covers a module that is not compiled.
	"modernc.org/sqlite/LICENSE-3RD-PARTY.md": {"b4366b9c27a9364633e015011a231913ed19bf1228f335bf617e50a6f7b168a6", ""},
	// This file puts SQLite in the public domain, for any purpose.
	"modernc.org/sqlite/LICENSE-SQLITE": {
		"8438c9c89b849131ead81d5435cb97fcf052df5b0b286dda8a2d4c29e6cb3fd0",
		"LicenseRef-SQLite-public-domain",
	},
	// This file is a link to the source of a picture that is not in the program.
	"modernc.org/memory/LICENSE-LOGO": {"5ae5bee3072a841376451b48d8cfcec7188e10543926d5870828d36c8a750dc5", ""},
	// This file is the MIT licence, with conditions for two pictures on the module's website that
	// are not in the program.
	"github.com/NimbleMarkets/ntcharts/v2/LICENSE.txt": {
		"588d587040b0fa7c4def0c744c278dc4f2e50ee6730fa1bef194f13c22156c8b",
		"MIT",
	},
	// This file contains two licences, Apache-2.0 for new code and MIT for old code, and a licence
	// for documents, which are not in the program.
	"github.com/modelcontextprotocol/go-sdk/LICENSE": {
		"af679003d933f045393a6a029f43da113f9ae364eac651d9ae268392985580f5",
		"Apache-2.0, MIT",
	},
	// This file covers an ICC profile that anybody may distribute and embed.
	"codeberg.org/go-pdf/fpdf/icc/LICENSE.color.org": {
		"4429d00ff0ae8e3e2bb58463396e8c47f52ba859702f84c85d4e1e628c34943c",
		"LicenseRef-ICC-profile",
	},
}

// textsOf returns the licence texts in the directories of the module's packages and in their parent
// directories. It returns an error if the module has no permitted licence.
func textsOf(m *module) ([]text, error) {
	directories := map[string]bool{}
	for _, directory := range m.packages {
		for ; !directories[directory]; directory = filepath.Dir(directory) {
			directories[directory] = true
			if directory == m.directory || len(directory) < len(m.directory) {
				break
			}
		}
	}
	var texts []text
	for directory := range directories {
		entries, err := os.ReadDir(directory)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name(), err)
		}
		for _, entry := range entries {
			if entry.IsDir() || !passedOn.MatchString(entry.Name()) {
				continue
			}
			t, err := readText(m, filepath.Join(directory, entry.Name()))
			if err != nil {
				return nil, err
			}
			texts = append(texts, t)
		}
	}
	slices.SortFunc(texts, func(a, b text) int { return cmp.Compare(a.file, b.file) })
	if len(licencesOf(texts)) == 0 {
		return nil, fmt.Errorf("%s has no licence in %s; a program may not be made of it", m.name(), m.directory)
	}
	return texts, nil
}

func readText(m *module, file string) (text, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return text{}, err
	}
	inside, err := filepath.Rel(m.directory, file)
	if err != nil {
		return text{}, err
	}
	t := text{file: filepath.ToSlash(inside), content: strings.ReplaceAll(string(content), "\r\n", "\n")}
	if read, ok := reviewed[m.path+"/"+t.file]; ok {
		if sum := sha256.Sum256([]byte(t.content)); hex.EncodeToString(sum[:]) != read.sum {
			return text{},
				fmt.Errorf("%s of %s has changed since it was read; read it, and state its sum %x in release/licences.go", t.file,
					m.name(), sum)
		}
		t.licence = read.licence
		return t, nil
	}
	if goesWith.MatchString(filepath.Base(file)) {
		return t, nil
	}
	if t.licence = licence(t.content); t.licence == "" {
		return text{}, fmt.Errorf("%s of %s is no licence that is permitted; read it, and see release/licences.go", t.file,
			m.name())
	}
	return t, nil
}

// licence returns the identifier of the permitted licence that a text contains, or "" if it
// contains none.
func licence(content string) string {
	content = normalize(content)
	for _, words := range restrictive {
		if strings.Contains(content, words) {
			return ""
		}
	}
	for _, p := range permitted {
		if !slices.ContainsFunc(p.sentences, func(s string) bool { return !strings.Contains(content, s) }) {
			return p.licence
		}
	}
	return ""
}

var (
	comment = regexp.MustCompile(`(?m)^[ \t]*(//|#|\*)`)
	quotes  = strings.NewReplacer("“", `"`, "”", `"`, "``", `"`, "''", `"`)
)

// normalize returns a text as one line in lower case, without comment marks, so that texts can be
// compared.
func normalize(content string) string {
	return strings.Join(strings.Fields(strings.ToLower(quotes.Replace(comment.ReplaceAllString(content, "")))), " ")
}

// licencesOf returns the licence identifiers of texts, sorted and without duplicates.
func licencesOf(texts []text) []string {
	var ids []string
	for _, t := range texts {
		if t.licence != "" {
			ids = append(ids, strings.Split(t.licence, ", ")...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
