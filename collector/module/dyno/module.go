// Package dyno is the module of what Dyno wants to know of a cluster under test and its hosts.
package dyno

import (
	_ "embed" // the definitions of its fields
	"fmt"
	"time"

	"github.com/elastic/beats/v7/metricbeat/mb"
	"github.com/elastic/beats/v7/metricbeat/mb/parse"
)

// Name of the module.
const Name = "dyno"

// Fields are the definitions that its metricsets have in common.
//
//go:embed _meta/fields.yml
var Fields string

// shortestPeriod is less than any of the two metricsets takes to read.
const shortestPeriod = time.Millisecond

// CheckPeriod refuses what Metricbeat takes, and then reads once and never again: a period of nothing.
func CheckPeriod(module mb.Module) error {
	if period := module.Config().Period; period < shortestPeriod {
		return fmt.Errorf("period: found %v, allowed is %v or more, such as 1s", period, shortestPeriod)
	}
	return nil
}

// HostParser reads `hosts`, as Metricbeat's elasticsearch module does.
var HostParser = parse.URLHostParserBuilder{DefaultScheme: "http", PathConfigKey: "path"}.Build()
