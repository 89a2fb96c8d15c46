package opensearch

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/outputs/elasticsearch"
)

func init() {
	// libbeat's own check refuses OpenSearch too, because OpenSearch reports no license, but the message of that check does not help the
	// user. At each attempt to connect, libbeat runs the checks in random order, so the helpful message is logged after a few attempts. The
	// ignored error only occurs if the system has no random numbers.
	_, _ = elasticsearch.RegisterGlobalCallback(refuse)
}

// refuse returns an error if the Elasticsearch output has connected to OpenSearch.
func refuse(connection *eslegclient.Connection) error {
	var root struct {
		Version struct{ Number, Distribution string }
	}
	_, body, err := connection.Request(http.MethodGet, "/", "", nil, nil)
	if err != nil || json.Unmarshal(body, &root) != nil || root.Version.Distribution != Name {
		return nil // the output itself reports what is wrong with a connection
	}
	return fmt.Errorf("this is OpenSearch %s: rename output.elasticsearch to output.%s, with the same settings", root.Version.Number, Name)
}
