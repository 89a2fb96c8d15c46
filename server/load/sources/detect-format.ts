/** Tells the format of a log by its first lines. */
import { inputError, messageOf } from '../../../common/problem';
import { detectedFormats, LOG_FORMATS, type LogFormat } from '../../../common/replay/formats/registry';
import { firstLines } from './first-lines';
import { LineTooLong } from './lines';

/** Lines that are looked at, and bytes of them. */
const MOST_LINES = 20;
const MOST_BYTES = 8 * 1024 ** 2;

/** Rejects with a DynoError (input) where the file cannot be read, or its first lines are of no format or of several. */
export async function detectFormat(file: string): Promise<LogFormat> {
  const lines = await linesOf(file);
  const found = detectedFormats(lines);
  if (found.length === 1) return found[0]!;
  if (lines.length === 0) throw inputError('source.empty', file, 'holds no searches');
  const message =
    found.length === 0
      ? 'its first lines are of no format that Dyno knows: name the format of the log'
      : `its first lines may be of several formats (${found.join(', ')}): name the format of the log`;
  throw inputError('source.format', file, message, {
    found: lines[0]!.slice(0, 200),
    allowed: LOG_FORMATS.join(', '),
  });
}

async function linesOf(file: string): Promise<string[]> {
  try {
    const found = await firstLines(file, MOST_LINES, MOST_BYTES);
    return found.map((line) => line.toString('utf8')).filter((line) => line.trim() !== '');
  } catch (error) {
    if (error instanceof LineTooLong) throw inputError('source.corrupt-line', file, messageOf(error));
    throw error;
  }
}
