package opensearch

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
	"github.com/elastic/beats/v7/libbeat/outputs/elasticsearch"
)

func init() {
	// The error is for lack of random numbers. Without the check, the first bulk request fails with a message about `_type`.
	_, _ = elasticsearch.RegisterConnectCallback(refuse)
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
