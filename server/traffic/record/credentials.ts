/**
 * Removes credentials from query strings, such as `?token=`. Gateways and plugins read such parameters; the APIs of Elasticsearch have
 * none.
 */
import { isSecretName } from '../../../common/secrets/redact';

/** Matches names that need no percent-encoding. The names of all parameters of Elasticsearch are of this form. */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * Returns a query string without parameters that may be credentials: parameters with the name of a secret. Also removes a parameter with a
 * value if its name contains special characters or cannot be decoded.
 */
export function withoutCredentials(query: string): string {
  // Elasticsearch also accepts semicolons between parameters. The elements at odd positions are the separators.
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
