package marker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/elastic/beats/v7/libbeat/common"
)

const answer = `{"_index":"dyno-markers","_id":"u","found":true,"_source":{"@timestamp":"2026-11-20T10:00:00.000Z",
"cluster":{"uuid":"u"},"run":{"id":"r1"},"experiment":{"id":"e1","name":"Refresh"},"trial":{"id":"t1"},
"cell":{"id":"c1","label":"refresh_interval 1s"},"clocks":{"ahead":2000,"behind":-1500},"ended":null,"phases":[
{"phase":"prepare","from":"2026-11-20T10:00:00.000Z","until":"2026-11-20T10:00:05.000Z"},
{"phase":"warm-up","from":"2026-11-20T10:00:05.000Z","until":"2026-11-20T10:00:15.000Z"},
{"phase":"measure","from":"2026-11-20T10:00:15.000Z","until":null}]}}`

func TestLabels(t *testing.T) {
	document, err := parse([]byte(answer))
	require.NoError(t, err)
	start := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		title string
		at    time.Duration
		node  string
		phase any
	}{
		{"before all phases", -time.Millisecond, "n", nil},
		{"at the first instant", 0, "n", "prepare"},
		{"just before a boundary", 4999 * time.Millisecond, "n", "prepare"},
		{"at a boundary", 5 * time.Second, "n", "warm-up"},
		{"in an open phase", time.Hour, "n", "measure"},
		{"a clock that is ahead, just before the boundary", 16999 * time.Millisecond, "ahead", "warm-up"},
		{"a clock that is ahead, at the boundary", 17 * time.Second, "ahead", "measure"},
		{"a clock that is behind, at the boundary", 13500 * time.Millisecond, "behind", "measure"},
		{"a clock that is behind, just before the boundary", 13499 * time.Millisecond, "behind", "warm-up"},
	} {
		t.Run(test.title, func(t *testing.T) {
			labels := document.Labels(start.Add(test.at), test.node)
			if test.phase == nil {
				assert.Nil(t, labels)
				return
			}
			assert.Equal(t, common.MapStr{
				"run":        common.MapStr{"id": "r1"},
				"experiment": common.MapStr{"id": "e1", "name": "Refresh"},
				"trial":      common.MapStr{"id": "t1"},
				"cell":       common.MapStr{"id": "c1", "label": "refresh_interval 1s"},
				"phase":      test.phase,
			}, labels)
		})
	}
}

func TestLabelsEndWithTheRun(t *testing.T) {
	document, err := parse([]byte(answer))
	require.NoError(t, err)
	ended := time.Date(2026, 11, 20, 10, 5, 0, 0, time.UTC)
	document.Ended = &ended
	assert.NotNil(t, document.Labels(ended.Add(-time.Millisecond), ""))
	assert.Nil(t, document.Labels(ended, ""))
}

func TestParseRefusesOtherDocuments(t *testing.T) {
	for _, body := range []string{"", "{", `{"_source":{"phases":[{"from":"yesterday"}]}}`, `[]`} {
		_, err := parse([]byte(body))
		assert.Error(t, err, body)
	}
	var none *Document
	assert.Nil(t, none.Labels(time.Now(), ""))
}
