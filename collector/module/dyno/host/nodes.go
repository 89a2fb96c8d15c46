package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/elastic/beats/v7/libbeat/esleg/eslegclient"
)

// neighbours are the Elasticsearch nodes on this machine.
type neighbours struct {
	cluster string // uuid
	name    string // of the cluster
	ids     []string
	names   []string
}

type nodesAnswer struct {
	Nodes map[string]struct {
		Name string `json:"name"`
		Host string `json:"host"`
		IP   string `json:"ip"`
	} `json:"nodes"`
}

type clusterAnswer struct {
	Name string `json:"cluster_name"`
	UUID string `json:"cluster_uuid"`
}

// findNeighbours asks the cluster for its nodes. It selects the nodes on this machine: those whose address or host name is that of this
// machine.
func findNeighbours(clients []eslegclient.Connection, hostname string, own map[netip.Addr]bool) (*neighbours, error) {
	var errs []error
	for i := range clients {
		found, err := ask(&clients[i], hostname, own)
		if err == nil {
			return found, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", clients[i].URL, err))
	}
	return nil, errors.Join(errs...)
}

func ask(client *eslegclient.Connection, hostname string, own map[netip.Addr]bool) (*neighbours, error) {
	var nodes nodesAnswer
	var cluster clusterAnswer
	read := func(path, filter string, into any) error {
		_, body, err := client.Request(http.MethodGet, path, "", map[string]string{"filter_path": filter}, nil)
		if err != nil {
			return err
		}
		return json.Unmarshal(body, into)
	}
	if err := read("/_nodes/_all/transport", "nodes.*.name,nodes.*.host,nodes.*.ip", &nodes); err != nil {
		return nil, fmt.Errorf("reading the nodes: %w", err)
	}
	if err := read("/_cluster/state/version", "cluster_name,cluster_uuid", &cluster); err != nil {
		return nil, fmt.Errorf("reading the cluster's uuid: %w", err)
	}
	found := &neighbours{cluster: cluster.UUID, name: cluster.Name}
	for id, node := range nodes.Nodes {
		ip, err := netip.ParseAddr(node.IP)
		// A loopback address counts as this machine, because only nodes on this machine can be reached through it.
		here := err == nil && own[ip.Unmap().WithZone("")] || strings.EqualFold(node.Host, hostname)
		if here {
			found.ids = append(found.ids, id)
		}
	}
	slices.Sort(found.ids)
	for _, id := range found.ids {
		found.names = append(found.names, nodes.Nodes[id].Name)
	}
	return found, nil
}

// ownAddresses returns the addresses of this machine.
func ownAddresses() map[netip.Addr]bool {
	own := map[netip.Addr]bool{}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return own
	}
	for _, address := range addresses {
		if prefix, err := netip.ParsePrefix(address.String()); err == nil {
			own[prefix.Addr().Unmap().WithZone("")] = true
		}
	}
	return own
}
