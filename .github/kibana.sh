#!/usr/bin/env bash
# A Kibana with the plugin, and its Elasticsearch, by their official images: the jobs of versions.yml use it.
#   kibana.sh start             Elasticsearch, one with a small write queue, and Kibana with the plugin of $DYNO_ZIP
#   kibana.sh remove | install  the plugin, with Kibana stopped before and available again afterwards
#   kibana.sh logs              what they said
# $VERSION is the version of all of them. The passwords are of clusters that live as long as a job.
set -euo pipefail

network=dyno
plugins=dyno-plugins
registry=docker.elastic.co
kibana="$registry/kibana/kibana:${VERSION:?the version of Kibana}"
elasticsearch="$registry/elasticsearch/elasticsearch:$VERSION"
ES_URL="${ES_URL:-http://elastic:changeme@localhost:9200}"
KIBANA_URL="${KIBANA_URL:-http://elastic:changeme@localhost:5601}"

# until_it NAME TRIES COMMAND...
until_it() {
  local name="$1" tries="$2"
  shift 2
  for _ in $(seq "$tries"); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 2
  done
  echo "$name is not there after $tries tries" >&2
  return 1
}

is_green() { curl -sf "$1/_cluster/health?wait_for_status=yellow&timeout=1s"; }

# is_available WITH_PLUGIN
is_available() {
  local own='true'
  if [ "$1" = yes ]; then own='.status.plugins.dyno.level == "available"'; fi
  curl -sf "$KIBANA_URL/api/status" | jq -e ".status.overall.level == \"available\" and $own"
}

# The plugins of the image are in a volume, so that they outlive the container that installs or removes one.
plugin() {
  docker run --rm -v "$plugins:/usr/share/kibana/plugins" -v "${DYNO_ZIP:?the zip of the plugin}:/tmp/dyno.zip:ro" \
    --entrypoint bin/kibana-plugin "$kibana" "$@"
}

start() {
  docker network create "$network"
  docker run -d --name elasticsearch --network "$network" -p 127.0.0.1:9200:9200 -e discovery.type=single-node \
    -e ELASTIC_PASSWORD=changeme -e xpack.security.http.ssl.enabled=false -e ES_JAVA_OPTS='-Xms1g -Xmx1g' "$elasticsearch"
  # Only Kibana sends to it, as http://small-queue:9200.
  docker run -d --name small-queue --network "$network" -e discovery.type=single-node \
    -e xpack.security.enabled=false -e thread_pool.write.queue_size=4 -e ES_JAVA_OPTS='-Xms512m -Xmx512m' "$elasticsearch"
  until_it Elasticsearch 120 is_green "$ES_URL"
  curl -sf -H 'content-type: application/json' -d '{"password":"changeme"}' "$ES_URL/_security/user/kibana_system/_password"
  plugin install file:///tmp/dyno.zip
  docker run -d --name kibana --network "$network" -p 127.0.0.1:5601:5601 -v "$plugins:/usr/share/kibana/plugins" \
    -e ELASTICSEARCH_HOSTS=http://elasticsearch:9200 -e ELASTICSEARCH_USERNAME=kibana_system \
    -e ELASTICSEARCH_PASSWORD=changeme -e XPACK_ENCRYPTEDSAVEDOBJECTS_ENCRYPTIONKEY="$(openssl rand -hex 16)" "$kibana"
  until_it Kibana 150 is_available yes
}

# change remove|install
change() {
  docker stop kibana
  if [ "$1" = remove ]; then plugin remove dyno; else plugin install file:///tmp/dyno.zip; fi
  docker start kibana
  until_it Kibana 150 is_available "$([ "$1" = install ] && echo yes || echo no)"
}

case "${1:-}" in
  start) start ;;
  remove | install) change "$1" ;;
  logs) for one in kibana elasticsearch small-queue; do docker logs --tail 200 "$one" || true; done ;;
  *) echo 'start, remove, install or logs' >&2; exit 2 ;;
esac
