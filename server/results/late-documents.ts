/**
 * Decides whether documents that waited on disk during an outage may still be stored. In the meantime, another process may have set the
 * run's state to `interrupted`, resumed the run, or deleted it.
 * - A late document may replace a document with the state `interrupted`. Another process sets this state if the process that executes the
 *   run seems dead.
 * - A late document never replaces a document of a process that resumed the run.
 * - Documents that may not be stored are written to a file. Therefore, nothing is lost.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { FINAL_STATES } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { DynoError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { askIfThere } from './answer';
import { refresh, search } from './search';
import { isOfKind, runIdOf, RUNS, TRIALS, type StoredDocument } from './stored';
import { parseTime } from '../../common/units/time';

export interface Withheld {
  document: StoredDocument;
  /**
   * Reason as a sentence for the user. In `withheld`: why the document is not stored. In `copies`: why the stored document may be replaced
   * later.
   */
  why: string;
}

export interface Judged {
  send: StoredDocument[];
  /** Documents that must not be sent. */
  withheld: Withheld[];
  /** Documents that are in `send`, but must also be written to a file. A process that resumes the run may replace them. */
  copies: Withheld[];
}

type Run = Pick<RunDocument, 'run'>;
type Trial = Pick<TrialDocument, 'trial' | 'times'>;

const runOf = ({ source }: StoredDocument): Run => source as Run;
const trialOf = ({ source }: StoredDocument): Trial => source as Trial;
const sampleOf = ({ source }: StoredDocument): Pick<SampleDocument, '@timestamp' | 'trial'> =>
  source as SampleDocument;

/**
 * Decides which documents of one batch may be stored. It reads each run only once, so each batch needs a new object. Methods reject with a
 * DynoError if the results cluster does not respond.
 */
export class LateDocuments {
  private readonly runs = new Map<string, Run | null>();
  /** Stored trials, by run id and trial id. */
  private readonly trials = new Map<string, Map<string, Trial>>();

  constructor(private readonly client: ElasticsearchClient) {}

  async judge(documents: readonly StoredDocument[]): Promise<Judged> {
    try {
      return await this.judgeAll(documents);
    } catch (error) {
      // Some credentials may write but not read. In that case, only the versions of the documents decide.
      if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
      return { send: [...documents], withheld: [], copies: [] };
    }
  }

  private async judgeAll(documents: readonly StoredDocument[]): Promise<Judged> {
    const judged: Judged = { send: [], withheld: [], copies: [] };
    for (const document of documents) {
      const run = await this.runAt(runIdOf(document));
      const why = await this.reasonAgainst(document, run);
      if (why !== '') {
        judged.withheld.push({ document, why });
        continue;
      }
      judged.send.push(document);
      if (run !== null && isOfKind(document, TRIALS) && carriesElsewhere(document, run)) {
        this.trials.get(runIdOf(document))?.set(document.id, trialOf(document));
        if (!FINAL_STATES.includes(run.run.state))
          judged.copies.push({
            document,
            why: `${continuedElsewhere(run)}, and may measure its trial again`,
          });
      }
    }
    return judged;
  }

  /**
   * Returns those of the `superseded` documents that must be stored although a document with a higher version is stored. In this case, the
   * stored document has the state `interrupted`. Another process set this state, because the process that executes the run seemed dead.
   */
  async overtaking(superseded: readonly StoredDocument[]): Promise<StoredDocument[]> {
    const overtaking: StoredDocument[] = [];
    for (const document of superseded) {
      if (await this.isBelowMark(document)) overtaking.push(document);
    }
    return overtaking;
  }

  private async isBelowMark(document: StoredDocument): Promise<boolean> {
    if (isOfKind(document, RUNS)) {
      const found = await this.stored<Run>(document);
      if (found === undefined || carriesElsewhere(document, found)) return false;
      // Only the process that executes the run updates the heartbeat. The document with the later heartbeat is therefore newer, even if
      // another process has set the state `interrupted`.
      const isLater = runOf(document).run.heartbeat >= found.run.heartbeat;
      return isLater && found.run.state === 'interrupted';
    }
    if (!isOfKind(document, TRIALS)) return false;
    const found = await this.stored<Trial>(document);
    // A process sets this state only for trials of other processes.
    return found?.trial.state === 'interrupted' && trialOf(document).trial.state !== 'interrupted';
  }

  /** Reads the stored document with the same index and id; undefined if it does not exist. */
  private async stored<T>({ index, id }: StoredDocument): Promise<T | undefined> {
    return (await askIfThere(this.client, api.getDocument<T>(index, id), `read ${index}`))?._source;
  }

  private async runAt(id: string): Promise<Run | null> {
    const known = this.runs.get(id);
    if (known !== undefined) return known;
    await refresh(this.client, RUNS);
    const { hits } = await search<Run>(this.client, RUNS, {
      query: { term: { 'run.id': id } },
      size: 1,
      _source: ['run'],
    });
    const run = hits[0]?._source ?? null;
    this.runs.set(id, run);
    return run;
  }

  private async trialsAt(runId: string): Promise<Map<string, Trial>> {
    const known = this.trials.get(runId);
    if (known !== undefined) return known;
    await refresh(this.client, TRIALS);
    const { hits } = await search<Trial>(this.client, TRIALS, {
      query: { term: { 'run.id': runId } },
      size: MOST_TRIALS,
      _source: ['trial', 'times'],
    });
    const trials = new Map(hits.map(({ _source }) => [_source.trial.id, _source]));
    this.trials.set(runId, trials);
    return trials;
  }

  /** Returns the reason why the document must not be stored; '' if it may be stored. */
  private async reasonAgainst(document: StoredDocument, run: Run | null): Promise<string> {
    if (run === null) return document.known ? 'the run has been deleted in the meantime' : '';
    if (!carriesElsewhere(document, run)) return '';
    if (isOfKind(document, RUNS)) return continuedElsewhere(run);
    const trials = await this.trialsAt(runIdOf(document));
    if (isOfKind(document, TRIALS)) {
      const found = trials.get(document.id);
      const isOther = found !== undefined && found.times.started !== trialOf(document).times.started;
      return isOther && found.trial.state !== 'interrupted'
        ? `${continuedElsewhere(run)} and has measured its trial again`
        : '';
    }
    const { trial, '@timestamp': at } = sampleOf(document);
    const since = trials.get(trial.id)?.times.started;
    // The trial was run again in the meantime. Seconds of its earlier attempt must not appear in the timeline of the new one.
    return since !== undefined && parseTime(at) < parseTime(since)
      ? `${continuedElsewhere(run)} and has measured its trial again`
      : '';
  }
}

/** Maximum number of hits of one search: the default of `index.max_result_window`. */
const MOST_TRIALS = 10_000;

const continuedElsewhere = ({ run: { carrier } }: Run): string =>
  `process ${carrier.pid} on ${carrier.host} has continued the run in the meantime`;

/** Returns whether the stored run is executed by another process than the one that wrote the document. */
function carriesElsewhere(document: StoredDocument, { run: { carrier } }: Run): boolean {
  const by = isOfKind(document, RUNS) ? runOf(document).run.carrier : document.by;
  return by !== undefined && (by.host !== carrier.host || by.instance !== carrier.instance);
}
