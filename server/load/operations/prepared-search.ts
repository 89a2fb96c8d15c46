/** A search, ready to be sent. */
export interface PreparedSearch {
  /** Figures are kept by it; '' for none of its own. */
  name: string;
  /** And by this beside it: which way it went; '' for nothing. */
  route: string;
  path: string;
  body: Buffer;
}

/** Rendered once: nothing is left to do when it is sent. */
export const prepareSearch = (
  { name, body, params }: { name: string; body: string; params: string },
  indices: readonly string[],
): PreparedSearch => ({
  name,
  route: '',
  path: `/${encodeURIComponent(indices.join())}/_search${params === '' ? '' : `?${params}`}`,
  body: Buffer.from(body, 'utf8'),
});
