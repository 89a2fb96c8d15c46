/** What a handler of a route is: it gets what was validated and gives what the route's schema says. */
import type { Readable } from 'node:stream';
import type { Api, RouteName } from '../../common/api';
import type { RouteInput, RouteResponse, RouteShape } from '../../common/api/route';

export interface HandlerContext {
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** An answer of kind `text`: a file for download. */
export interface FileAnswer {
  contentType: string;
  fileName: string;
  text: string;
}

/** One that goes out as it is made. */
export interface StreamAnswer {
  contentType: string;
  fileName: string;
  stream: Readable;
}

type AnswerOf<R extends RouteShape> = R['answer'] extends 'events'
  ? AsyncIterable<RouteResponse<R>>
  : R['answer'] extends 'text'
    ? FileAnswer
    : R['answer'] extends 'file'
      ? StreamAnswer
      : RouteResponse<R>;

/**
 * Rejects with a DynoError; `errorBody` of common/api turns it into the answer. A stream rejects when its first event
 * is asked for, or later.
 */
export type Handler<R extends RouteShape> = (
  input: RouteInput<R>,
  context: HandlerContext,
) => Promise<AnswerOf<R>>;

/** One for each route. */
export type Handlers = { [N in RouteName]: Handler<Api[N]> };

/** Those of some routes. */
export type HandlersOf<Routes> = Pick<Handlers, keyof Routes & RouteName>;
