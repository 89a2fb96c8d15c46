/** Detects the format of a log of searches from its first lines. */
import { asSearches } from '../../../common/files/refusals';
import { DynoError, inputError } from '../../../common/problem';
import type { LogFormat } from '../../../common/replay/formats/registry';
import { readHead } from './file-head';
import { recognise } from '../../../common/files/recognise';

/**
 * Returns the format of a log. Rejects with a DynoError if the file cannot be read, or if its first lines match no format or several
 * formats.
 */
export async function detectFormat(file: string): Promise<LogFormat> {
  const { packing, checkUtf8, ...head } = await readHead(file);
  const found = recognise(head);
  if (found.format !== undefined) return found.format;
  if (found.kind === 'empty') throw inputError('source.empty', file, 'holds no searches');
  checkUtf8();
  throw new DynoError('input', [
    {
      code: 'source.format',
      path: file,
      ...asSearches(found, { file, packing }),
      found: head.lines[0]!.slice(0, 200),
    },
  ]);
}
