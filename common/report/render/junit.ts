/**
 * The report as JUnit's XML, which build servers read, and the suites of others: a test case for each trial of the plan and for each threshold. What the
 * hypothesis came to is no failure, whatever it is, and stands among the properties.
 *
 * By hand: it is one element in another, and packages for it bring runners.
 */
import { element, escapeMarkup } from '../chart/svg';
import { trialOutcome, type TrialOutcome } from '../../measurement/trial';
import type { Report, ReportTrial } from '../model/report';
import { parseTime } from '../../units/time';

export interface JunitCase {
  name: string;
  seconds: number;
  /** '' for a case that passed. */
  result: string;
}

/** A case that did not pass, and why; `lines` say more. */
export const said = (kind: 'failure' | 'skipped', message: string, lines: readonly string[] = []): string =>
  element(kind, { message }, escapeMarkup(lines.join('\n')));

export function junitSuite(
  name: string,
  cases: readonly JunitCase[],
  properties: Readonly<Record<string, string>> = {},
): string {
  const number = (kind: string): number => cases.filter(({ result }) => result.startsWith(`<${kind}`)).length;
  const attributes = {
    name,
    tests: cases.length,
    failures: number('failure'),
    errors: 0,
    skipped: number('skipped'),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0),
  };
  const all = cases.map(({ name: own, seconds, result }) =>
    element('testcase', { classname: name, name: own, time: seconds }, result),
  );
  const told = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  const head = told.length === 0 ? [] : [element('properties', {}, told.join(''))];
  return element('testsuite', attributes, [...head, ...all].join('\n'));
}

/** A whole file of suites; ends with a newline. */
export const junitSuites = (name: string, suites: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name }, suites.join('\n'))}\n`;

/** A check that could not be made was skipped, and the case neither passed nor failed. */
function resultOf(outcome: TrialOutcome, why: string): string {
  if (outcome === 'completed') return '';
  const message = [outcome, why].filter(Boolean).join(': ');
  return said(outcome === 'running' || outcome === 'unverified' ? 'skipped' : 'failure', message);
}

function trialCase({ order, cell, repetition, state, reason, unverified, times }: ReportTrial): JunitCase {
  const { started, ended } = times;
  return {
    name: `trial ${order + 1}: ${cell}, repetition ${repetition + 1}`,
    seconds: ended === null ? 0 : Math.max(0, parseTime(ended) - parseTime(started)) / 1000,
    result: resultOf(trialOutcome(state, unverified), unverified ?? reason),
  };
}

/** Trials of the plan that never began. */
function missing({ run }: Report, begun: number): JunitCase[] {
  const number = Math.max(0, run.trials.planned - begun);
  return Array.from({ length: number }, (_, at) => ({
    name: `trial that never began, ${at + 1} of ${number}`,
    seconds: 0,
    result: said('failure', run.reason || 'the run ended before it'),
  }));
}

/** Ends with a newline. */
export function renderJunit(report: Report): string {
  const { experiment, verdict, trust, run } = report;
  const trials = junitSuite(
    'trials',
    [
      ...report.trials.map(trialCase),
      ...missing(report, new Set(report.trials.map(({ order }) => order)).size),
    ],
    { run: run.id, verdict: verdict.sentence, ...(trust === null ? {} : { trust: trust.line }) },
  );
  const thresholds = junitSuite(
    'thresholds',
    verdict.thresholds.map(({ threshold, passed, cell, value, noData }) => ({
      name: threshold,
      seconds: 0,
      result: passed
        ? ''
        : said(
            'failure',
            value === null
              ? [`no data in ${cell}`, noData].filter(Boolean).join(': ')
              : `not held: ${value} in ${cell}`,
          ),
    })),
  );
  return junitSuites(experiment.name, [trials, thresholds]);
}
