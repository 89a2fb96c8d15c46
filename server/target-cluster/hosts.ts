/** Parses a list of hosts of a cluster, and separates their addresses from their credentials. */
import { DynoError, inputError, type Problem } from '../../common/problem';
import {
  decodePart,
  HOW_TO_ENCODE,
  isSplitPassword,
  parseAddress,
  isHeaderValue,
  NOT_AN_ADDRESS,
  shownAddress,
  splitAddresses,
} from '../../common/secrets/address';

const ALLOWED = 'http://host:9200, https://user:password@host:9243/path, host:9200, or a cloud id';
const DEFAULT_PORT = 9200;

/**
 * Returns URLs, with their credentials, from a list separated by commas or white space. A host without a scheme gets `http`, and port 9200
 * if it names no port. A cloud id becomes the URL of its Elasticsearch. Throws a DynoError `target.hosts` (input) that lists all invalid
 * hosts.
 */
export const parseHosts = (text: string): string[] =>
  checkHosts(isHeaderValue(text) ? [text] : splitHosts(text));

/** Splits the list. Cloud ids are extracted first, because their labels may contain blanks. */
function splitHosts(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  const cloudIds = parts.filter(isCloudIdWithBlanks);
  const others = parts.filter((part) => !isCloudIdWithBlanks(part));
  return [...cloudIds, ...splitAddresses(cloudIds.length === 0 ? text : others.join())];
}

const isCloudIdWithBlanks = (part: string): boolean =>
  /\s/.test(part) && !/:\/\/|@|:\d{1,5}\s/.test(part) && decoded(part) !== undefined;

/** Checks a list of hosts. Returns their URLs with credentials. Throws a DynoError `target.hosts` (input) that lists all invalid hosts. */
function checkHosts(parts: readonly string[]): string[] {
  if (parts.length === 0) {
    throw inputError('target.hosts', 'hosts', 'no host is given', { allowed: ALLOWED });
  }
  const problems: Problem[] = [];
  const urls: string[] = [];
  parts.forEach((part, position) => {
    const url = parseHost(part);
    if (typeof url !== 'string') urls.push(url.href);
    else
      problems.push({
        code: 'target.hosts',
        path: `hosts[${position}]`,
        message: url,
        found: shownAddress(part),
        allowed: ALLOWED,
      });
  });
  if (problems.length > 0) throw new DynoError('input', problems);
  return urls;
}

const CLOUD_PORT = '443';
/** Matches a text that looks like a cloud id: a label, a colon, and Base64 text of at least 16 characters. A port is never this long. */
const LIKE_CLOUD_ID = /^[^:/@]*:([A-Za-z0-9+/]{16,}={0,2})$/;
const CLOUD_HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i;

/**
 * Decodes a cloud id, such as `label:ZG9tYWlu...`; the label is optional. The Base64 text after the last colon contains
 * `<domain>[:<port>]$<Elasticsearch's host>[:<port>]$<Kibana's host>`. Returns the texts between the `$`; undefined for any other text.
 */
function decoded(text: string): string[] | undefined {
  const encoded = text.slice(text.lastIndexOf(':') + 1);
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(encoded)) return undefined;
  const parts = Buffer.from(encoded, 'base64').toString('utf8').split('$');
  const [domain = '', elasticsearch = ''] = parts;
  return CLOUD_HOST.test(domain) && CLOUD_HOST.test(elasticsearch) ? parts : undefined;
}

/**
 * Returns the URL of the Elasticsearch in a cloud id. Returns a sentence with the problem if the cloud id is invalid, and undefined for a
 * text that is not a cloud id.
 */
function fromCloudId(part: string): URL | string | undefined {
  if (part.includes('://') || part.includes('@')) return undefined;
  const parts = decoded(part);
  if (parts === undefined)
    return LIKE_CLOUD_ID.test(part)
      ? `looks like a cloud id, but contains no Elasticsearch host; if it is a user and a password, the host is missing: https://user:password@host`
      : undefined;
  const [domain = '', elasticsearch = ''] = parts;
  const [zone = '', zonePort = CLOUD_PORT] = domain.split(':');
  const [name = '', port = zonePort] = elasticsearch.split(':');
  if (Number(port) > 65_535) return 'looks like a cloud id, but has a port above 65535';
  return new URL(`https://${name}.${zone}:${port}`);
}

/** Returns the URL, or a sentence with the problem if the host is invalid. */
function parseHost(part: string): URL | string {
  if (isHeaderValue(part))
    return `${NOT_AN_ADDRESS}: an API key belongs in DYNO_TARGET_API_KEY (DYNO_RESULTS_API_KEY for the results), and a user and password before the host`;
  const cloud = fromCloudId(part);
  if (cloud !== undefined) return cloud;
  if (isSplitPassword(part)) return `not a list of URLs: ${HOW_TO_ENCODE}. Write the scheme before each host`;
  const url = parseAddress(part);
  if (typeof url === 'string') return url;
  const bare = !/^https?:\/\//i.test(part.trim());
  if (bare && url.port === '' && !/:80(\/|$)/.test(part)) url.port = String(DEFAULT_PORT);
  return url;
}

/** An address to connect to, without secrets. */
export interface Address {
  /** Scheme, host and port. */
  origin: string;
  /** Path that precedes the path of each request, without a trailing slash. Usually ''. */
  prefix: string;
  /** `origin` followed by `prefix`. */
  url: string;
}

/**
 * Splits `hosts` into addresses and credentials. `authorization` in the result: header for the credentials in the URLs; undefined if the
 * URLs contain no credentials. Throws a DynoError `target.hosts` (input) if two hosts have different credentials.
 */
export function takeApart(hosts: readonly string[]): {
  addresses: Address[];
  authorization: string | undefined;
} {
  const seen = new Set<string>();
  const addresses = checkHosts(hosts).map((host): Address => {
    const url = new URL(host);
    if (url.username !== '' || url.password !== '') {
      seen.add(basic(decodePart(url.username), decodePart(url.password)));
    }
    const prefix = url.pathname.replace(/\/+$/, '');
    return { origin: url.origin, prefix, url: url.origin + prefix };
  });
  if (seen.size > 1) throw inputError('target.hosts', 'hosts', 'the hosts have different credentials');
  return { addresses, authorization: [...seen][0] };
}

/** Returns the URLs of a list of hosts without credentials, for display. Throws the errors of {@link parseHosts}. */
export const shownHosts = (text: string): string =>
  takeApart(parseHosts(text))
    .addresses.map(({ url }) => url)
    .join(',');

/** Returns the `authorization` header for a user and a password. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
