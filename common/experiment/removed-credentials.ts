import type { Problem } from '../problem';
import { removedSecrets } from '../secrets/definition';
import { REMOVED } from '../secrets/removed';

/**
 * Returns a problem for each credential that Dyno has removed from this definition. Dyno removes credentials from definitions in reports,
 * in exports and on pages.
 */
export const removedProblems = (definition: unknown): Problem[] =>
  removedSecrets(definition).map((path) => ({
    code: 'definition.secret-removed',
    path,
    message: 'a credential was removed here: reports, exported runs and pages of runs do not contain any',
    found: REMOVED,
    allowed: 'the credential itself',
  }));
