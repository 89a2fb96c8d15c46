// Package include registers the modules of dynobeat and the definitions of its fields.
package include

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/elastic/beats/v7/libbeat/asset"

	"dyno/collector/module/dyno"
	"dyno/collector/module/dyno/host"
	"dyno/collector/module/dyno/node"
)

// TemplateVersion is the version of the index template. The comment on the same line is a digest of the names and types of all fields.
// Increase the version whenever a field changes. scripts/build-metrics-template.mjs reads the version. A test of the server fails if the
// version or the digest was not updated.
const TemplateVersion = 5 // eb3e4dba1e6dbf54

//go:embed fields.common.yml
var common string

func init() {
	definitions := Fields()
	err := asset.SetFields("dynobeat", "fields.yml", asset.BeatFieldsPri, func() string {
		encoded, err := asset.EncodeData(definitions)
		if err != nil {
			panic(fmt.Errorf("encoding the field definitions: %w", err))
		}
		return encoded
	})
	if err != nil {
		panic(fmt.Errorf("registering the field definitions: %w", err))
	}
}

// Fields returns all definitions as one YAML document. The definitions of the metricsets are nested in those of the module, as in any beat.
func Fields() string {
	return common + dyno.Fields + nested(node.Fields) + nested(host.Fields)
}

// nested puts a metricset's definitions below `key` > `fields` > the module's group > `fields`.
func nested(definitions string) string {
	const indent = "        "
	lines := strings.Split(strings.TrimRight(definitions, "\n"), "\n")
	return indent + strings.Join(lines, "\n"+indent) + "\n"
}
