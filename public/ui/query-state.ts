/**
 * State in the query string of the URL. Therefore, every view can be shared and reopened. The useSearchParams of react-router is not used,
 * because it loses the first of two simultaneous changes.
 */
import { useCallback } from 'react';
import { useLocation } from 'react-router';
import { useApp } from '../app/context';

/**
 * Returns the value of the URL parameter `name` (or `fallback`), and a function that sets the parameter. The function replaces the current
 * entry of the browser history. It removes the parameter if the new value is `fallback`.
 */
export function useQueryState(name: string, fallback = ''): [string, (value: string) => void] {
  const { history } = useApp().host;
  const { search } = useLocation();
  const value = new URLSearchParams(search).get(name) ?? fallback;
  const set = useCallback(
    (next: string) => {
      const { pathname, search: now, hash } = history.location;
      const query = new URLSearchParams(now);
      if (next === fallback) query.delete(name);
      else query.set(name, next);
      const text = query.toString();
      history.replace({ pathname, search: text === '' ? '' : `?${text}`, hash });
    },
    [history, name, fallback],
  );
  return [value, set];
}
