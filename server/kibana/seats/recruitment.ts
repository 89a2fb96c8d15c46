/** Asks all Kibana nodes to generate a part of the load of a run. A node that agrees takes one *seat* of the run. */
import { messageOf } from '../../../common/problem';
import type { RecruitSeats } from '../../run/queue/queue';
import { unless } from '../saved-object-errors';
import type { KibanaServices } from '../kibana-services';
import type { SharedKey } from './shared-key';
import { SEAT_TASK, seatTaskId, TASKS_PER_SEAT, type SeatParams } from './tasks';

/** Maximum number of concurrent requests to Task Manager, each of which writes a document. */
const AT_ONCE = 10;

export interface RecruiterOptions {
  kibana: Pick<KibanaServices, 'taskManager' | 'log'>;
  /** Location from which other nodes can read the key of the run, or the reason why they cannot. Null if security is disabled. */
  shared: SharedKey | string | null;
  /** Kibana space. Undefined for the default space. */
  space: string | undefined;
}

const WHO_LENDS = 'Kibana nodes take seats if their kibana.yml contains dyno.seats.lend: true';
const NOBODY_ASKED = "Kibana's own nodes were not asked, because they would need the key of the run";

/**
 * Returns a function that asks Kibana nodes to generate load for a run. If other nodes cannot read the run's key, the function asks no
 * nodes. Users can then still start `dyno worker` on other machines.
 */
export function seatRecruiter({ kibana, shared, space }: RecruiterOptions): RecruitSeats {
  const { taskManager, log } = kibana;
  return async ({ run, bus, seats, target }) => {
    if (typeof shared === 'string')
      return { advice: `${NOBODY_ASKED}: ${shared}`, close: () => Promise.resolve() };
    const params: SeatParams = { run, bus, target, namespace: space ?? null, key: shared };
    const ids = Array.from({ length: seats * TASKS_PER_SEAT }, (_, number) => seatTaskId(bus, number));
    const close = async (): Promise<void> => {
      try {
        await inTurn(ids, (id) => taskManager.removeIfExists(id));
      } catch (error) {
        // The tasks need not be removed. Each of them ends once it finds that the run is over.
        log.info(
          `tasks for the seats of run ${run} could not be removed and will end later: ${messageOf(error)}`,
        );
      }
    };
    try {
      await inTurn(ids, (id) =>
        taskManager.schedule({
          id,
          taskType: SEAT_TASK,
          params: { ...params },
          state: {},
          runAt: new Date(),
        }),
      );
    } catch (error) {
      await close();
      throw error;
    }
    return { advice: WHO_LENDS, close };
  };
}

async function inTurn(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => unless([409], work(id))));
}
