/** How the Kibana that carries a run asks all nodes of Kibana for seats. */
import { messageOf } from '../../../common/problem';
import type { RecruitSeats } from '../../run/queue/queue';
import { unless } from '../saved-object-errors';
import type { Key } from '../keys';
import type { KibanaServices } from '../kibana-services';
import type { Secrets } from '../secrets';
import { SEAT_TASK, seatTaskId, TASKS_PER_SEAT, type SeatParams } from './tasks';

/** Requests to Task Manager at a time: each is one document. */
const AT_ONCE = 10;

/** What the key is bound to: whoever moves it to another run cannot have it used there. */
export const ownerOfSeatKey = (run: string): string => `the seats of run ${run}`;

export interface RecruiterOptions {
  kibana: Pick<KibanaServices, 'taskManager' | 'log'>;
  /** In the space of the run. */
  secrets: Secrets;
  /** By which the run acts; null where there is no security. */
  key: Key | null;
  /** Kibana's space, undefined for the default one. */
  space: string | undefined;
}

const WHO_LENDS = 'nodes of Kibana take seats where their kibana.yml says dyno.seats.lend: true';
const NOBODY_ASKED = "Kibana's own nodes were not asked, for they would need the key of the run";

/** Where the run's key cannot be kept for other nodes, none is asked, and the run can still have workers that are started by hand. */
export function seatRecruiter({ kibana, secrets, key, space }: RecruiterOptions): RecruitSeats {
  const { taskManager, log } = kibana;
  return async ({ run, bus, seats, target }) => {
    if (key && secrets.refused !== null)
      return { advice: `${NOBODY_ASKED}: ${secrets.refused}`, close: () => Promise.resolve() };
    const secret = key && (await secrets.keep(ownerOfSeatKey(run), JSON.stringify(key)));
    const params: SeatParams = { run, bus, target, namespace: space ?? null, secret };
    const ids = Array.from({ length: seats * TASKS_PER_SEAT }, (_, number) => seatTaskId(bus, number));
    const close = async (): Promise<void> => {
      try {
        await inTurn(ids, (id) => taskManager.removeIfExists(id));
      } catch (error) {
        // They find that the run is over.
        log.info(`tasks for the seats of run ${run} were left to end by themselves: ${messageOf(error)}`);
      }
      try {
        if (secret !== null) await secrets.forget(secret);
      } catch (error) {
        log.warn(`the encrypted key of run ${run} was not removed: ${messageOf(error)}`);
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
