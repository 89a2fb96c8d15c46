/**
 * State that a link carries: values in the query of the address, so that every view can be shared and reopened.
 *
 * By hand: of two changes at once, useSearchParams of react-router keeps the later one alone.
 */
import { useCallback } from 'react';
import { useLocation } from 'react-router';
import { useApp } from '../app/context';

/** The value of `name` in the address, or `fallback`; setting it replaces the address, and the fallback leaves it out. */
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
