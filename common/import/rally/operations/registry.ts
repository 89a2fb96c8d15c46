/** All types of operations. A new one is an entry in one of the files of this folder. */
import { messageOf } from '../../../problem';
import { ADMINISTRATION } from './administration';
import { DOCUMENTS } from './documents';
import { Unfit, type Conversion, type Convert, type Given } from './operation';
import { pythonOperation, unknownOperation } from './python-operations';
import { SEARCHES } from './searches';

const TYPES: Readonly<Record<string, Convert>> = { ...SEARCHES, ...ADMINISTRATION, ...DOCUMENTS };

/** Known types, for documentation and tests. */
export const KNOWN_TYPES: readonly string[] = Object.keys(TYPES);

/** Converts an operation. */
export function convert(given: Given): Conversion {
  const { operation } = given;
  try {
    if (operation.source !== undefined || given.recorded !== undefined) return pythonOperation(given);
    const own = Object.hasOwn(TYPES, operation.type) ? TYPES[operation.type] : undefined;
    return own === undefined ? unknownOperation(given, KNOWN_TYPES) : own(given);
  } catch (error) {
    if (error instanceof Unfit) return { left: messageOf(error) };
    throw error;
  }
}

export type { Conversion, Given };
