/** Reads where a cluster is: a list of URLs, taken apart into addresses and the credentials that stood in them. */
import { DynoError, inputError, type Problem } from '../../common/problem';

const ALLOWED = 'http://host:9200, https://user:password@host:9243/path, host:9200, or a cloud id';
const DEFAULT_PORT = 9200;

/** `text` without what stands before an `@`: fit to be shown. */
export const withoutCredentials = (text: string): string => text.replace(/^([a-z]+:\/\/)?[^/]*@/i, '$1');

/**
 * URLs from a list separated by commas or white space, credentials still in them. A host without a scheme is taken as
 * `http`, and on port 9200 if it names none; a cloud id as the Elasticsearch that it names. Throws a DynoError `target.hosts` (input) that lists every bad one.
 */
export const parseHosts = (text: string): string[] => checkHosts(text.split(/[\s,]+/).filter(Boolean));

/** Like {@link parseHosts}, for hosts that are a list already. */
function checkHosts(parts: readonly string[]): string[] {
  if (parts.length === 0) {
    throw inputError('target.hosts', 'hosts', 'no host is given', { allowed: ALLOWED });
  }
  const problems: Problem[] = [];
  const urls: string[] = [];
  parts.forEach((part, position) => {
    const url = parseHost(part);
    if (typeof url !== 'string') urls.push(url.href);
    else {
      const found = withoutCredentials(part);
      problems.push({
        code: 'target.hosts',
        path: `hosts[${position}]`,
        message: url,
        found,
        allowed: ALLOWED,
      });
    }
  });
  if (problems.length > 0) throw new DynoError('input', problems);
  return urls;
}

/** A name, a colon and Base64 of what is longer than any port. */
const CLOUD_ID = /^[^:/@\s]*:([A-Za-z0-9+/]{16,}={0,2})$/;
const CLOUD_PORT = '443';

/**
 * Where Elasticsearch is that a cloud id names; undefined where `part` is none. It is `<name>:<Base64>` of
 * `<domain>[:<port>]$<Elasticsearch's host>[:<port>]$<Kibana's host>`, as Elastic Cloud shows it and Beats read it (`cloud.id`).
 */
function fromCloudId(part: string): URL | string | undefined {
  const encoded = CLOUD_ID.exec(part)?.[1];
  if (encoded === undefined) return undefined;
  const [domain = '', elasticsearch = ''] = Buffer.from(encoded, 'base64').toString('utf8').split('$');
  const [zone = '', zonePort = CLOUD_PORT] = domain.split(':');
  const [name = '', port = zonePort] = elasticsearch.split(':');
  const isName = (text: string): boolean => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text);
  if (!isName(zone) || !isName(name) || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return 'looks like a cloud id, and names no Elasticsearch';
  }
  return new URL(`https://${name}.${zone}:${port}`);
}

/** The URL, or what is wrong with it. */
function parseHost(part: string): URL | string {
  const cloud = fromCloudId(part);
  if (cloud !== undefined) return cloud;
  const bare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(part);
  let url: URL;
  try {
    url = new URL(bare ? `http://${part}` : part);
  } catch {
    return 'not a URL';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https are spoken';
  if (url.search !== '' || url.hash !== '') return 'a host has neither a query nor a fragment';
  if (bare && url.port === '' && !/:80(\/|$)/.test(part)) url.port = String(DEFAULT_PORT);
  return url;
}

/** Where to connect, with nothing secret in it. */
export interface Address {
  /** Scheme, host and port. */
  origin: string;
  /** Path before each request's, without a trailing slash; mostly ''. */
  prefix: string;
  /** `origin` and `prefix`. */
  url: string;
}

/**
 * Takes the credentials out of `hosts`. `authorization` is that of the URLs, undefined if they carry none.
 * Throws a DynoError `target.hosts` (input) when two hosts carry different ones: a cluster has one user at a time.
 */
export function takeApart(hosts: readonly string[]): {
  addresses: Address[];
  authorization: string | undefined;
} {
  const seen = new Set<string>();
  const addresses = checkHosts(hosts).map((host): Address => {
    const url = new URL(host);
    if (url.username !== '' || url.password !== '') {
      seen.add(basic(decode(url.username), decode(url.password)));
    }
    const prefix = url.pathname.replace(/\/+$/, '');
    return { origin: url.origin, prefix, url: url.origin + prefix };
  });
  if (seen.size > 1) throw inputError('target.hosts', 'hosts', 'the hosts carry different credentials');
  return { addresses, authorization: [...seen][0] };
}

/** URLs keep special characters percent-encoded; a lone `%` stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The `authorization` header of a user and a password. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
