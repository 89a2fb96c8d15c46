// Package dyno is the module of what Dyno wants to know of a cluster under test and its hosts.
package dyno

import (
	_ "embed" // the definitions of its fields

	"github.com/elastic/beats/v7/metricbeat/mb/parse"
)

// Name of the module.
const Name = "dyno"

// Fields are the definitions that its metricsets have in common.
//
//go:embed _meta/fields.yml
var Fields string

// HostParser reads `hosts`, as Metricbeat's elasticsearch module does.
var HostParser = parse.URLHostParserBuilder{DefaultScheme: "http", PathConfigKey: "path"}.Build()
