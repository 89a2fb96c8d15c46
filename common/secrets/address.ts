/**
 * Reads addresses of clusters, proxies and webhooks. All other code uses this module for them, because an address may contain a password,
 * and a password may contain any characters. If an address cannot be read, {@link shownAddress} returns the text that messages may show.
 */
import { REMOVED } from './removed';

/** Advice on special characters in passwords. Each error about an address that may contain credentials ends with it. */
export const HOW_TO_ENCODE =
  'special characters in a user or password must be percent-encoded: ' +
  '/ as %2F, ? as %3F, # as %23, @ as %40, : as %3A, a comma as %2C, a blank as %20, \\ as %5C, % as %25';

export interface AddressRules {
  /**
   * Whether the address is the URL of a webhook. Such an address must name its scheme and may have a query. Its path is never shown,
   * because anyone who knows the path may post to the webhook.
   */
  webhook?: boolean;
}

export const NOT_AN_ADDRESS = 'a credential or another encoded text, not the address of a host';

/** Matches the first word of an `Authorization` header. */
const SCHEME = /^["']?(?:ApiKey|Basic|Bearer|Negotiate|Digest)["']?$/i;

/**
 * Whether an element of a list of addresses is a credential instead of a host. It is if it has no scheme such as `http`, and is the first
 * word of an `Authorization` header, a token of Elastic Cloud, or a long Base64 text.
 */
function isLikeCredential(piece: string): boolean {
  const text = piece.trim();
  if (/[/:?@]/.test(text.replace(/^(?:apikey|basic|bearer)[:=]/i, ''))) return false;
  return (
    SCHEME.test(text) ||
    text.includes('=') ||
    text.startsWith('essu_') ||
    (!text.includes('.') && text.length > 63) ||
    /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+-]{20,}$/.test(text)
  );
}

/**
 * Whether a text that should be a list of addresses is the value of a header, such as `ApiKey abc`. No part of such a text may be shown or
 * used as a host name.
 */
export const isHeaderValue = (text: string): boolean =>
  /^\s*["']?(?:authorization\s*[:=]\s*)?(?:ApiKey|Basic|Bearer|Negotiate|Digest)(?:\s|%20|["',:=]|$)/i.test(
    text,
  );

