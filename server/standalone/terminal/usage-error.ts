/** Removes from an error of the command line what may be a secret in the place of an option. */
import { isSecretHeaderName } from '../../../common/secrets/redact';

/** Where a credential belongs; others see options in the list of processes. */
const WHERE_KEYS_BELONG =
  'No option takes a credential, because other users of this machine would see it. Set DYNO_TARGET_API_KEY ' +
  '(DYNO_RESULTS_API_KEY for the results), or write user and password in the address: ' +
  'DYNO_ELASTICSEARCH (DYNO_RESULTS) is https://user:password@host';

/** Returns the error of an unknown option without its value; about one for credentials, it says where they belong. */
export function usageErrorWithoutValues(text: string): string {
  const [, begin, written, end] = /^(.*?unknown option ')([\s\S]*)('[\s\S]*)$/.exec(text) ?? [];
  if (begin === undefined || written === undefined || end === undefined) return text;
  // Single letters take their value without a separator: `-pSECRET`.
  const [name] = /^--[^\s=:]*|^-?[^\s=:-]?/.exec(written)!;
  const isOfCredential = isSecretHeaderName(name.replace(/^--/, '')) || /^-[pu]$/.test(name);
  return `${begin}${name}${isOfCredential ? `'\n${WHERE_KEYS_BELONG}\n` : end}`;
}
