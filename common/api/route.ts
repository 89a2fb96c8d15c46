/** A route of the HTTP API as data. Server, client and OpenAPI document are derived from it. */
import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Privilege that a user needs. Each privilege includes the privileges before it in this list. */
export type Privilege = 'read' | 'run' | 'manage';

/**
 * Form of the response.
 * - `json`: JSON validated by `response`.
 * - `events`: a stream of server-sent events, with data validated by `response`.
 * - `text`: a file for download with one of `contentTypes`.
 * - `file`: a file that is sent while it is created.
 */
export type Answer = 'json' | 'events' | 'text' | 'file';

export interface RouteShape {
  method: Method;
  /** Path below the base path of the host, with parameters in braces: `/api/dyno/runs/{id}`. */
  path: string;
  /** One sentence for the OpenAPI document. */
  summary: string;
  privilege: Privilege;
  params?: z.ZodObject;
  /** Query parameters. All values are strings, so schemas must coerce them. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The file in the body of the request, for a route with an upload. The file is passed to the handler as a stream. */
  upload?: { contentType: string; mostBytes: number };
  answer: Answer;
  response: z.ZodType;
  /** Content types of `text` and `file`. */
  contentTypes?: readonly string[];
  /** HTTP status of a successful response. Default: 200. */
  status?: 201 | 202;
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The input that a caller passes. Parts that the route does not have are absent. */
export type RouteRequest<R extends RouteShape> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: InputOf<R[K]>;
};

/** The input that a handler receives: validated, and completed with defaults. */
export type RouteInput<R extends RouteShape> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: OutputOf<R[K]>;
} & (R['upload'] extends { contentType: string } ? { file: AsyncIterable<Uint8Array> } : unknown);

export type RouteResponse<R extends RouteShape> = z.output<R['response']>;

/** Keeps the exact types of a route's schemas. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

/** Fills in path parameters: `/api/dyno/runs/{id}` with `{id: 'a b'}` becomes `/api/dyno/runs/a%20b`. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
