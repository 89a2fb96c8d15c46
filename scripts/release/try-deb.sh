#!/bin/bash
# Installs a package of dynobeat on this Debian or Ubuntu, upgrades it, removes it, and reports faults:
# `sudo scripts/release/try-deb.sh build/release/dynobeat_1.2.3_amd64.deb`. With ES_URL, it also ships events to that cluster.
set -euo pipefail

deb=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL $*"
  exit 1
}

# Lists all paths where a package may leave files, and the users. dpkg's own records, backups of the list of users and the log of
# installations do not count.
state() {
  find /etc /usr /var /opt /srv -xdev -path /var/lib/dpkg -prune -o -path /var/log/dpkg.log -prune -o -path /var/cache -prune \
    -o -path '/etc/*-' -prune -o -print | grep -vE '^/var/(log|tmp)/(journal|apt)|^/usr/local' | sort
  getent passwd | sort
  getent group | sort
}

if dpkg-query --show dynobeat 2>/dev/null; then fail 'dynobeat is installed already'; fi
state >"$work/before"

echo '== install'
dpkg --install "$deb"
getent passwd dynobeat >/dev/null || fail 'the user is missing'
[ "$(stat -c '%U:%G %a' /etc/dynobeat/dynobeat.yml)" = 'root:dynobeat 640' ] || fail 'dynobeat.yml has another owner or mode'
systemd-analyze verify /usr/lib/systemd/system/dynobeat.service || fail 'the unit is wrong'
dynobeat version
dynobeat test config || fail 'the configuration is wrong'
echo example | dynobeat keystore add EXAMPLE --stdin --force
[ "$(stat -c %U /var/lib/dynobeat/dynobeat.keystore)" = dynobeat ] || fail 'the service cannot read the keystore'

if [ -n "${ES_URL:-}" ]; then
  echo "== ship to $ES_URL"
  sed -i "s,http://localhost:9200,$ES_URL," /etc/dynobeat/dynobeat.yml
  # Starts dynobeat as the unit does: with its user and its command.
  read -ra command < <(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/dynobeat.service)
  setpriv --reuid=dynobeat --regid=dynobeat --init-groups "${command[@]}" &
  service=$!
  found=0
  for _ in $(seq 30); do
    found=$(curl -s "$ES_URL/dyno-metrics-*/_count?ignore_unavailable=true" | sed -n 's/^{"count":\([0-9]*\).*/\1/p')
    [ "${found:-0}" -ge 4 ] && break
    sleep 1
  done
  kill "$service"
  wait "$service" || true
  [ "${found:-0}" -ge 4 ] || fail "only ${found:-0} events came"
  echo "$found events came"
fi

echo '== upgrade, to a version with another configuration'
echo '# changed by the administrator' >>/etc/dynobeat/dynobeat.yml
kept=$(sha256sum </etc/dynobeat/dynobeat.yml)
dpkg-deb --raw-extract "$deb" "$work/next"
sed -i 's/^Version: \(.*\)/Version: \1+next/' "$work/next/DEBIAN/control"
echo '# changed by the package' >>"$work/next/etc/dynobeat/dynobeat.yml"
(cd "$work/next" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --build "$work/next" "$work/next.deb"
dpkg --install --force-confold "$work/next.deb" </dev/null
dpkg-query --show dynobeat
[ "$(sha256sum </etc/dynobeat/dynobeat.yml)" = "$kept" ] || fail 'the upgrade changed the configuration'
[ -e /var/lib/dynobeat/dynobeat.keystore ] || fail 'the upgrade removed the keystore'

echo '== remove'
dpkg --remove dynobeat
[ ! -e /usr/bin/dynobeat ] || fail 'the command is still there'
[ -e /etc/dynobeat/dynobeat.yml ] || fail 'removing deleted the configuration, which only purging may'

echo '== purge'
dpkg --purge dynobeat
state >"$work/after"
diff "$work/before" "$work/after" || fail 'traces are left (see above)'
echo 'installed, upgraded and removed without a trace'
