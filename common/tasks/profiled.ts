/** Finds the requests that `measure.profile-searches` profiles. */
import type { Parameters } from '../parameters/registry';
import type { RequestJob } from './request-list';
import type { OperationJob } from './registry';

/** Path of the search API, without the query string. */
const SEARCH_API = /\/_search$/;

/**
 * Returns the requests of a task that can be profiled, and their parameters: single requests to the search API. Requests with several
 * steps, such as a scroll, are left out, because a copy of their first step would open something that nobody closes.
 */
export const profiledSearches = (
  job: OperationJob,
): { requests: readonly RequestJob[]; parameters: Parameters } =>
  job.kind === 'search' || job.kind === 'requests'
    ? { requests: job.requests.filter(isProfiled), parameters: job.parameters }
    : { requests: [], parameters: {} };

function isProfiled({ steps: [step, ...others] }: RequestJob): boolean {
  if (step === undefined || others.length > 0) return false;
  const path = step.path.map((piece) => (typeof piece === 'string' ? piece : piece.parameter)).join('');
  return (step.method === 'POST' || step.method === 'GET') && SEARCH_API.test(path.split('?')[0]!);
}
