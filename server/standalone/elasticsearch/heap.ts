/** How much heap a node of the embedded Elasticsearch gets. */
import { inputError } from '../../../common/problem';
import { parseBytes } from '../../../common/units/bytes';

const GIB = 1024 ** 3;

/**
 * Without a wish: 1 GB for a node that is alone where three times as much is available (heap, as much again for Lucene's
 * files in the page cache, and the load generator), else 512 MB. `availableBytes` is of the machine or its container.
 */
export const defaultHeap = (nodes: number, availableBytes: number = process.availableMemory()): string =>
  nodes === 1 && availableBytes >= 3 * GIB ? '1g' : '512m';

/** The JVM's form of what a person wrote (`1g`, `512m`, `1gb`, `1.5gb`). Throws a DynoError `elasticsearch.heap`. */
export function heapForJvm(text: string): string {
  const bytes = parseBytes(/[kmg]$/i.test(text) ? `${text}b` : text);
  const mebibytes = Math.floor((bytes ?? 0) / 1024 ** 2);
  if (mebibytes >= 128) return `${mebibytes}m`;
  throw inputError('elasticsearch.heap', 'heap', 'is no heap size for Elasticsearch', {
    found: text,
    allowed: 'a size from 128m, such as 512m or 1g',
  });
}
