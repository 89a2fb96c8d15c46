// Package opensearch is the output that stores events in OpenSearch. libbeat's Elasticsearch output does not work with it: because
// OpenSearch has the versions 2 and 3, that output treats it as Elasticsearch before 7 and adds a `_type` to each event, which OpenSearch
// refuses.
package opensearch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/elastic/beats/v7/libbeat/beat"
	"github.com/elastic/beats/v7/libbeat/beat/events"
	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/logp"
	"github.com/elastic/beats/v7/libbeat/outputs"
	"github.com/elastic/beats/v7/libbeat/publisher"
	"github.com/elastic/beats/v7/libbeat/testing"
)

// Name of the output in the configuration.
const Name = "opensearch"

func init() { outputs.RegisterType(Name, newOutput) }

// config contains the settings of the output that the connections themselves do not read. They have the same names and defaults as those of
// the Elasticsearch output.
type config struct {
	LoadBalance bool `config:"loadbalance"`
	BulkMaxSize int  `config:"bulk_max_size"`
	MaxRetries  int  `config:"max_retries"`
	Backoff     struct {
		Init time.Duration `config:"init" validate:"positive"`
		Max  time.Duration `config:"max" validate:"positive"`
	} `config:"backoff"`
}

// defaultCompression is the compression level of requests if the settings contain none.
const defaultCompression = 1

func newOutput(indices outputs.IndexManager, about beat.Info, observer outputs.Observer, settings *common.Config) (outputs.Group, error) {
	config := config{LoadBalance: true, BulkMaxSize: 50, MaxRetries: 3}
	config.Backoff.Init, config.Backoff.Max = time.Second, time.Minute
	if err := settings.Unpack(&config); err != nil {
		return outputs.Fail(fmt.Errorf("reading output.%s: %w", Name, err))
	}
	index, err := indices.BuildSelector(settings)
	if err != nil {
		return outputs.Fail(err)
	}
	if !settings.HasField("compression_level") {
		if err := settings.SetInt("compression_level", -1, defaultCompression); err != nil {
			return outputs.Fail(err)
		}
	}
	connections, err := eslegclient.NewClients(settings, about.Beat)
	if err != nil {
		return outputs.Fail(fmt.Errorf("reading output.%s: %w", Name, err))
	}
	clients := make([]outputs.NetworkClient, len(connections))
	for i := range connections {
		own := &client{connection: &connections[i], index: index, observer: observer, log: logp.NewLogger(Name)}
		clients[i] = outputs.WithBackoff(own, config.Backoff.Init, config.Backoff.Max)
	}
	return outputs.SuccessNet(config.LoadBalance, config.BulkMaxSize, config.MaxRetries, clients)
}

// client sends events to one node.
type client struct {
	connection *eslegclient.Connection
	index      outputs.IndexSelector
	observer   outputs.Observer
	log        *logp.Logger
}

func (c *client) Connect() error        { return c.connection.Connect() }
func (c *client) Close() error          { return c.connection.Close() }
func (c *client) Test(d testing.Driver) { c.connection.Test(d) }
func (c *client) String() string        { return Name + "(" + c.connection.URL + ")" }

// Publish stores a batch of events. It returns failed events to the batch, and libbeat's pipeline then sends these again.
func (c *client) Publish(ctx context.Context, batch publisher.Batch) error {
	all := batch.Events()
	c.observer.NewBatch(len(all))
	rest, err := c.store(ctx, all)
	if len(rest) == 0 {
		batch.ACK()
	} else {
		c.observer.Failed(len(rest))
		batch.RetryEvents(rest)
	}
	return err
}

// bulkAnswer is an answer of `_bulk`. It has one item for each action, in the same order.
type bulkAnswer struct {
	Items []map[string]struct {
		Status int             `json:"status"`
		Error  json.RawMessage `json:"error"`
	} `json:"items"`
}

// store sends events in a bulk request. It returns the events that must be sent again, and the reason.
func (c *client) store(ctx context.Context, all []publisher.Event) ([]publisher.Event, error) {
	sent := make([]publisher.Event, 0, len(all))
	lines := make([]any, 0, 2*len(all))
	for _, each := range all {
		event := &each.Content
		index, err := c.index.Select(event)
		if err != nil {
			c.log.Errorf("dropped an event, because its index is unknown: %v", err)
			continue
		}
		id, _ := events.GetMetaStringValue(*event, events.FieldMetaID)
		lines = append(lines, eslegclient.BulkCreateAction{Create: eslegclient.BulkMeta{Index: index, ID: id}}, event)
		sent = append(sent, each)
	}
	c.observer.Dropped(len(all) - len(sent))
	if len(sent) == 0 {
		return nil, nil
	}
	_, body, err := c.connection.Bulk(ctx, "", "", nil, lines)
	if err != nil {
		return sent, fmt.Errorf("storing events: %w", err)
	}
	var answer bulkAnswer
	if err := json.Unmarshal(body, &answer); err != nil {
		return sent, fmt.Errorf("reading the answer of _bulk: %w", err)
	}
	if len(answer.Items) != len(sent) {
		return sent, fmt.Errorf("reading the answer of _bulk: found %d items, expected %d", len(answer.Items), len(sent))
	}
	return c.failed(sent, answer)
}

// failed counts the outcomes of a bulk request. It returns the events that failed for a reason that may be temporary.
func (c *client) failed(sent []publisher.Event, answer bulkAnswer) ([]publisher.Event, error) {
	var rest []publisher.Event
	var reason error
	var stored, known, refused int
	for i, item := range answer.Items {
		outcome := item["create"]
		switch status := outcome.Status; {
		case status >= 200 && status < 300:
			stored++
		case status == http.StatusConflict: // it was stored by an earlier request, whose answer got lost
			known++
		case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
			refused++
			c.log.Warnf("dropped an event, which was refused with status %d: %.500s", status, outcome.Error)
		default:
			rest = append(rest, sent[i])
			reason = fmt.Errorf("storing events: %d of %d failed, the last one with status %d: %.500s", len(rest), len(sent), status, outcome.Error)
			if status == http.StatusTooManyRequests {
				c.observer.ErrTooMany(1)
			}
		}
	}
	c.observer.Acked(stored)
	c.observer.Duplicate(known)
	c.observer.Dropped(refused)
	return rest, reason
}
