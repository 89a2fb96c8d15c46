/** Defines handlers of routes. A handler receives validated input and returns what the schema of its route describes. */
import type { Readable } from 'node:stream';
import type { Api, RouteName } from '../../common/api';
import type { RouteInput, RouteResponse, RouteShape } from '../../common/api/route';

export interface HandlerContext {
  /** Aborts when the client no longer waits for the response. */
  signal: AbortSignal;
}

/** The response of a route of kind `text`: a file for download. */
export interface FileAnswer {
  contentType: string;
  fileName: string;
  text: string;
}

/** File for download that is sent while it is still being created. */
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
 * Handles the requests of one route. Rejects with a DynoError, which `errorBody` of common/api converts to the response. If a streamed
 * response fails, its stream rejects when the next event is requested from it.
 */
export type Handler<R extends RouteShape> = (
  input: RouteInput<R>,
  context: HandlerContext,
) => Promise<AnswerOf<R>>;

/** The handlers of all routes, by the name of the route. */
export type Handlers = { [N in RouteName]: Handler<Api[N]> };

/** The handlers of some routes. */
export type HandlersOf<Routes> = Pick<Handlers, keyof Routes & RouteName>;
