/** `dyno mask`: writes a copy of recorded traffic that can be given to others, and reports what it masked. */
import { existsSync } from 'node:fs';
import { inputError } from '../../../common/problem';
import { stringifyPlain } from '../../../common/json/exact';
import type { NameRule } from '../../../common/traffic/mask/names';
import { CANNOT_HIDE, copiedParts, renderMasking } from '../../../common/traffic/mask/report';
import { formatNumber } from '../../../common/units/format';
import { maskFile, maskingKey } from '../../traffic/mask/mask-file';
import { writeWhole } from '../../whole-file';
import type { Console } from '../terminal/console';
import { onSignal } from '../terminal/signals';

export interface MaskCommandOptions {
  to: string;
  keyFile?: string;
  keyEnv?: string;
  fields: NameRule;
  indices: NameRule;
  keep: string[];
  drop: string[];
  report?: string;
}

/** Executes `dyno mask`. Resolves to the exit code. */
export async function maskCommand(
  file: string,
  options: MaskCommandOptions,
  console: Console,
): Promise<number> {
  const { to, keyFile, keyEnv, report } = options;
  if (keyFile !== undefined && keyEnv !== undefined)
    throw inputError('mask.keys', '--key-file, --key-env', 'exclude each other', { allowed: 'one of them' });
  if (report !== undefined && existsSync(report))
    throw inputError('mask.exists', report, 'already exists, and the report would overwrite it', {
      allowed: '--report with another name',
    });
  const key = await maskingKey({ file: keyFile, variable: keyEnv });
  const stopped = new AbortController();
  const remove = onSignal(
    () => stopped.abort(inputError('mask.interrupted', file, 'was interrupted, and the copy was removed')),
    () => process.exit(3),
  );
  try {
    const result = await maskFile(file, to, {
      ...options,
      key,
      signal: stopped.signal,
      onProgress: (phase, requests) => {
        console.say(
          `${formatNumber(requests)} requests ${phase === 'learn' ? 'read (step 1 of 2)' : 'masked (step 2 of 2)'}`,
        );
      },
    });
    const { written, ...account } = result;
    if (report !== undefined)
      await writeWhole(
        report,
        `${stringifyPlain({ file, to, ...account, notMasked: copiedParts(options), warning: CANNOT_HIDE })}\n`,
        { exclusive: true },
      );
    for (const { text, examples } of account.lost)
      console.warn(`${file}: ${text}${examples.length === 0 ? '' : ` (${examples.join('; ')})`}`);
    const lines = [
      ...renderMasking(account, options),
      '',
      ...written.files.map((name) => `Written: ${name}`),
      keyLine(options),
    ];
    for (const line of lines) console.print(line);
    return 0;
  } finally {
    remove();
  }
}

/** Returns a sentence for the user about the masking key: values get the same masks in other recordings only with the same key. */
function keyLine({ keyFile, keyEnv }: MaskCommandOptions): string {
  if (keyFile !== undefined)
    return `To mask other recordings alike, use --key-file ${keyFile} again. Keep it secret: with it, masks of guessed values can be checked.`;
  if (keyEnv !== undefined)
    return `To mask other recordings alike, use --key-env ${keyEnv} with the same value again. Keep it secret: with it, masks of guessed values can be checked.`;
  return 'The key was random, and nobody has it. To mask several recordings alike, create a key (openssl rand -hex 32 > mask.key) and use --key-file mask.key for each.';
}
