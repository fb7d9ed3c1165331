//go:build long

package long

// Tests reports whether long tests run. Tests that have a short form use their full sizes then.
const Tests = true
