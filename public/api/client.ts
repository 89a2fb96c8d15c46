/** The typed client for Dyno's server. It calls a route of common/api by its name, and checks the response with the schema of the route. */
import { API, type Api, type RouteName } from '../../common/api';
import { errorSchema } from '../../common/api/error';
import { REQUEST_HEADER } from '../../common/api/request-header';
import { fillPath, type RouteRequest, type RouteResponse, type RouteShape } from '../../common/api/route';
import type { Problem } from '../../common/problem';
import type { AppHost } from '../app/host';

/** Error for a request that was refused or failed, with everything that the server reported. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 if no response arrived. */
    readonly status: number,
    readonly problems: readonly Problem[],
    /** The newest version of the document, if the server refused the request because somebody else has changed the document. */
    readonly current?: unknown,
  ) {
    super(problems.map(({ message }) => message).join('\n'));
    this.name = 'ApiError';
  }

  get code(): string {
    return this.problems[0]?.code ?? '';
  }
}

export interface ApiClient {
  call<N extends RouteName>(
    name: N,
    request: RouteRequest<Api[N]>,
    signal?: AbortSignal,
  ): Promise<RouteResponse<Api[N]>>;
  /** Fetches a file from a route whose request has a body, and returns the whole file. Rejects with the errors of {@link call}. */
  fetchFile<N extends RouteName>(name: N, request: RouteRequest<Api[N]>): Promise<Blob>;
  /** Uploads a file, and returns the response. `onSent` is called with the share of the file that has been sent, in [0, 1]. */
  upload<N extends RouteName>(
    name: N,
    request: RouteRequest<Api[N]>,
    file: Blob,
    onSent: (share: number) => void,
  ): Promise<RouteResponse<Api[N]>>;
  /** Returns the URL of a route, for a link or an event stream. */
  urlOf<N extends RouteName>(name: N, request: RouteRequest<Api[N]>): string;
}

interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

function pathOf(shape: RouteShape, { params, query = {} }: Parts): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as const),
  );
  const search = new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return fillPath(shape.path, params) + (search === '' ? '' : `?${search}`);
}

const noAnswer = (message: string): ApiError =>
  new ApiError(0, [{ code: 'request.no-answer', path: '', message }]);

async function failureOf(response: Response): Promise<ApiError> {
  const parsed = errorSchema.safeParse(await response.json().catch(() => null));
  if (parsed.success) {
    const { problems, current } = parsed.data.attributes;
    return new ApiError(response.status, problems, current);
  }
  if (response.status === 403) {
    const refused = 'your role lacks the privilege for this';
    return new ApiError(403, [{ code: 'request.forbidden', path: '', message: refused }]);
  }
  const message = `the server answered ${response.status} ${response.statusText}`.trim();
  return new ApiError(response.status, [{ code: 'request.failed', path: '', message }]);
}

interface Sent {
  status: number;
  statusText: string;
  text: string;
}

/** Sends the file with XMLHttpRequest, because no other interface reports the progress of an upload. Rejects if no response arrives. */
const send = (
  url: string,
  { method, upload }: RouteShape,
  file: Blob,
  onSent: (share: number) => void,
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.withCredentials = true;
    request.setRequestHeader('content-type', upload!.contentType);
    // Dyno's own server requires the first of these headers, Kibana the second.
    for (const header of [REQUEST_HEADER, 'kbn-xsrf']) request.setRequestHeader(header, '1');
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      resolve({ status: request.status, statusText: request.statusText, text: request.responseText });
    request.onerror = reject;
    request.ontimeout = reject;
    request.send(file);
  });

function readAnswer(shape: RouteShape, status: number, answer: unknown): never {
  const parsed = shape.response.safeParse(answer);
  if (parsed.success) return parsed.data as never;
  throw new ApiError(status, [
    {
      code: 'request.unexpected-answer',
      path: shape.path,
      message: 'this page does not understand the server’s answer: reload the page',
    },
  ]);
}

export function createClient(host: Pick<AppHost, 'fetch' | 'urlOf'>): ApiClient {
  /** Sends a request and returns the response. Rejects with an ApiError if the status is not a success or no response arrives. */
  async function ask(shape: RouteShape, request: Parts, signal?: AbortSignal): Promise<Response> {
    const { body } = request;
    let response: Response;
    try {
      response = await host.fetch(pathOf(shape, request), {
        method: shape.method,
        signal,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw noAnswer('the server does not answer; it may be restarting');
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }
  return {
    async call(name, request, signal) {
      const shape: RouteShape = API[name];
      const response = await ask(shape, request, signal);
      const answer: unknown = shape.answer === 'text' ? await response.text() : await response.json();
      return readAnswer(shape, response.status, answer);
    },
    async fetchFile(name, request) {
      const response = await ask(API[name], request);
      return response.blob().catch(() => {
        throw noAnswer('the answer broke off: try again');
      });
    },
    async upload(name, request, file, onSent) {
      const shape: RouteShape = API[name];
      const sent = await send(host.urlOf(pathOf(shape, request)), shape, file, onSent).catch(() => {
        throw noAnswer('the server does not answer; it may be restarting, or it refuses files of this size');
      });
      const { status, statusText, text } = sent;
      const response = new Response(text === '' ? null : text, { status, statusText });
      if (!response.ok) throw await failureOf(response);
      return readAnswer(shape, status, await response.json());
    },
    urlOf: (name, request) => host.urlOf(pathOf(API[name], request)),
  };
}
