// Package long says whether long tests are built, which .ci/long runs.
package long
