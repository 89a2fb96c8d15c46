/** Addresses and proxies for requests that Dyno does not send to a cluster: downloads and webhooks. */
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { inputError } from '../../common/problem';
import { decodePart, parseAddress, shownAddress, type AddressRules } from '../../common/secrets/address';
import { basic } from '../target-cluster/hosts';
import { unpaused } from '../target-cluster/unpaused';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy URL in the first of `variables` that is set; undefined if none is set. Throws an input error `proxy.address` if the URL
 * is invalid.
 */
function proxyOf(variables: readonly string[], environment: Environment): string | undefined {
  const variable = variables.find((name) => environment[name]);
  if (variable === undefined) return undefined;
  const text = environment[variable]!;
  const url = parseAddress(text);
  if (typeof url === 'string')
    throw inputError('proxy.address', variable, url, {
      found: shownAddress(text),
      allowed: 'http://proxy:8080 or http://user:password@proxy:8080',
    });
  // User and password are encoded again, because undici decodes both and fails on a single %.
  url.username = encodeURIComponent(decodePart(url.username));
  url.password = encodeURIComponent(decodePart(url.password));
  return url.href;
}

/**
 * Creates the undici dispatcher for such requests. It uses the proxy in the environment variables. Throws an input error `proxy.address` if
 * the address of the proxy is invalid.
 */
export function outgoing(options: Agent.Options = {}, environment: Environment = process.env): Dispatcher {
  const httpProxy = proxyOf(['http_proxy', 'HTTP_PROXY'], environment);
  const httpsProxy = proxyOf(['https_proxy', 'HTTPS_PROXY'], environment) ?? httpProxy;
  const agent =
    httpProxy === undefined && httpsProxy === undefined
      ? new Agent(options)
      : new EnvHttpProxyAgent({ ...options, httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '' });
  return agent.compose(unpaused);
}

/** A URL without credentials, and its credentials as request headers. `fetch` rejects URLs with a user and a password. */
export interface OutgoingAddress {
  url: URL;
  headers: Record<string, string>;
}

/**
 * Parses an address and separates its credentials. If the address is invalid, throws an input error with the code `code`. The error names
 * `setting` and shows no secret.
 */
export function outgoingAddress(
  text: string,
  { code, setting, allowed, ...rules }: AddressRules & { code: string; setting: string; allowed: string },
): OutgoingAddress {
  const url = parseAddress(text, rules);
  if (typeof url === 'string')
    throw inputError(code, setting, url, { found: shownAddress(text, rules), allowed });
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const headers: Record<string, string> =
    username === '' && password === ''
      ? {}
      : { authorization: basic(decodePart(username), decodePart(password)) };
  return { url, headers };
}
