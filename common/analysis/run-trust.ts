/**
 * Determines how reliable the results of a run are (its *trust*: high, limited or none), from the stored document of the run. Pages, lists,
 * reports and alerts use it.
 */
import { environmentLabel } from '../experiment/environment';
import type { RunDocument, Verdict } from '../experiment/run';
import { plural } from '../units/format';
import { INVALID_FROM, trustFrom, trustLine, worseTrust, type Caution, type Trust } from './trust';

/** The fields of a run that determine how reliable its results are. Lists, pages and reports have all of them. */
export interface TrustedRun {
  run: Pick<RunDocument['run'], 'state' | 'reason' | 'waiting'>;
  progress: Pick<RunDocument['progress'], 'trials' | 'completed'>;
  verdict: Verdict | null;
}

/** Returns how reliable the results of a run are; null for a run without a verdict or without a completed trial. */
export function trustOf({ run, progress, verdict }: TrustedRun): Trust | null {
  if (verdict === null || progress.completed === 0) return null;
  const ofTrials = verdict.trust ?? trustOfEarlier(verdict);
  const unfinished = unfinishedSentence({ run, progress });
  if (unfinished === '') return ofTrials;
  const level = worseTrust(ofTrials.level, 'limited');
  return {
    level,
    line: ofTrials.level === 'high' ? trustLine(level, unfinished.slice(0, -1)) : ofTrials.line,
    reasons: [...ofTrials.reasons, { cause: 'run-unfinished', text: unfinished }],
  };
}

/** Describes how many trials of its plan a run has completed, and why it is not complete. '' for a completed run. */
export function unfinishedSentence({
  run: { state, reason, waiting },
  progress: { trials, completed },
}: Pick<TrustedRun, 'run' | 'progress'>): string {
  if (state === 'completed') return '';
  const some = `with ${completed} of ${plural(trials, 'trial')}`;
  if (waiting) return `The run waits for ${environmentLabel(waiting.environment)}, ${some}.`;
  const why = reason === '' ? '' : ` (${reason.replace(/\.$/, '')})`;
  const words = state === 'running' || state === 'queued' ? 'has not ended' : `ended early: ${state}`;
  return `The run ${words}${why}, ${some}.`;
}

/**
 * Matches warnings by their first words, because earlier versions of Dyno stored warnings only as sentences. The trust in runs of these
 * versions is derived from such warnings. `times`: the warning concerns only latencies. `invalid`: the warning means that the result cannot
 * be trusted.
 */
const EARLIER: readonly { cause: string; pattern: RegExp; invalid?: true; times?: true }[] = [
  { cause: 'nothing-counted', pattern: /^No request of /, invalid: true },
  { cause: 'file-ended', pattern: /^The file of .* ended in the warm-up/, invalid: true },
  { cause: 'other-cluster', pattern: /^The cluster was not the one /, invalid: true },
  { cause: 'documents-missing', pattern: /^Accepted documents are missing/, invalid: true },
  { cause: 'data-changed', pattern: /^Others changed the data/, invalid: true },
  { cause: 'generator-limited', pattern: /^The load generator, not the cluster/, invalid: true },
  { cause: 'rate-not-confirmed', pattern: /^The search for .* confirmed none/, invalid: true },
  { cause: 'unverified', pattern: /^It is unknown whether the index held/ },
  { cause: 'machine-shared', pattern: /^Other work ran on the machine/ },
  { cause: 'nodes-shared', pattern: /^Other processes took up to/ },
  { cause: 'index-differs', pattern: /^The index was not what/ },
  { cause: 'data-grows', pattern: /wrote stays in the data/ },
  { cause: 'not-cold', pattern: /^A cold start was not/ },
  { cause: 'source-stored', pattern: /^The source of the documents was not synthetic/ },
  { cause: 'node-left', pattern: /^Nodes were lost/ },
  { cause: 'node-restarted', pattern: /^Nodes restarted/ },
  { cause: 'node-refused', pattern: /^Nodes took no connections/ },
  { cause: 'seats-apart', pattern: /^The machines that generated the load/ },
  { cause: 'saturated', pattern: /^The offered rate of / },
  { cause: 'not-stored', pattern: /^Not all of .* was accepted/ },
  { cause: 'ramp-measured', pattern: /^The ramp of / },
  { cause: 'documents-short', pattern: /^The source ended before/ },
  { cause: 'lines-not-sent', pattern: /^A part of the log of / },
  { cause: 'lines-unparsed', pattern: /^Lines of .* were not parsed/ },
  { cause: 'outcome-unknown', pattern: /^No answer said/ },
  { cause: 'own-latency', pattern: /^Some latencies of /, times: true },
  { cause: 'latency-lower-bound', pattern: /^Some requests of .* have no end/, times: true },
  { cause: 'rate-without-end', pattern: /ended before it was bracketed/ },
  { cause: 'unsettled', pattern: /^The throughput of .* never settled/ },
  { cause: 'too-short', pattern: /^Too short to tell/ },
  { cause: 'trials-lost', pattern: /did not complete and (is|are) not counted/ },
  { cause: 'few-trials', pattern: /^Few trials/ },
  { cause: 'sequential', pattern: /^The cells ran one after the other/ },
  { cause: 'threshold-without-data', pattern: /^Threshold .* (has no data|cannot be read)/ },
  { cause: 'throughput-is-offered-rate', pattern: /is the rate that it was offered/ },
  { cause: 'response-time-hides-stalls', pattern: /holds for a response time/ },
];

