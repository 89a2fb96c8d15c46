/** Rolls over the data streams of a trial while its load runs. */
import { messageOf } from '../../../../common/problem';
import { parseBytes } from '../../../../common/units/bytes';
import { rollOver } from '../../../target-cluster/data-streams';
import type { Needs } from '../input';
import type { Undo } from '../undo';

/** Interval at which a data stream's conditions are checked, in ms. */
const ROLLOVER_EVERY_MS = 1000;

/** Checks the rollover conditions of the definition every second until the load has ended. Does nothing without conditions. */
export function watchRollover(
  {
    target: {
      connection,
      indices: { names, existing },
    },
    definition,
    listener,
  }: Needs<'target' | 'definition' | 'listener'>,
  undo: Undo,
): void {
  const { rollover } = definition.index;
  if (rollover === undefined || existing !== undefined) return;
  const { documents, size } = rollover;
  const conditions = { documents, bytes: size === undefined ? undefined : parseBytes(size) };
  let running: Promise<void> | undefined;
  let reported = false;
  const look = async (): Promise<void> => {
    try {
      for (const name of names) await rollOver(connection.atOnce, name, conditions);
    } catch (error) {
      // The error is reported only once, because it may last as long as the load.
      if (!reported) listener.onNote(`no rollover: ${messageOf(error)}`);
      reported = true;
    }
  };
  const timer = setInterval(() => {
    running ??= look().finally(() => (running = undefined));
  }, ROLLOVER_EVERY_MS);
  undo(async () => {
    clearInterval(timer);
    await running;
  });
}
