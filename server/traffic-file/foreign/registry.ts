/** The readers of other tools' files. */
import type { Recognised } from '../../../common/files/recognise';
import { auditLog } from './audit-log';
import { gor } from './gor';
import { har } from './har';
import type { ForeignReader } from './observed';
import { searchLog } from './search-log';

const READERS = { har, gor, 'audit-log': auditLog } as const;

export type ForeignFormat = keyof typeof READERS | 'slow-log';

/** Returns the reader of a file that was recognised; null if it is not traffic of another tool. */
export function foreignReader({ kind, traffic, format }: Recognised): ForeignReader<ForeignFormat> | null {
  if (kind === 'traffic' && traffic !== undefined && traffic !== 'dyno') return READERS[traffic];
  return format === undefined ? null : searchLog(format);
}
