/** Reads settings of connections: the allowed hosts, and certificates and keys in PEM files. No connection is opened. */
import { readFile } from 'node:fs/promises';
import { inputError } from '../../common/problem';
import { shownAddress } from '../../common/secrets/address';

/**
 * Returns the allowed targets from `DYNO_ALLOWED_HOSTS`, patterns separated by commas; undefined allows all. Throws an input error
 * `command.allowed-hosts` for a pattern that no host can match, such as a URL.
 */
export function allowedHosts(): string[] | undefined {
  const patterns = process.env['DYNO_ALLOWED_HOSTS']
    ?.split(',')
    .map((host) => host.trim())
    .filter(Boolean);
  const wrong = patterns?.find(
    (pattern) => !/^[\w.*-]+(:[\d*]+)?$|^\[[0-9a-f:.*]+\](:[\d*]+)?$/i.test(pattern),
  );
  if (wrong === undefined) return patterns;
  throw inputError('command.allowed-hosts', 'DYNO_ALLOWED_HOSTS', 'is not a pattern for hosts', {
    found: shownAddress(wrong),
    allowed:
      'host, host:9200 or *.example.org, separated by commas, without a scheme and without credentials',
  });
}

export async function readCa(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  let text;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw inputError('command.ca', '--ca', 'the file cannot be read', { found: file });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw inputError('command.ca', '--ca', 'the file contains no certificate in PEM', {
      found: file,
      allowed: 'a file with a line -----BEGIN CERTIFICATE-----',
    });
  return text;
}
