/** How a command hears that it shall end: Ctrl-C, a service that stops it, a terminal that closes. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof SIGNALS)[number];

/** How to end at once, behind what is said of the first signal; nobody is there to read it after a hang-up. */
export const ONCE_MORE: Readonly<Record<EndSignal, string>> = {
  SIGINT: '; press again to end at once',
  SIGTERM: '; once more ends at once',
  SIGHUP: '',
};

/**
 * Calls `first` at the first signal and `again` at the next one. A hang-up is never the next one: shell and kernel send it
 * both when a terminal closes, and a service manager sends it behind its SIGTERM. Returns what takes the handlers away.
 */
export function onSignal(
  first: (signal: EndSignal) => void,
  again: (signal: EndSignal) => void,
  source: Pick<NodeJS.EventEmitter, 'on' | 'off'> = process,
): () => void {
  let asked = false;
  const handler = (signal: EndSignal): void => {
    if (!asked) {
      asked = true;
      first(signal);
    } else if (signal !== 'SIGHUP') again(signal);
  };
  for (const signal of SIGNALS) source.on(signal, handler);
  return () => {
    for (const signal of SIGNALS) source.off(signal, handler);
  };
}
