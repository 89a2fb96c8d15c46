// Dynobeat sends metrics of the nodes of a target cluster while Dyno measures it.
package main

import (
	"os"

	"dyno/collector/cmd"
)

func main() {
	if err := cmd.RootCmd().Execute(); err != nil {
		os.Exit(1)
	}
}
