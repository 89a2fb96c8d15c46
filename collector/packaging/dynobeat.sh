#!/bin/sh
# dynobeat with the paths of its package. What root calls runs as the service's user, so that both may read the keystore. With a
# configuration or paths of one's own, as `dyno start` gives them, it is dynobeat as it is.
case " $* " in
*' -c '* | *' -c='* | *' --path.'* | *' -path.'*) exec /usr/share/dynobeat/bin/dynobeat "$@" ;;
esac
set -- /usr/share/dynobeat/bin/dynobeat \
  --path.home /usr/share/dynobeat --path.config /etc/dynobeat --path.data /var/lib/dynobeat --path.logs /var/log/dynobeat "$@"
if [ "$(id -u)" = 0 ]; then
  set -- setpriv --reuid=dynobeat --regid=dynobeat --init-groups --inh-caps=-all "$@"
fi
exec "$@"
