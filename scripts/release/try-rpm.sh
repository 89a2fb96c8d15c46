#!/bin/bash
# Installs a package of dynobeat on a system with rpm, upgrades it, removes it as docs/install.md describes, and reports faults:
# `sudo scripts/release/try-rpm.sh build/release/dynobeat-1.2.3-1.x86_64.rpm`. It also works in a container, or on a Debian with
# the package rpm, which knows none of the dependencies.
set -euo pipefail

rpm=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL $*"
  exit 1
}

# As in try-deb.sh. rpm's own records do not count.
state() {
  find /etc /usr /var /opt /srv -xdev -path /var/cache -prune -o -path '/etc/*-' -prune -o -print |
    grep -vE '^/var/(log|tmp)/(journal|apt|dnf)|^/var/lib/(rpm|dnf)|/lib/sysimage/rpm|^/usr/local' | sort
  getent passwd | sort
  getent group | sort
}

if rpm --query dynobeat 2>/dev/null; then fail 'dynobeat is installed already'; fi
state >"$work/before"

echo '== install'
rpm --install --nodeps "$rpm"
getent passwd dynobeat >/dev/null || fail 'the user is missing'
[ "$(stat -c '%U:%G %a' /etc/dynobeat/dynobeat.yml)" = 'root:dynobeat 640' ] || fail 'dynobeat.yml has another owner or mode'
if command -v systemd-analyze >/dev/null; then
  systemd-analyze verify /usr/lib/systemd/system/dynobeat.service || fail 'the unit is wrong'
fi
dynobeat version
dynobeat test config || fail 'the configuration is wrong'
echo example | dynobeat keystore add EXAMPLE --stdin --force
[ "$(stat -c %U /var/lib/dynobeat/dynobeat.keystore)" = dynobeat ] || fail 'the service cannot read the keystore'

echo '== upgrade, as the same version once more'
echo '# changed by the administrator' >>/etc/dynobeat/dynobeat.yml
kept=$(sha256sum </etc/dynobeat/dynobeat.yml)
rpm --upgrade --nodeps --replacepkgs "$rpm"
[ "$(sha256sum </etc/dynobeat/dynobeat.yml)" = "$kept" ] || fail 'the upgrade changed the configuration'
[ -e /var/lib/dynobeat/dynobeat.keystore ] || fail 'the upgrade removed the keystore'

echo '== remove'
rpm --erase dynobeat
[ ! -e /usr/bin/dynobeat ] || fail 'the command is still there'
[ -e /var/lib/dynobeat/dynobeat.keystore ] || fail 'removing deleted the keystore, which only people may'
rm -rf /etc/dynobeat /var/lib/dynobeat /var/log/dynobeat
userdel dynobeat
state >"$work/after"
diff "$work/before" "$work/after" || fail 'traces are left (see above)'
echo 'installed, upgraded and removed without a trace'
