/**
 * Documents that waited while the results were away, held against what stands there by now: another process may have
 * marked their run as interrupted, gone on with it, or deleted it.
 *
 * What the process wrote that carried the run goes before a mark of one that merely found no carrier. What was written by
 * one that went on with the run stays as it is; what cannot be stored beside it is kept elsewhere, and never dropped.
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
  /** Why it is not stored, or not for good: a sentence about its run. */
  why: string;
}

export interface Judged {
  send: StoredDocument[];
  /** Not to be sent. */
  withheld: Withheld[];
  /** Sent, and kept elsewhere too: who goes on with the run may replace them unseen. */
  copies: Withheld[];
}

type Run = Pick<RunDocument, 'run'>;
type Trial = Pick<TrialDocument, 'trial' | 'times'>;

const runOf = ({ source }: StoredDocument): Run => source as Run;
const trialOf = ({ source }: StoredDocument): Trial => source as Trial;
const sampleOf = ({ source }: StoredDocument): Pick<SampleDocument, '@timestamp' | 'trial'> =>
  source as SampleDocument;

/** What is judged within one drain of the spool: each run is asked for once. Rejects with a DynoError where the results do not answer. */
export class LateDocuments {
  private readonly runs = new Map<string, Run | null>();
  /** By run, then by trial. */
  private readonly trials = new Map<string, Map<string, Trial>>();

  constructor(private readonly client: ElasticsearchClient) {}

  async judge(documents: readonly StoredDocument[]): Promise<Judged> {
    try {
      return await this.judgeAll(documents);
    } catch (error) {
      // Whoever may write and not read relies on the versions alone.
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
          judged.copies.push({ document, why: `${goesOnElsewhere(run)}, and may measure its trial again` });
      }
    }
    return judged;
  }

  /** Of those that stand in a newer state already, the ones that must replace it: it is a mark made in ignorance. */
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
      // Only its carrier gives signs of life: what has the later one is the later state, whoever marked the other.
      const isLater = runOf(document).run.heartbeat >= found.run.heartbeat;
      return isLater && found.run.state === 'interrupted';
    }
    if (!isOfKind(document, TRIALS)) return false;
    const found = await this.stored<Trial>(document);
    // No process writes that state of a trial that it carries.
    return found?.trial.state === 'interrupted' && trialOf(document).trial.state !== 'interrupted';
  }

  /** As it stands this moment. */
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

  /** '' where it may be stored. */
  private async reasonAgainst(document: StoredDocument, run: Run | null): Promise<string> {
    if (run === null) return document.known ? 'the run was deleted meanwhile' : '';
    if (!carriesElsewhere(document, run)) return '';
    if (isOfKind(document, RUNS)) return goesOnElsewhere(run);
    const trials = await this.trialsAt(runIdOf(document));
    if (isOfKind(document, TRIALS)) {
      const found = trials.get(document.id);
      const isOther = found !== undefined && found.times.started !== trialOf(document).times.started;
      return isOther && found.trial.state !== 'interrupted'
        ? `${goesOnElsewhere(run)} and has measured its trial again`
        : '';
    }
    const { trial, '@timestamp': at } = sampleOf(document);
    const since = trials.get(trial.id)?.times.started;
    // Seconds of another attempt would stand in the timeline of this one.
    return since !== undefined && parseTime(at) < parseTime(since)
      ? `${goesOnElsewhere(run)} and has measured its trial again`
      : '';
  }
}

/** Most hits of one search, an index setting's default. */
const MOST_TRIALS = 10_000;

const goesOnElsewhere = ({ run: { carrier } }: Run): string =>
  `process ${carrier.pid} on ${carrier.host} has gone on with the run meanwhile`;

/** Whether the run has another carrier than the one that wrote the document. */
function carriesElsewhere(document: StoredDocument, { run: { carrier } }: Run): boolean {
  const by = isOfKind(document, RUNS) ? runOf(document).run.carrier : document.by;
  return by !== undefined && (by.host !== carrier.host || by.instance !== carrier.instance);
}
