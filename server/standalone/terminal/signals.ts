/** Signals that end a command. They come from Ctrl-C, a service manager or a closed terminal. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof SIGNALS)[number];

/**
 * Text after the message about a first signal, by signal: how to end the command immediately. '' for SIGHUP, because nobody can read the
 * message after a hang-up.
 */
export const ONCE_MORE: Readonly<Record<EndSignal, string>> = {
  SIGINT: '; press Ctrl-C again to end immediately',
  SIGTERM: '; another SIGTERM ends it immediately',
  SIGHUP: '',
};

/**
 * Calls `first` at the first signal and `again` at each later signal. Returns a function that removes the handlers. Ignores a SIGHUP that
 * follows another signal, because this is normal: when a terminal closes, both the shell and the kernel send a SIGHUP, and a service
 * manager may send a SIGHUP after SIGTERM.
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
