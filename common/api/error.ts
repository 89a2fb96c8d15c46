/** Response to a request that fails. It has the same form for every route, in Kibana and on the standalone server. */
import * as z from 'zod';
import { DynoError, type Problem } from '../problem';

export const problemSchema = z.object({
  code: z.string(),
  path: z.string(),
  message: z.string(),
  found: z.string().optional(),
  allowed: z.string().optional(),
  meant: z.union([z.object({ key: z.string() }), z.object({ text: z.string() })]).optional(),
});

export const errorSchema = z.object({
  statusCode: z.number().int(),
  error: z.string(),
  /** All problems as text, one per line. */
  message: z.string(),
  attributes: z.object({
    problems: z.array(problemSchema),
    /** The stored document in its current state. Present only if somebody else has changed the document since the client read it. */
    current: z.unknown().optional(),
  }),
});
export type ErrorBody = z.output<typeof errorSchema>;

/** HTTP status by the code of a problem. Codes for wrong input (status 400) and for failures of other systems (502) are not listed. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  'request.unauthorised': 401,
  'request.forbidden': 403,
  // These requests would succeed if an administrator granted a privilege.
  'results.forbidden': 403,
  'target.forbidden': 403,
  'target.missing-privileges': 403,
  'target.built-in': 403,
  'dashboards.forbidden': 403,
  'request.not-found': 404,
  'experiment.not-found': 404,
  'run.not-found': 404,
  'profile.none': 404,
  'target.not-found': 404,
  'note.not-found': 404,
  'traffic.not-found': 404,
  'command.run': 404,
  'dashboards.none': 404,
  'saved-searches.none': 404,
  'saved-searches.forbidden': 403,
  'experiment.conflict': 409,
  'target.conflict': 409,
  'target.in-use': 409,
  'note.conflict': 409,
  'run.baseline': 409,
  'run.example': 403,
  'run.not-running': 409,
  'run.claimed': 409,
  'run.not-interrupted': 409,
  'run.unfinished': 409,
  'run.going': 409,
  'results.run-there': 409,
  'results.import-going': 409,
  'distribution.not-offered': 409,
  'certification.going': 409,
  'certification.none': 409,
  'request.method': 405,
  'request.timeout': 408,
  'request.too-large': 413,
  'request.content-type': 415,
  'request.too-many-guesses': 429,
  'request.headers-too-large': 431,
  'results.away': 503,
  'server.starting': 503,
};

/**
 * Returns the HTTP status for an error that a route's handler has thrown. It is 500 for an error that is not a DynoError, because such an
 * error is a bug in Dyno.
 */
export function statusOf(error: unknown): number {
  if (!(error instanceof DynoError)) return 500;
  return STATUS_BY_CODE[error.code] ?? (error.kind === 'input' ? 400 : 502);
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/**
 * Returns the body of the response for an error. If the error is not a DynoError, the body contains no details of it. `current`: for
 * conflicts, the stored document in its current state.
 */
export function errorBody(error: unknown, current?: unknown): ErrorBody {
  const statusCode = statusOf(error);
  const problems: Problem[] =
    error instanceof DynoError
      ? [...error.problems]
      : [{ code: 'internal', path: '', message: 'an internal error; see the log' }];
  return {
    statusCode,
    error: NAMES[statusCode]!,
    message: error instanceof DynoError ? error.message : problems[0]!.message,
    attributes: { problems, ...(current === undefined ? {} : { current }) },
  };
}
