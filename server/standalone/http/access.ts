/**
 * Decides whether a request is allowed. Checks the host name, the password, and that the request does not come from a page of another web
 * site. The package @fastify/basic-auth is not used, because it supports no tokens and checks neither host names nor other sites.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { REQUEST_HEADER } from '../../../common/api/request-header';
import { inputError, type DynoError } from '../../../common/problem';

export interface AccessRules {
  /** Required password; undefined if none is required. */
  password: string | undefined;
  /** Additional host names of this server, besides the host names of loopback. */
  names: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns true for an address that only this machine can reach. */
export const isLoopback = (address: string): boolean =>
  ['localhost', '::1'].includes(address) || /^127\.\d+\.\d+\.\d+$/.test(address);

/** Returns the host name in a `Host` header, such as `a.b` for `a.b:5605`. Undefined if the header contains no valid host. */
function hostName(header: string | undefined): string | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return name?.toLowerCase();
}

/** Returns whether two passwords are equal. The time of the comparison reveals nothing about the expected password, not even its length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Returns the password or token in an `Authorization` header: the password of the scheme `Basic` (the user name is ignored), or the token
 * of the scheme `Bearer`. Undefined for any other header.
 */
function passwordOf(header: string | undefined): string | undefined {
  const [, scheme, value] = /^(basic|bearer) +(\S+) *$/i.exec(header ?? '') ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : undefined;
}

const forbidden = (message: string, allowed?: string): DynoError =>
  inputError('request.forbidden', '', message, allowed === undefined ? {} : { allowed });

/**
 * Checks a request. Throws a DynoError: `request.unauthorised` or `request.forbidden`. If the server has no password, the header `Host`
 * must name this server. This protects against DNS rebinding, where the name of a malicious site resolves to this server. If the server has
 * a password, the header may name any host: browsers send a password only to the host name for which it was entered.
 */
export function checkRequest(
  method: string,
  headers: IncomingHttpHeaders,
  { password, names }: AccessRules,
): void {
  const host = hostName(headers.host);
  if (host === undefined) throw forbidden('the Host header contains no valid host');
  if (password === undefined && ![...LOOPBACK, ...names].includes(host) && !isLoopback(host)) {
    throw forbidden('this server is not known under the requested name', [...LOOPBACK, ...names].join(', '));
  }
  if (password !== undefined) {
    const given = passwordOf(headers.authorization);
    if (given === undefined || !isSame(given, password)) {
      throw inputError('request.unauthorised', '', 'a password is required: the one in DYNO_PASSWORD');
    }
  }
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
  if (headers[REQUEST_HEADER] === undefined) {
    throw forbidden(`the header ${REQUEST_HEADER} is missing`, `${REQUEST_HEADER}: 1`);
  }
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, headers.host!)) {
    throw forbidden('the request comes from a page of another site');
  }
}

/**
 * Returns whether the origin of a request is this server. Compares host and port, but not the scheme, because a proxy that terminates TLS
 * changes the scheme.
 */
function isOwn(origin: string, host: string): boolean {
  try {
    const url = new URL(origin);
    const [, port = ''] = /:(\d+)$/.exec(host) ?? [];
    const implied = url.protocol === 'https:' ? '443' : '80';
    return url.hostname === hostName(host) && (url.port || implied) === (port || implied);
  } catch {
    return false;
  }
}
