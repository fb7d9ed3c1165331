//go:build unix && !darwin

package secretstore

import (
	"errors"
	"fmt"
	"os"
)

// checkSessionBus returns an error if there is no session bus. The keyring library would otherwise
// start one, which would keep running after this program.
func checkSessionBus(getenv func(string) string) error {
	if getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(fmt.Sprintf("/run/user/%d/%s", os.Getuid(), name)); err == nil {
			return nil
		}
	}
	return errors.New("there is no session bus to reach it over")
}
