/**
 * Parses sizes in the notation of Elasticsearch: `512b`, `10kb`, `5mb`, `2gb`. Units are powers of 1024.
 *
 * Dyno uses no package for this, because packages also accept `MiB` and powers of 1000, which Elasticsearch does not accept.
 */

const BYTES_PER_UNIT: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
};

/** Form that {@link parseBytes} accepts, for error messages. */
export const BYTES_FORM = 'a number with a unit b, kb, mb, gb or tb, such as 5mb';

/** Returns the number of bytes; undefined if `text` is not a size. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(b|kb|mb|gb|tb)$/i.exec(text.trim());
  return match ? Math.round(Number(match[1]) * BYTES_PER_UNIT[match[2]!.toLowerCase()]!) : undefined;
}
