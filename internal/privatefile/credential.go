package privatefile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// credentialsVariable is the environment variable in which systemd names the directory with the
// credentials of a service (LoadCredential= in its unit).
const credentialsVariable = "CREDENTIALS_DIRECTORY"

// IsCredential reports whether path is a credential that systemd gave to this service: a regular
// file directly in the directory of credentials. The file may belong to root and have the mode 0440
// that stat shows for it, because systemd grants access to the service's user by an access control
// list. info describes the file that path leads to.
func IsCredential(path string, info fs.FileInfo) bool {
	directory := os.Getenv(credentialsVariable)
	if !filepath.IsAbs(directory) || filepath.Dir(filepath.Clean(path)) != filepath.Clean(directory) {
		return false
	}
	inside, err := os.Lstat(directory)
	if err != nil || !inside.IsDir() || !isOfRootOrOwn(inside) || inside.Mode().Perm()&0o022 != 0 {
		return false
	}
	// A symbolic link may lead to any file.
	named, err := os.Lstat(path)
	return err == nil && named.Mode().IsRegular() && os.SameFile(named, info) &&
		isOfRootOrOwn(info) && info.Mode().Perm()&^0o440 == 0
}

func isOfRootOrOwn(info fs.FileInfo) bool {
	owner, known := ownerOf(info)
	return known && (owner == 0 || owner == os.Geteuid())
}
