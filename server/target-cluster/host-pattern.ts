/** Patterns of hosts in the setting of allowed hosts. */

/** Returns whether `url` matches `pattern`. A pattern has the form `host` or `host:port`, in which `*` stands for any characters. */
export function isHostPattern(pattern: string, url: string): boolean {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.toLowerCase();
  const withPort = `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
  const form = new RegExp(
    `^${pattern
      .toLowerCase()
      .split(/\*+/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
  return form.test(host) || form.test(withPort);
}
