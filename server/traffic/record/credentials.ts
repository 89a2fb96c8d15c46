/** Credentials in query strings, such as `?token=`. Gateways and plugins read them; the APIs of Elasticsearch have no such parameters. */
import { isSecretName } from '../../../common/secrets/redact';

/** Names of all parameters of Elasticsearch match. */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * Returns a query string without the parameters that may be credentials: those with the name of a secret, and those with a value whose name
 * is not plain or cannot be decoded.
 */
export function withoutCredentials(query: string): string {
  // Elasticsearch also separates parameters at semicolons. The pieces at odd positions are the separators.
  const pieces = query.split(/([&;])/);
  let kept = '';
  let removed = 0;
  for (let at = 0; at < pieces.length; at += 2) {
    if (mayBeCredential(pieces[at]!)) removed += 1;
    else kept += kept === '' ? pieces[at]! : `${pieces[at - 1]}${pieces[at]}`;
  }
  return removed === 0 ? query : kept;
}

function mayBeCredential(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  if (equals < 0) return false;
  try {
    const name = decodeURIComponent(parameter.slice(0, equals));
    return !PLAIN_NAME.test(name) || isSecretName(name) || /(?:^|[_.-])key$/i.test(name);
  } catch {
    return true;
  }
}
