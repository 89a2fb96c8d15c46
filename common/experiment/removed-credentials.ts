import type { Problem } from '../problem';
import { removedSecrets } from '../secrets/definition';
import { REMOVED } from '../secrets/removed';

/**
 * Returns a problem for each credential that is missing because Dyno removed it. Definitions in reports, exports and on pages contain no
 * credentials.
 */
export const removedProblems = (definition: unknown): Problem[] =>
  removedSecrets(definition).map((path) => ({
    code: 'definition.secret-removed',
    path,
    message: 'a credential was removed here: reports, exported runs and pages of runs do not contain any',
    found: REMOVED,
    allowed: 'the credential itself',
  }));
