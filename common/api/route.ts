/** Describes routes of the HTTP API as data. The server, the client and the OpenAPI document use these descriptions. */
import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Privilege that a user needs. Each privilege includes those before it in the list: `manage` includes `run`, and `run` includes `read`. */
export type Privilege = 'read' | 'run' | 'manage';

/**
 * Format of a successful response.
 * - `json`: JSON with the schema `response`.
 * - `events`: a stream of server-sent events, whose data have the schema `response`.
 * - `text`: a complete file for download, with one of `contentTypes`.
 * - `file`: like `text`, but the file is sent while it is being created.
 */
export type Answer = 'json' | 'events' | 'text' | 'file';

export interface RouteShape {
  method: Method;
  /** Path below the base path of the host. Parameters are in braces: `/api/dyno/runs/{id}`. */
  path: string;
  /** One sentence that describes the route in the OpenAPI document. */
  summary: string;
  privilege: Privilege;
  params?: z.ZodObject;
  /** Query parameters. All values arrive as strings, so the schemas must convert them. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Present if the body of the request is an uploaded file. The handler receives the file as a stream. `mostBytes`: maximum size of the
   * file.
   */
  upload?: { contentType: string; mostBytes: number };
  answer: Answer;
  response: z.ZodType;
  /** Possible content types of the response, for the formats `text` and `file`. */
  contentTypes?: readonly string[];
  /** HTTP status of a successful response. Default: 200. */
  status?: 201 | 202;
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Input that a caller passes to the client: path parameters, query and body. Only those that the route has. */
export type RouteRequest<R extends RouteShape> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: InputOf<R[K]>;
};

/** Input that a handler receives: path parameters, query and body, validated and with defaults. */
export type RouteInput<R extends RouteShape> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: OutputOf<R[K]>;
} & (R['upload'] extends { contentType: string } ? { file: AsyncIterable<Uint8Array> } : unknown);

export type RouteResponse<R extends RouteShape> = z.output<R['response']>;

/** Returns the given description of a route unchanged. Its type keeps the exact TypeScript types of the schemas. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

/** Returns a path with its parameters filled in: `/api/dyno/runs/{id}` with `{id: 'a b'}` becomes `/api/dyno/runs/a%20b`. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
