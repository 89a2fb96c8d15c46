/** The readers for files of other tools, by format. */
import type { Recognised } from '../../../common/files/recognise';
import { auditLog } from './audit-log';
import { gor } from './gor';
import { har } from './har';
import type { ForeignReader } from './observed';
import { searchLog } from './search-log';

const READERS = { har, gor, 'audit-log': auditLog } as const;

export type ForeignFormat = keyof typeof READERS | 'slow-log';

/** Returns the reader for the format of a recognised file. Null if the file does not contain traffic of another tool. */
export function foreignReader({ kind, traffic, format }: Recognised): ForeignReader<ForeignFormat> | null {
  if (kind === 'traffic' && traffic !== undefined && traffic !== 'dyno') return READERS[traffic];
  return format === undefined ? null : searchLog(format);
}
