/** Heap size of the nodes of the embedded Elasticsearch. */
import { HEAP_FORM, parseHeap } from '../../../common/experiment/requested-cluster';
import { inputError } from '../../../common/problem';

const GIB = 1024 ** 3;

/**
 * Returns the default heap of a node: 1 GB if the cluster has one node and 3 GB of memory are available, otherwise 512 MB. The rest of the
 * memory is for the page cache and the load generator. `availableBytes`: available memory of the machine or of its container.
 */
export const defaultHeap = (nodes: number, availableBytes: number = process.availableMemory()): string =>
  nodes === 1 && availableBytes >= 3 * GIB ? '1g' : '512m';

/** Formats bytes for the JVM, such as `512m`. */
export const jvmSize = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)}m`;

/** Converts a size that a user wrote (`1g`, `512m`, `1gb`, `1.5gb`) to the format of the JVM. Throws a DynoError `elasticsearch.heap`. */
export function heapForJvm(text: string): string {
  const bytes = parseHeap(text);
  if (bytes !== undefined) return jvmSize(bytes);
  throw inputError('elasticsearch.heap', 'heap', 'is not a heap size for Elasticsearch', {
    found: text,
    allowed: HEAP_FORM,
  });
}
