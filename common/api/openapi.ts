/** The OpenAPI document of the HTTP interface, made from its table. */
import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { errorSchema } from './error';
import { API, type RouteName } from '.';
import type { RouteShape } from './route';

export type OpenApiDocument = ReturnType<typeof createDocument>;

export const OPENAPI_PATH = '/api/dyno/openapi.json';

/** What differs by the host that answers. */
export interface OpenApiHost {
  /** What changes something demands it, with any value: no form of another site can send it. */
  requestHeader: string;
  /** Names and OpenAPI security schemes of the ways to say who one is; each suffices. */
  securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** Whether it also answers whoever says nothing of himself. */
  open: boolean;
  /** Of status 401 and 403. */
  unauthorised: string;
  forbidden: string;
}

export type SecurityScheme =
  | { type: 'http'; scheme: 'basic' | 'bearer'; description: string }
  | { type: 'apiKey'; in: 'header'; name: string; description: string };

const error = errorSchema.meta({ id: 'Error', description: 'What went wrong: a problem for each thing' });

/** Of every operation. */
const COMMON_FAILURES: Readonly<Record<string, string>> = {
  400: 'Wrong input: each problem with its path',
  408: 'The request came too slowly',
  414: 'The path is too long',
  431: 'The headers are too large',
  500: 'An internal error; the host’s log has details under the given id',
  502: 'A cluster failed to answer as needed',
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

/** OpenAPI 3.1: what is no text has a content type and no schema. */
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

/** `version` of Dyno. OpenAPI 3.1.0. */
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
