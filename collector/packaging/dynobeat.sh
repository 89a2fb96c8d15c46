#!/bin/sh
# Runs dynobeat with the paths of its package. Called by root, it runs as the service's user, so that both can read the keystore. With your
# own configuration or paths, such as those of `dyno start`, it runs dynobeat unchanged.
case " $* " in
*' -c '* | *' -c='* | *' --path.'* | *' -path.'*) exec /usr/share/dynobeat/bin/dynobeat "$@" ;;
esac
set -- /usr/share/dynobeat/bin/dynobeat \
  --path.home /usr/share/dynobeat --path.config /etc/dynobeat --path.data /var/lib/dynobeat --path.logs /var/log/dynobeat "$@"
if [ "$(id -u)" = 0 ]; then
  set -- setpriv --reuid=dynobeat --regid=dynobeat --init-groups --inh-caps=-all "$@"
fi
exec "$@"
