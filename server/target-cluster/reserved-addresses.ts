/**
 * Recognises addresses that cannot belong to a cluster and that Dyno must not contact: link-local addresses, and the metadata services of
 * clouds, which return the identity and credentials of a machine.
 */
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isHostPattern } from './host-pattern';

const RESERVED = new BlockList();
// Link-local addresses. 169.254.169.254 is the metadata service of most clouds.
RESERVED.addSubnet('169.254.0.0', 16, 'ipv4');
RESERVED.addSubnet('fe80::', 10, 'ipv6');
// The same addresses in NAT64 and 6to4.
RESERVED.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
RESERVED.addSubnet('2002:a9fe::', 32, 'ipv6');
// Metadata services of AWS, Alibaba and Oracle.
RESERVED.addAddress('fd00:ec2::254', 'ipv6');
RESERVED.addAddress('100.100.100.200', 'ipv4');
RESERVED.addAddress('192.0.0.192', 'ipv4');

/** Host names that are reserved, regardless of the addresses to which they resolve. */
const RESERVED_NAMES = ['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal'];

/** Returns the host of a URL in a normal form. `URL` has already converted decimal, octal and hexadecimal IPv4 addresses. */
const bare = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');

/**
 * Returns whether Dyno must not contact the host: it is a link-local or metadata address in any spelling, or the name of a metadata
 * service.
 */
export function isReserved(hostname: string): boolean {
  const host = bare(hostname);
  const [address] = host.split('%') as [string];
  const kind = isIP(address);
  if (kind === 0) return RESERVED_NAMES.includes(host);
  // An IPv4 address embedded in IPv6 (`::ffff:`, or the older `::`) counts as the IPv4 address.
  const embedded = kind === 6 ? embeddedIn(address) : undefined;
  return (
    RESERVED.check(address, kind === 4 ? 'ipv4' : 'ipv6') ||
    (embedded !== undefined && RESERVED.check(embedded, 'ipv4'))
  );
}

/**
 * Returns the IPv4 address in an IPv6 address. For example, `::ffff:a9fe:a9fe`, `::a9fe:a9fe` and `::ffff:169.254.169.254` all contain
 * `169.254.169.254`. Undefined for other IPv6 addresses.
 */
function embeddedIn(address: string): string | undefined {
  const [, dotted] = /^::(?:ffff:(?:0:)?)?(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::(?:ffff:(?:0:)?)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const [one, two] = [parseInt(high, 16), parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join('.');
}

/**
 * Returns whether the list of allowed hosts names this host explicitly. A pattern that begins with `*` does not count. Link-local and
 * metadata addresses are allowed only if the list names them.
 */
export const isNamed = (url: string, allowed: readonly string[] | undefined): boolean =>
  allowed?.some((pattern) => !pattern.startsWith('*') && isHostPattern(pattern, url)) ?? false;

type Found = Parameters<Parameters<LookupFunction>[2]>;

/**
 * Resolves a host name as Node.js does, but leaves out link-local and metadata addresses. Fails if the name resolves only to such
 * addresses.
 */
export const lookupUnreserved: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const usable = error ? [] : addresses.filter(({ address }) => !isReserved(address));
    const [first] = usable;
    if (error || first === undefined) {
      const failure = error ?? new Error('its name resolves only to a link-local or metadata address');
      // If the name cannot be resolved, this callback is called without an address.
      (callback as (failure: Error) => void)(failure);
    } else if (options.all === true)
      (callback as unknown as (...found: [null, Found[1]]) => void)(null, usable);
    else callback(null, first.address, first.family);
  });
};
