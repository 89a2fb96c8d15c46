/**
 * Sends profiled searches beside the load, to find out where the time of a search goes (`measure.profile-searches`). They are copies of the
 * load's own requests with new values, and are not counted as load.
 */
import { parseExact } from '../../../../common/json/exact';
import { messageOf } from '../../../../common/problem';
import type { ProfiledAnswer, SearchProfile } from '../../../../common/profile/search-profile';
import { profiledAnswer, SearchProfiles } from '../../../../common/profile/search-profile';
import { deriveSeed } from '../../../../common/random';
import { profiledSearches } from '../../../../common/tasks/profiled';
import type { LoadJob } from '../../../load/contract';
import { compileRequests, drawAll, type CompiledRequest } from '../../../load/operations/prepared-request';
import { LoadClock, loadStart } from '../../../load/timing/clock';
import * as api from '../../../elasticsearch/api';
import { ask } from '../../../target-cluster/answer';
import type { Needs } from '../input';
import type { Undo } from '../undo';
import { PhaseWatch } from './phase-watch';

/** Interval between two profiled searches of a task, in ms. */
const SEARCH_EVERY_MS = 2000;

/** Profiles of the requests by name, by name of the task. */
export type TaskSearchProfiles = ReadonlyMap<string, ReadonlyMap<string, SearchProfile>>;

/** Query parameters that a profiled search does not copy. They would open a scroll, or change the form of the answer. */
const NOT_COPIED = ['scroll', 'filter_path', 'format'];

/** The profiled searches of a trial: one watch for each task with searches. */
export class SearchWatches {
  readonly watches: readonly PhaseWatch<[request: string, answer: ProfiledAnswer]>[];
  private readonly profiles = new Map<string, SearchProfiles>();
  private readonly leave = new AbortController();
  private failed = false;

  /** Prepares the requests. Reads the files of their parameters, so it is called before the load begins. */
  constructor(
    private readonly trial: Needs<'target' | 'listener'>,
    job: LoadJob,
    undo: Undo,
  ) {
    undo(() => this.leave.abort());
    this.watches = job.tasks.flatMap((task) => this.watchOf(task, job, undo));
  }

  byTask(): TaskSearchProfiles {
    return new Map([...this.profiles].map(([task, profiles]) => [task, profiles.byRequest()]));
  }

  /** Returns a note if no search of a task was profiled; otherwise ''. */
  missing(): string {
    const tasks = [...this.profiles].flatMap(([task, own]) => (own.byRequest().size === 0 ? [task] : []));
    return tasks.length === 0 || this.failed
      ? ''
      : `no search of ${tasks.join(', ')} was profiled, because the measured phase was too short`;
  }

  private watchOf({ name, operation }: LoadJob['tasks'][number], job: LoadJob, undo: Undo) {
    const { requests: searches, parameters } = profiledSearches(operation);
    if (searches.length === 0) return [];
    const clock = new LoadClock(job.target.clockOffsetMs);
    clock.begin(loadStart(Date.now()));
    const requests = compileRequests(
      // Only the load measures recall.
      searches.map(({ recall: _, ...request }) => request),
      parameters,
      {
        clock,
        indices: job.indices,
        transport: { headers: {} },
        seed: deriveSeed(job.seed, 'profiled-searches', name),
        share: { index: 0, of: 1 },
      },
    );
    const own = new SearchProfiles();
    this.profiles.set(name, own);
    let sent = 0;
    return [
      new PhaseWatch(
        SEARCH_EVERY_MS,
        // All requests are profiled equally often, because the table shows each of them.
        () => this.profile(requests[sent++ % requests.length]!),
        ([request, answer]) => own.add(request, answer),
        undo,
        (error) => this.fail(name, error),
      ),
    ];
  }

  private async profile({ name, steps, drawn }: CompiledRequest): Promise<[string, ProfiledAnswer]> {
    drawAll(drawn);
    const step = steps[0]!;
    const { path, body } = step.fixed ?? step.render(step.blank());
    const [at, query = ''] = path.split('?');
    const params = new URLSearchParams(query);
    for (const param of NOT_COPIED) params.delete(param);
    const given = body === null || body.length === 0 ? {} : (parseExact(body.toString('utf8')) as object);
    const endpoint = api.profiledSearch(at!, Object.fromEntries(params), given, profiledAnswer);
    const asked = { ...endpoint, signal: this.leave.signal };
    return [name, await ask(this.trial.target.connection.atOnce, asked, `profile the search ${name}`)];
  }

  /** Reports the first failure as a note. */
  private fail(task: string, error: unknown): void {
    if (this.leave.signal.aborted || this.failed) return;
    this.failed = true;
    this.trial.listener.onNote(`the profile of the searches of ${task} lacks some: ${messageOf(error)}`);
  }
}
