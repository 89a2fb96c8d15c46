package include

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/mapping"
)

func TestDefinitionsAreNestedAsInAnyBeat(t *testing.T) {
	fields, err := mapping.LoadFields([]byte(Fields()))
	require.NoError(t, err)
	for _, name := range []string{
		"trial.id", "phase", "elasticsearch.cluster.id", "dyno.node.interval.ms",
		"dyno.node.thread_pool.write.rejected.change", "dyno.node.gc.*.time.ms.change", "dyno.host.cpu.iowait.pct",
	} {
		assert.Contains(t, fields.GetKeys(), name)
	}
}
