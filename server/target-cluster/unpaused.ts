/** Prevents a crash of the process in undici if a server closes a connection while the client has not yet read the whole response. */
import type { Dispatcher } from 'undici';

type Controller = Dispatcher.DispatchController;

const withoutPause = (controller: Controller): Controller =>
  new Proxy(controller, {
    get(target, name) {
      if (name === 'pause') return () => undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/**
 * Interceptor that never pauses the parser of a response. Data that the caller has not consumed yet waits in memory. Callers must therefore
 * consume data as it arrives, or limit the size of the response.
 *
 * Undici 7 has a bug: if the connection ends while the parser is paused, an assertion fails where the error cannot be caught. Undici 8 does
 * not have this bug, but needs Node.js 22 (https://github.com/nodejs/undici/issues/5360).
 */
export const unpaused: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, {
    onRequestStart: (controller, context: unknown) =>
      handler.onRequestStart?.(withoutPause(controller), context),
    onRequestUpgrade: (controller, ...rest) => handler.onRequestUpgrade?.(withoutPause(controller), ...rest),
    onResponseStart: (controller, ...rest) => handler.onResponseStart?.(withoutPause(controller), ...rest),
    onResponseData: (controller, chunk) => handler.onResponseData?.(withoutPause(controller), chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    // There is no controller if no connection could be opened.
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  });
