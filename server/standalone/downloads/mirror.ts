/** Servers that files are downloaded from, each of which a variable of the environment can replace. */
import { outgoingAddress } from '../proxies';

export interface Mirror {
  /** Without a slash at the end and without credentials. */
  url: string;
  /** Credentials of the address, for the server. */
  headers: Record<string, string>;
}

/** Returns the server that `variable` names, else `usual`. Throws a DynoError `download.repository` (input). */
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
