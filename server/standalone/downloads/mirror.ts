/** Servers for downloads. For each server, an environment variable can name a mirror to use instead. */
import { outgoingAddress } from '../proxies';

export interface Mirror {
  /** Address of the server, without a trailing slash and without credentials. */
  url: string;
  /** Request headers with the credentials of the address. */
  headers: Record<string, string>;
}

/**
 * Returns the server in the environment variable `variable`, or `usual` if the variable is not set. Throws an input error
 * `download.repository`.
 */
export function mirrorOf(variable: string, usual: string, environment: NodeJS.ProcessEnv): Mirror {
  const named = environment[variable];
  if (!named) return { url: usual, headers: {} };
  const { url, headers } = outgoingAddress(named, {
    code: 'download.repository',
    setting: variable,
    allowed: 'https://host/path or https://user:password@host/path',
  });
  return { url: url.href.replace(/\/*$/, ''), headers };
}
