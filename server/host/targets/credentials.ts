/** Checks the credentials of targets and turns them into headers. */
import { inputError, type DynoError } from '../../../common/problem';
import type { NewTarget } from '../../routes/services';
import { basic } from '../../target-cluster/hosts';

export type GivenCredentials = NewTarget['credentials'];
export type PlainCredentials = Exclude<GivenCredentials, { kind: 'keep' }>;

export const wrongCredentials = (path: string, message: string, allowed?: string): DynoError =>
  inputError('target.credentials', path, message, allowed === undefined ? {} : { allowed });

/** Throws a DynoError `target.credentials` if the credentials contain characters that an `authorization` header must not contain. */
export function checkCredentials(given: PlainCredentials): void {
  if (given.kind === 'basic' && given.username.includes(':')) {
    throw wrongCredentials('credentials.username', 'contains a colon, which ends a user name');
  }
  if (given.kind === 'api-key' && !/^[\x21-\x7e]+$/.test(given.key)) {
    throw wrongCredentials(
      'credentials.key',
      'is not an API key',
      'the key as Elasticsearch encodes it, without blanks',
    );
  }
}

/**
 * Returns the `authorization` header for the credentials; undefined for credentials of type `none`. Throws the errors of {@link
 * checkCredentials}.
 */
export function authorizationOf(credentials: PlainCredentials): string | undefined {
  checkCredentials(credentials);
  switch (credentials.kind) {
    case 'none':
      return undefined;
    case 'basic':
      return basic(credentials.username, credentials.password);
    case 'api-key':
      return `ApiKey ${credentials.key}`;
  }
}
