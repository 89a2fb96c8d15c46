/**
 * A value that tells when it changes.
 *
 * By hand: the page outside Kibana has two such values, for which RxJS would be a library.
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
