/** Removes possible secrets from errors about unknown options. */
import { isSecretHeaderName } from '../../../common/secrets/redact';

/** Text that explains how to pass credentials. It is part of the error about an option that looks like a credential. */
const WHERE_KEYS_BELONG =
  'No option takes a credential, because other users of this machine would see it. Set DYNO_TARGET_API_KEY ' +
  '(DYNO_RESULTS_API_KEY for the results), or write user and password in the address: ' +
  'DYNO_ELASTICSEARCH (DYNO_RESULTS) is https://user:password@host';

/**
 * Returns the text of the error without the value of the unknown option. If the option looks like a credential, the text explains how to
 * pass credentials.
 */
export function usageErrorWithoutValues(text: string): string {
  const [, begin, written, end] = /^(.*?unknown option ')([\s\S]*)('[\s\S]*)$/.exec(text) ?? [];
  if (begin === undefined || written === undefined || end === undefined) return text;
  // The value of an option with a single letter may follow without a separator: `-pSECRET`.
  const [name] = /^--[^\s=:]*|^-?[^\s=:-]?/.exec(written)!;
  const isOfCredential = isSecretHeaderName(name.replace(/^--/, '')) || /^-[pu]$/.test(name);
  return `${begin}${name}${isOfCredential ? `'\n${WHERE_KEYS_BELONG}\n` : end}`;
}
