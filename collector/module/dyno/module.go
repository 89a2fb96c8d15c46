// Package dyno is the module for metrics of a cluster under test and its machines.
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

// Fields are the definitions of the fields that all metricsets of the module have in common.
//
//go:embed _meta/fields.yml
var Fields string

// shortestPeriod is the minimum of the setting `period`. It only excludes 0: a read of either metricset takes longer.
const shortestPeriod = time.Millisecond

// CheckPeriod refuses a period of 0. With a period of 0, Metricbeat would read only once.
func CheckPeriod(module mb.Module) error {
	if period := module.Config().Period; period < shortestPeriod {
		return fmt.Errorf("period: found %v, allowed is %v or more, such as 1s", period, shortestPeriod)
	}
	return nil
}

// HostParser parses `hosts` as Metricbeat's elasticsearch module does.
var HostParser = parse.URLHostParserBuilder{DefaultScheme: "http", PathConfigKey: "path"}.Build()
