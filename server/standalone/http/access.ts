/**
 * Who may come in: which host names lead here, who knows the password, and which requests no other site can have made.
 *
 * By hand: @fastify/basic-auth knows no token, and nothing of foreign host names and sites.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { REQUEST_HEADER } from '../../../common/api/request-header';
import { inputError, type DynoError } from '../../../common/problem';

export interface AccessRules {
  /** Undefined demands none. */
  password: string | undefined;
  /** Names beside those of loopback by which this server may be asked for. */
  names: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** True for an address that only this machine reaches. */
export const isLoopback = (address: string): boolean =>
  ['localhost', '::1'].includes(address) || /^127\.\d+\.\d+\.\d+$/.test(address);

/** `a.b:5605` is `a.b`; undefined for what is no host. */
function hostName(header: string | undefined): string | undefined {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return name?.toLowerCase();
}

/** Tells nothing by the time that it takes, not even a length. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The password of `Basic`, whatever its user, or the token of `Bearer`. */
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
 * Throws a DynoError: `request.unauthorised` or `request.forbidden`.
 *
 * The name in `Host` guards against DNS rebinding, where a foreign page's own name is made to lead here. With a password
 * it need not be known: browsers do not send the password of one name to another.
 */
export function checkRequest(
  method: string,
  headers: IncomingHttpHeaders,
  { password, names }: AccessRules,
): void {
  const host = hostName(headers.host);
  if (host === undefined) throw forbidden('the Host header names no host');
  if (password === undefined && ![...LOOPBACK, ...names].includes(host) && !isLoopback(host)) {
    throw forbidden('this server is not known under the requested name', [...LOOPBACK, ...names].join(', '));
  }
  if (password !== undefined) {
    const given = passwordOf(headers.authorization);
    if (given === undefined || !isSame(given, password)) {
      throw inputError('request.unauthorised', '', 'a password is required: that of DYNO_PASSWORD');
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

/** Ports are compared too; the scheme is not, for what ends TLS before this server changes it. */
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
