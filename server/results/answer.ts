/** Turns an answer of the results cluster that is an error into a DynoError with Elasticsearch's own reason. */
import { errorType, isSuccess, reasonOf } from '../../common/elasticsearch/answer';
import { runError, type DynoError } from '../../common/problem';

/** `doing` completes "could not ..."; `missing`: the part of a successful answer that is not there. */
export function refusal(status: number, body: unknown, doing: string, missing = ''): DynoError {
  const unlike = `, but not as Elasticsearch does${missing === '' ? '' : ` (${missing} is missing)`}`;
  const reason = reasonOf(body) || `it answered ${status}${isSuccess(status) ? unlike : ''}`;
  if (status === 401) {
    return runError(
      'results.unauthorised',
      '',
      `the results cluster does not accept these credentials: ${reason}`,
    );
  }
  if (status === 403 && errorType(body) === 'cluster_block_exception') {
    return runError(
      'results.blocked',
      '',
      `could not ${doing}: an index of the results or their cluster is blocked (read-only, or its disk is full): ${reason}`,
    );
  }
  if (status === 403) {
    return runError(
      'results.forbidden',
      '',
      `the credentials for the results cluster may not ${doing}: ${reason}`,
    );
  }
  return runError('results.refused', '', `could not ${doing}: ${reason}`);
}
