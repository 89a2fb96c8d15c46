/** The list of all types of operations that are converted. To add one, add an entry to one of the files of this folder. */
import { messageOf } from '../../../problem';
import type { Benchmark } from '../benchmark';
import { ADMINISTRATION } from './administration';
import { DOCUMENTS } from './documents';
import { OPENSEARCH } from './opensearch';
import { Unfit, type Conversion, type Convert, type Given } from './operation';
import { pythonOperation, unknownOperation } from './python-operations';
import { SEARCHES } from './searches';

const SHARED: Readonly<Record<string, Convert>> = { ...SEARCHES, ...ADMINISTRATION, ...DOCUMENTS };

/**
 * Types of operations that are converted, for each benchmark. The types of OpenSearch Benchmark are not in the list of Rally, because a
 * Rally track may define its own type with the same name.
 */
const TYPES: Readonly<Record<Benchmark['name'], typeof SHARED>> = {
  Rally: SHARED,
  'OpenSearch Benchmark': { ...SHARED, ...OPENSEARCH },
};

/** Names of all types, for documentation and tests. */
export const KNOWN_TYPES: readonly string[] = Object.keys(TYPES['OpenSearch Benchmark']);

/** Converts an operation. */
export function convert(given: Given): Conversion {
  const { operation, track } = given;
  const types = TYPES[track.benchmark.name];
  try {
    if (operation.source !== undefined || given.recorded !== undefined) return pythonOperation(given);
    const own = Object.hasOwn(types, operation.type) ? types[operation.type] : undefined;
    return own === undefined ? unknownOperation(given, Object.keys(types)) : own(given);
  } catch (error) {
    if (error instanceof Unfit) return { left: messageOf(error) };
    throw error;
  }
}

export type { Conversion, Given };
