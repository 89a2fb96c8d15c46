package marker

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/elastic/beats/v7/libbeat/common"
	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/logp"
)

// Index holds one marker for each cluster; its id is the cluster's uuid.
const Index = "dyno-markers"

const (
	// timeout of a read: the events of the period wait for it.
	timeout = time.Second
	// patience: a results cluster that let us wait is left alone for that many times as long.
	patience   = 10
	longestGap = time.Minute
)

// Reader reads markers from the results cluster. Safe for concurrent use.
type Reader struct {
	mutex    sync.Mutex
	clients  []eslegclient.Connection
	log      *logp.Logger
	away     bool
	notUntil time.Time
}

var (
	sharedMutex sync.Mutex
	shared      *Reader
)

// Configure sets what Shared returns: by the section `dynobeat.marker` (settings as of the Elasticsearch output, and
// `enabled`), or, where that names no hosts, by the Elasticsearch output itself.
func Configure(section *common.Config, output common.ConfigNamespace) error {
	reader, err := newReader(section, output)
	if err != nil {
		return err
	}
	sharedMutex.Lock()
	defer sharedMutex.Unlock()
	shared = reader
	return nil
}

// Shared is the reader of this process; nil when there is none, which reads nothing.
func Shared() *Reader {
	sharedMutex.Lock()
	defer sharedMutex.Unlock()
	return shared
}

func newReader(section *common.Config, output common.ConfigNamespace) (*Reader, error) {
	log := logp.NewLogger("marker")
	settings := section
	if section == nil || !section.HasField("hosts") {
		if section != nil && !section.Enabled() {
			return nil, nil
		}
		if output.Name() != "elasticsearch" {
			log.Infof("the output is no Elasticsearch and dynobeat.marker.hosts is not set: events will carry no trial")
			return nil, nil
		}
		settings = output.Config()
	}
	if !settings.Enabled() {
		return nil, nil
	}
	own := common.MapStr{"timeout": timeout.String()}
	settings, err := common.MergeConfigs(settings, common.MustNewConfigFrom(own))
	if err != nil {
		return nil, fmt.Errorf("setting the timeout: %w", err)
	}
	clients, err := eslegclient.NewClients(settings, "dynobeat")
	if err != nil {
		return nil, err
	}
	return &Reader{clients: clients, log: log}, nil
}

// Read fetches the marker of a cluster: nil when there is none, or when it cannot be read, which is said once, and once
// when it can be read again.
func (r *Reader) Read(cluster string) *Document {
	if r == nil || cluster == "" {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	start := time.Now()
	if start.Before(r.notUntil) {
		return nil
	}
	document, err := r.fetch(cluster)
	switch {
	case err != nil:
		r.notUntil = time.Now().Add(min(patience*time.Since(start), longestGap))
		if !r.away {
			r.log.Warnf("cannot read the marker of cluster %s: events carry no trial until it is back: %v", cluster, err)
		}
		r.away = true
	case r.away:
		r.log.Infof("the marker of cluster %s can be read again", cluster)
		r.away = false
	}
	return document
}

// fetch asks one host after the other, the one that answered last first.
func (r *Reader) fetch(cluster string) (*Document, error) {
	var errs []error
	for i := range r.clients {
		client := &r.clients[i]
		status, answer, err := client.Request(http.MethodGet, "/"+Index+"/_doc/"+url.PathEscape(cluster), "", nil, nil)
		if status == http.StatusNotFound {
			return nil, nil
		}
		if err == nil {
			var document *Document
			if document, err = parse(answer); err == nil {
				r.clients[0], r.clients[i] = r.clients[i], r.clients[0]
				return document, nil
			}
		}
		errs = append(errs, fmt.Errorf("%s: %w", client.URL, err))
	}
	return nil, errors.Join(errs...)
}
