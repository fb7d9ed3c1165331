// Package cluster tries the cluster of docs/cluster.md: the files of packaging/cluster, as three
// machines on the loopback interface, whose servers change, die and hang. Its tests are built with
// the tag long.
package cluster
