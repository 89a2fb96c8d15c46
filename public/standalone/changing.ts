/**
 * A value that notifies its subscribers of changes. The page outside Kibana needs only two such values, so it does not use the library
 * RxJS.
 */
import type { Changing } from '../app/host';

export interface Settable<T> extends Changing<T> {
  set(value: T): void;
}

export function settable<T>(initial: T): Settable<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      listeners.forEach((listener) => listener());
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