/** Returns the address, or a sentence that describes the problem. If the text contains no scheme, `http` is assumed. */
export function parseAddress(text: string, { webhook = false }: AddressRules = {}): URL | string {
  const given = text.trim();
  if (/^https?[:/\\]/i.test(given) && !/^https?:\/\/(?![/\\])/i.test(given))
    return withEncoding(
      given,
      `not a URL: write ${/^https/i.test(given) ? 'https' : 'http'}:// before the host`,
    );
  const bare = !/^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  if (isLikeCredential(given)) return NOT_AN_ADDRESS;
  if (bare && webhook) return withEncoding(given, 'not a URL: https:// or http:// is missing');
  const rest = bare ? given : given.slice(given.indexOf('://') + 3);
  const [authority = ''] = /^[^/\\?#]*/.exec(rest) ?? [];
  const behind = rest.slice(authority.length);
  // URL parsers consider a slash in a password as the end of the host. The rest of the password and its @ would become a path.
  const [path = ''] = webhook ? (/^[^?#]*/.exec(behind) ?? []) : [behind];
  if (path.includes('@')) return `not a URL: ${HOW_TO_ENCODE}`;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const ipv6 = ipv6Problem(host);
  if (ipv6 !== undefined) return ipv6;
  let url: URL;
  try {
    url = new URL(bare ? `http://${given}` : given);
  } catch {
    return withEncoding(given, 'not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the scheme must be http or https';
  if (/[,;]/.test(url.hostname)) return withEncoding(given, 'not a URL: it must name one host');
  if (!webhook && (url.search !== '' || url.hash !== '' || /[?#]/.test(behind)))
    return withEncoding(given, 'the address of a host must not contain a query or fragment');
  return url;
}

/** Returns advice for an IPv6 address without brackets or with a zone; undefined for any other host. */
function ipv6Problem(host: string): string | undefined {
  const [, bracketed, bare, zone, port = ':9200'] =
    /^(?:\[([0-9a-f:.]+)|([0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*))(%[\w.-]+)?\]?(:\d{1,5})?$/i.exec(host) ?? [];
  const address = bracketed ?? bare;
  if (address === undefined) return undefined;
  if (zone !== undefined)
    return `an IPv6 address needs brackets, and must not name a zone (${zone}): [${address}]${port}`;
  if (bare === undefined) return undefined;
  // The last group may have been meant as the port: groups of four decimal digits are rare in addresses.
  const [, before, last] = /^(.*[0-9a-f:]):([1-9]\d{3,4})$/i.exec(address) ?? [];
  return before !== undefined && isIpv6(before)
    ? `an IPv6 address needs brackets: [${before}]:${last}, or [${address}]:9200 if ${last} is not a port`
    : `an IPv6 address needs brackets: [${address}], or [${address}]:9200 with a port`;
}

const isIpv6 = (text: string): boolean => URL.canParse(`http://[${text}]`);

/** Returns `message`. If the address may contain credentials, an explanation of the encoding follows. */
const withEncoding = (given: string, message: string): string =>
  given.includes('@') || /:(?!\d{0,5}(?:[/?#]|$))(?![/\\])/.test(given)
    ? `${message}; ${HOW_TO_ENCODE}`
    : message;

/**
 * Returns the part of an address that anyone may read, whether the address is valid or not: scheme, host and port. Removes user and
 * password, everything else between scheme and host, and the query. A path is only shown if the address contains no `@`.
 */
export function shownAddress(text: string, { webhook = false }: AddressRules = {}): string {
  if (isLikeCredential(text) || isHeaderValue(text)) return REMOVED;
  const [, scheme, rest = ''] =
    /^(?:(https?|[a-z][a-z0-9+.-]*(?=:[/\\]))(?::[/\\]*|[/\\]+))?([\s\S]*)$/i.exec(text.trim()) ?? [];
  const begin = scheme === undefined ? '' : `${scheme}://`;
  const at = rest.lastIndexOf('@');
  if (at === -1) return begin + hostOf(rest, !webhook);
  // In this case, the @ may be in a value of a query, and the text after it may be the rest of this value.
  if (/[?#&;][^=@]*=/.test(rest.slice(0, at))) return begin + REMOVED;
  const host = hostOf(rest.slice(at + 1), false);
  return host === REMOVED ? begin + REMOVED : `${begin}${REMOVED}@${host}`;
}

/**
 * Returns the host at the beginning of `text`, with its port. Returns `[removed]` if the beginning may not be a host. `withPath`: whether
 * the result contains the path.
 */
function hostOf(text: string, withPath: boolean): string {
  const found =
    /^(?:\[[0-9a-f:.]+\]|[\w.*-]+|fe80:[0-9a-f:]+%[\w.-]+|[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*)(?::\d{1,5})?(?=[/?#]|$)/i.exec(
      text,
    );
  if (found === null) return REMOVED;
  const [path = ''] = /^[^?#]*/.exec(text.slice(found[0].length)) ?? [];
  const shownPath = withPath && /^[\w./~-]*$/.test(path) ? path : '';
  return found[0] + shownPath + (/[?#]/.test(text) ? `?${REMOVED}` : '');
}

/**
 * Splits a list at commas and white space. A piece with an @ and without a scheme is joined with the pieces before it. Most likely, they
 * belong to one password that contains a separator. {@link isSplitPassword} recognises such an address.
 */
export function splitAddresses(text: string): string[] {
  const addresses: string[] = [];
  for (const piece of text.split(/[\s,]+/).filter(Boolean)) {
    const isHalf = piece.includes('@') && !/^[a-z][a-z0-9+.-]*:[/\\]/i.test(piece);
    if (!isHalf || addresses.length === 0) {
      addresses.push(piece);
      continue;
    }
    // Back to the beginning of that address: the last piece with a scheme, else the first one.
    let from = addresses.length - 1;
    while (from > 0 && !/^[a-z][a-z0-9+.-]*:[/\\]/i.test(addresses[from]!)) from -= 1;
    addresses.push([...addresses.splice(from), piece].join(','));
  }
  return addresses;
}

export const isSplitPassword = (address: string): boolean => address.includes(',');

/** Decodes a user or password of a URL. A text with a single `%` that is not an escape is returned unchanged. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a list of addresses without their secrets. */
export const shownAddresses = (text: string): string =>
  isHeaderValue(text)
    ? REMOVED
    : splitAddresses(text)
        .map((address) => shownAddress(address))
        .join(', ');