const SHARE = /(\d+) of (\d+) trials?( \(#[^)]*\))?/;

/** Replaces `in 14 of 14 trials (#1, #2, ...)` by `in all 14 trials`. */
export const mergedTrials = (text: string): string =>
  text.replace(SHARE, (_, some: string, all: string) =>
    some !== all
      ? `${some} of ${plural(Number(all), 'trial')}`
      : all === '1'
        ? 'the only trial'
        : `all ${plural(Number(all), 'trial')}`,
  );

/**
 * Matches a warning from its beginning to the number of affected trials. This part is the short form of the warning; details may follow it.
 */
const UP_TO_SHARE = /^(.* (?:in|of) (?:all \d+ trials|\d+ of \d+ trials?|the only trial))/;

function cautionOf(warning: string, isOnTimes: boolean): Caution[] {
  const found = EARLIER.find(({ pattern }) => pattern.test(warning));
  if (found === undefined || (found.times && !isOnTimes)) return [];
  const [, some = '0', all = '1'] = SHARE.exec(warning) ?? [];
  const text = mergedTrials(warning);
  const isInvalid = found.invalid === true && Number(some) >= INVALID_FROM * Number(all);
  const brief = UP_TO_SHARE.exec(text)?.[1] ?? text.split(/[:.](?= |$)/)[0]!;
  return [{ cause: found.cause, level: isInvalid ? 'none' : 'limited', brief, text }];
}

/**
 * Returns the trust in the results of a run that an early version of Dyno stored. Such a run has no stored trust. It has only the warnings
 * as sentences, and a copy of the most severe warning as `doubt`.
 */
function trustOfEarlier({ doubt, warnings, claims, thresholds }: Verdict): Trust {
  const judged = [...claims.map(({ claim }) => claim), ...thresholds.map(({ threshold }) => threshold)];
  const isOnTimes = judged.some((text) => /\.(latency|service_time)\./.test(text));
  const cautions = warnings.flatMap((warning) => cautionOf(warning, isOnTimes));
  const trust = trustFrom(cautions);
  if (trust.level !== 'high' || doubt === undefined) return trust;
  const brief = `${doubt.charAt(0).toUpperCase()}${doubt.slice(1)}`;
  return trustFrom([{ cause: 'earlier-version', level: 'limited', brief, text: `${brief}.` }]);
}

/**
 * Returns a stored verdict for display. Early versions of Dyno appended a warning to the sentence of the verdict. This function removes the
 * warning from that sentence, because pages show warnings as a part of the trust.
 */
export const shownVerdict = <T extends Verdict | null>(verdict: T): T =>
  verdict?.doubt === undefined
    ? verdict
    : { ...verdict, sentence: verdict.sentence.replace(`, but ${verdict.doubt}`, '') };
