/** Explains why a request was too large for a node, or for a proxy in front of it. */

const UNITS = ['b', 'kb', 'mb', 'gb'] as const;

/** Formats a size in the notation of Elasticsearch's settings, such as `100mb`, rounded to a tenth. */
export function settingSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Math.round(value * 10) / 10}${UNITS[unit]}`;
}

const ADVICE = 'lower bulk.bytes or bulk.docs';

/**
 * Explains the status 413 for a bulk request of `bytes` bytes. `limit`: the nodes' `http.max_content_length` in bytes; undefined if
 * unknown. If the request is smaller than the limit, a proxy in front of the nodes must have refused it.
 */
export function tooLargeReason(bytes: number, limit: number | undefined): string {
  if (limit === undefined) return `413: larger than http.max_content_length (100mb by default); ${ADVICE}`;
  const here = `http.max_content_length (${settingSize(limit)} here)`;
  return bytes > limit
    ? `413: larger than ${here}; ${ADVICE}`
    : `413: a bulk of ${settingSize(bytes)} is larger than a proxy in front of the target accepts, though not than ${here}; ${ADVICE}`;
}

/** Limit that many proxies have for the size of a request, in bytes (`client_max_body_size` of nginx). */
export const LARGE_REQUEST = 1024 ** 2;

/**
 * Explains why the connection was closed before the response to a bulk request came. The request may have been too large. `bytes`: size of
 * the request. `limit`: the nodes' `http.max_content_length` in bytes; undefined if unknown. `error`: message of the operating system.
 */
export function connectionLostReason(bytes: number, limit: number | undefined, error: string): string {
  if (limit !== undefined && bytes > limit) return tooLargeReason(bytes, limit);
  if (bytes <= LARGE_REQUEST) return error;
  const here = limit === undefined ? '100mb by default' : `${settingSize(limit)} here`;
  return (
    `${error}: the connection was closed before a bulk of ${settingSize(bytes)} was answered; if a proxy in front of the ` +
    `target accepts less than http.max_content_length (${here}), ${ADVICE}`
  );
}
