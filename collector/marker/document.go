// Package marker finds the trial that is running on a cluster at a given time. It reads the marker, a document in the results cluster that
// the run maintains. The marker contains the phases of the trial by the run's clock, and the offset of each node's clock.
package marker

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
)

// Document is written by a run at the start of each phase.
type Document struct {
	Cluster struct {
		UUID string `json:"uuid"`
	} `json:"cluster"`
	Run struct {
		ID string `json:"id"`
	} `json:"run"`
	Experiment struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"experiment"`
	Trial struct {
		ID string `json:"id"`
	} `json:"trial"`
	Cell struct {
		ID    string `json:"id"`
		Label string `json:"label"`
	} `json:"cell"`
	Phases []Phase `json:"phases"`
	// Clocks contains, for each node id, the node's clock minus the run's clock, in ms.
	Clocks map[string]float64 `json:"clocks"`
	Ended  *time.Time         `json:"ended"`
}

// Phase of the trial, by the run's clock. Until is nil as long as the end is unknown.
type Phase struct {
	Phase string     `json:"phase"`
	From  time.Time  `json:"from"`
	Until *time.Time `json:"until"`
}

// parse parses the response to a GET request for the marker.
func parse(answer []byte) (*Document, error) {
	var found struct {
		Source *Document `json:"_source"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, fmt.Errorf("parsing the marker: %w", err)
	}
	return found.Source, nil
}

// Labels returns the fields that assign an event to a trial and a phase. `at` is the time of the event by the clock of `node` (a node id).
// If the marker does not contain the node, `at` counts as a time of the run's clock. Labels returns nil if no phase contains this time.
func (d *Document) Labels(at time.Time, node string) common.MapStr {
	if d == nil {
		return nil
	}
	at = at.Add(-time.Duration(d.Clocks[node] * float64(time.Millisecond)))
	if d.Ended != nil && !at.Before(*d.Ended) {
		return nil
	}
	// The search goes from the last phase to the first, because the end of a phase may still be unknown when the next phase begins.
	for i := len(d.Phases) - 1; i >= 0; i-- {
		phase := d.Phases[i]
		if at.Before(phase.From) || (phase.Until != nil && !at.Before(*phase.Until)) {
			continue
		}
		labels := common.MapStr{"phase": phase.Phase}
		group := func(name string, fields common.MapStr) {
			for key, value := range fields {
				if value == "" {
					delete(fields, key)
				}
			}
			if len(fields) > 0 {
				labels[name] = fields
			}
		}
		group("run", common.MapStr{"id": d.Run.ID})
		group("experiment", common.MapStr{"id": d.Experiment.ID, "name": d.Experiment.Name})
		group("trial", common.MapStr{"id": d.Trial.ID})
		group("cell", common.MapStr{"id": d.Cell.ID, "label": d.Cell.Label})
		return labels
	}
	return nil
}
