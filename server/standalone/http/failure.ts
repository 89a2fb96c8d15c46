/** Converts the error of a request to its response. Internal errors are logged once, with the id of the request. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, statusOf, type ErrorBody } from '../../../common/api/error';
import { DynoError, inputError } from '../../../common/problem';
import { asDiskError } from '../disk-error';
import { Conflict } from '../../routes/services';

/** Converts an error of fastify to a DynoError. Returns other errors unchanged. */
function fromFramework({ code, statusCode = 500 }: FastifyError): DynoError | undefined {
  switch (statusCode) {
    case 404:
      return inputError('request.not-found', '', 'nothing exists at this path');
    case 408:
      return inputError('request.timeout', '', 'the request came too slowly');
    case 413:
      return inputError('request.too-large', '', 'the body is too large', { allowed: 'at most 2 MB' });
    case 414:
      return inputError('request.path', '', 'the path is too long');
    case 415:
      return inputError('request.content-type', '', 'the body has an unsupported content type', {
        allowed: 'application/json',
      });
    default:
      if (statusCode < 400 || statusCode >= 500) return undefined;
      return inputError(
        'request.malformed',
        '',
        code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
          ? 'the body is empty'
          : code === 'FST_ERR_BAD_URL'
            ? 'the path is not well encoded'
            : 'the body is not JSON',
      );
  }
}

/** Returns the response for an error. `log`: receives internal errors with method, path, request id and stack. */
export function failureOf(
  error: unknown,
  request: FastifyRequest,
  log: (text: string) => void,
): { status: number; body: ErrorBody } {
  const described = asDiskError(error);
  const known =
    described instanceof DynoError
      ? described
      : described instanceof Error
        ? fromFramework(described as FastifyError)
        : undefined;
  if (known) {
    const current = known instanceof Conflict ? known.current : undefined;
    return { status: statusOf(known), body: errorBody(known, current) };
  }
  // Logs the path without the query, which may contain secrets.
  const [path] = request.url.split('?');
  log(`${request.method} ${path} failed (request ${request.id}): ${stackOf(error)}`);
  const body = errorBody(error);
  const message = `${body.message} under the request ${request.id}`;
  const problems = body.attributes.problems.map((problem) => ({ ...problem, message }));
  return { status: body.statusCode, body: { ...body, message, attributes: { problems } } };
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

export function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: (text: string) => void,
): FastifyReply {
  const { status, body } = failureOf(error, request, log);
  if (status === 401) void reply.header('www-authenticate', 'Basic realm="Dyno", charset="UTF-8"');
  if (status === 429) void reply.header('retry-after', '1');
  if (error instanceof DynoError && error.code === 'server.starting') void reply.header('retry-after', '2');
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}
