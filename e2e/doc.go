// Package e2e holds the long tests of whole programs: processes that are killed, full disks,
// several machines, histories and the soak. They are built with the tag long, and `.ci/long` runs
// them.
package e2e
