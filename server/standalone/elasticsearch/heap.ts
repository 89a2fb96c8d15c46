/** How much heap a node of the embedded Elasticsearch gets. */
import { HEAP_FORM, parseHeap } from '../../../common/experiment/requested-cluster';
import { inputError } from '../../../common/problem';

const GIB = 1024 ** 3;

/**
 * Without a wish: 1 GB for a node that is alone where three times as much is available (heap, as much again for Lucene's
 * files in the page cache, and the load generator), else 512 MB. `availableBytes` is of the machine or its container.
 */
export const defaultHeap = (nodes: number, availableBytes: number = process.availableMemory()): string =>
  nodes === 1 && availableBytes >= 3 * GIB ? '1g' : '512m';

/** Bytes as the JVM takes them: `512m`. */
export const jvmSize = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)}m`;

/** The JVM's form of what a person wrote (`1g`, `512m`, `1gb`, `1.5gb`). Throws a DynoError `elasticsearch.heap`. */
export function heapForJvm(text: string): string {
  const bytes = parseHeap(text);
  if (bytes !== undefined) return jvmSize(bytes);
  throw inputError('elasticsearch.heap', 'heap', 'is not a heap size for Elasticsearch', {
    found: text,
    allowed: HEAP_FORM,
  });
}
