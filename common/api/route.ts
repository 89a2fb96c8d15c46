/** What a route of the HTTP interface is: data that the server, the client and the OpenAPI document are made from. */
import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a user must be allowed to do; each includes the one before it. */
export type Privilege = 'read' | 'run' | 'manage';

/**
 * How an answer comes: `json`, validated by `response`; `events`, a stream of server-sent events, each of whose data
 * `response` validates; `text`, a file for download of one of `contentTypes`, and `file`, one that goes out as it is made.
 */
export type Answer = 'json' | 'events' | 'text' | 'file';

export interface RouteShape {
  method: Method;
  /** Below the base path of the host; parameters in braces: `/api/dyno/runs/{id}`. */
  path: string;
  /** One sentence for the OpenAPI document. */
  summary: string;
  privilege: Privilege;
  params?: z.ZodObject;
  /** Every value arrives as text: schemas coerce. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body is a file, which goes on to the handler as it comes. */
  upload?: { contentType: string; mostBytes: number };
  answer: Answer;
  response: z.ZodType;
  /** Of answers of kind `text` and `file`. */
  contentTypes?: readonly string[];
  /** 200 unless given. */
  status?: 201 | 202;
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a caller gives; parts that the route lacks are absent. */
export type RouteRequest<R extends RouteShape> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: InputOf<R[K]>;
};

/** What a handler gets: validated, with defaults. */
export type RouteInput<R extends RouteShape> = {
  [K in 'params' | 'query' | 'body' as R[K] extends z.ZodType ? K : never]: OutputOf<R[K]>;
} & (R['upload'] extends { contentType: string } ? { file: AsyncIterable<Uint8Array> } : unknown);

export type RouteResponse<R extends RouteShape> = z.output<R['response']>;

/** Keeps the exact types of a route's schemas. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

/** `/api/dyno/runs/{id}` with `{id: 'a b'}` is `/api/dyno/runs/a%20b`. */
export const fillPath = (path: string, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
