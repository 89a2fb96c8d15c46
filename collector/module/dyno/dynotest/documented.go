// Package dynotest checks events against the definitions of the fields.
package dynotest

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/mapping"
)

// Undocumented returns the names of fields that a metricset reports but its fields.yml does not define. `fields` contains the fields below
// the metricset's own group.
func Undocumented(t testing.TB, definitions string, fields common.MapStr) []string {
	t.Helper()
	loaded, err := mapping.LoadFields([]byte("- key: test\n  title: test\n  fields:\n" + indented(definitions)))
	if err != nil {
		t.Fatal(fmt.Errorf("reading the definitions: %w", err))
	}
	var patterns []string
	known := map[string]bool{}
	for _, name := range loaded.GetKeys() {
		known[name] = true
		if strings.Contains(name, "*") {
			patterns = append(patterns, strings.ReplaceAll(name, ".", "/"))
		}
	}
	var missing []string
	for name := range fields.Flatten() {
		if known[name] {
			continue
		}
		found := false
		for _, pattern := range patterns {
			if matched, _ := path.Match(pattern, strings.ReplaceAll(name, ".", "/")); matched {
				found = true
				break
			}
		}
		if !found {
			missing = append(missing, name)
		}
	}
	return missing
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}
