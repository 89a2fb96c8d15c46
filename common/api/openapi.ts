/** Creates the OpenAPI document of the HTTP API from the table of routes. */
import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { errorSchema } from './error';
import { API, type RouteName } from '.';
import type { RouteShape } from './route';

export type OpenApiDocument = ReturnType<typeof createDocument>;

export const OPENAPI_PATH = '/api/dyno/openapi.json';

/** Properties of the OpenAPI document that depend on the host (Kibana or the standalone server). */
export interface OpenApiHost {
  /**
   * Name of a header that every request with side effects must have, with any value. A form of another web site cannot set this header, so
   * the header protects users against forged requests.
   */
  requestHeader: string;
  /** The ways in which a request can be authenticated, as OpenAPI security schemes by name. A request needs only one of them. */
  securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** Whether the host also accepts requests without credentials. */
  open: boolean;
  /** Description of the response 401. */
  unauthorised: string;
  /** Description of the response 403. */
  forbidden: string;
}

export type SecurityScheme =
  | { type: 'http'; scheme: 'basic' | 'bearer'; description: string }
  | { type: 'apiKey'; in: 'header'; name: string; description: string };

const error = errorSchema.meta({ id: 'Error', description: 'The problems, each with its code and path' });

/** Descriptions of the errors that every route can return, by status. */
const COMMON_FAILURES: Readonly<Record<string, string>> = {
  400: 'Wrong input: each problem with its path',
  408: 'The request came too slowly',
  414: 'The path is too long',
  431: 'The headers are too large',
  500: 'An internal error; the host’s log has details under the given id',
  502: 'A cluster did not respond, or responded with an error',
  503: 'The results cluster cannot be reached',
};

const failure = (description: string): object => ({
  description,
  content: { 'application/json': { schema: error } },
});

function failuresOf({ body, params, method }: RouteShape, host: OpenApiHost): Record<string, object> {
  const own: Record<string, string> = {
    ...COMMON_FAILURES,
    401: host.unauthorised,
    403: host.forbidden,
    ...(params ? { 404: 'Nothing has this id' } : {}),
    ...(body ? { 404: 'Nothing has one of the given ids' } : {}),
    ...(method === 'GET' ? {} : { 409: 'Not possible in the current state; `current` may contain it' }),
    ...(method === 'GET' ? {} : { 413: 'The body is too large', 415: 'The body is of another type' }),
  };
  return Object.fromEntries(
    Object.entries(own).map(([status, description]) => [status, failure(description)]),
  );
}

function contentOf({ answer, response, contentTypes = [] }: RouteShape): object {
  switch (answer) {
    case 'json':
      return { 'application/json': { schema: response } };
    case 'events':
      return { 'text/event-stream': { schema: message } };
    case 'file':
      return Object.fromEntries(contentTypes.map((type) => [type, { schema: binary }]));
    case 'text':
      return Object.fromEntries(contentTypes.map((type) => [type, { schema: textOf(type) }]));
  }
}

const message = z.looseObject({
  data: z.string().meta({ description: 'JSON, as `RunStreamEvent`', contentMediaType: 'application/json' }),
});

/** Schema of binary content. It is empty, because binary content has only a content type in OpenAPI 3.1. */
const binary = {};

const textOf = (type: string): z.ZodType => (type === 'application/json' ? z.looseObject({}) : z.string());

function operation(name: RouteName, shape: RouteShape, host: OpenApiHost): ZodOpenApiOperationObject {
  const { summary, params, query, body, upload, status = 200, privilege, method, path } = shape;
  const header = method === 'GET' ? undefined : z.object({ [host.requestHeader]: z.literal('1') });
  const requestParams = {
    ...(params ? { path: params } : {}),
    ...(query ? { query } : {}),
    ...(header ? { header } : {}),
  };
  return {
    operationId: name,
    summary,
    description: `Needs the privilege \`${privilege}\`.`,
    tags: [path.split('/')[3] ?? 'dyno'],
    requestParams,
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    ...(upload
      ? { requestBody: { required: true, content: { [upload.contentType]: { schema: binary } } } }
      : {}),
    responses: {
      [status]: { description: 'Done', content: contentOf(shape) },
      ...failuresOf(shape, host),
    },
  } as ZodOpenApiOperationObject;
}

/** Returns the OpenAPI document (version 3.1.0 of OpenAPI). `version`: version of Dyno. */
export function openApiDocument(version: string, host: OpenApiHost): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, shape] of Object.entries(API) as [RouteName, RouteShape][]) {
    paths[shape.path] = {
      ...paths[shape.path],
      [shape.method.toLowerCase()]: operation(name, shape, host),
    };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Dyno',
      version,
      description: `The dynamometer for Elasticsearch. Requests that change something need the header \`${host.requestHeader}\`.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { RunStreamEvent: API.streamRun.response },
      securitySchemes: { ...host.securitySchemes },
    },
    security: [
      ...(host.open ? [{}] : []),
      ...Object.keys(host.securitySchemes).map((name) => ({ [name]: [] })),
    ],
  });
}
