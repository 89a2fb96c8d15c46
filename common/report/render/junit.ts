/**
 * Renders the report as JUnit XML for build servers. Each planned trial and each threshold is a test case. The verdict is a property of the
 * suite. A refuted verdict is therefore not a failed test case. Other modules use this module to write their own test suites.
 *
 * Dyno uses no package for this: the format has only a few nested elements, and the packages for it include a test runner.
 */
import { element, escapeMarkup } from '../chart/svg';
import { trialOutcome, type TrialOutcome } from '../../measurement/trial';
import type { Report, ReportTrial } from '../model/report';
import { parseTime } from '../../units/time';

export interface JunitCase {
  name: string;
  seconds: number;
  /** XML element of a case that did not pass; '' for a case that passed. */
  result: string;
}

/** Returns the XML element of a case that did not pass. `message`: the reason. `lines`: details. */
export const notPassed = (
  kind: 'failure' | 'skipped',
  message: string,
  lines: readonly string[] = [],
): string => element(kind, { message }, escapeMarkup(lines.join('\n')));

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
  const named = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  const head = named.length === 0 ? [] : [element('properties', {}, named.join(''))];
  return element('testsuite', attributes, [...head, ...all].join('\n'));
}

/** Returns a complete file with these suites. It ends with a line feed. */
export const junitSuites = (name: string, suites: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name }, suites.join('\n'))}\n`;

/**
 * Returns the XML element for the outcome of a trial; '' for a completed trial. A running or unverified trial counts as skipped, because it
 * neither passed nor failed.
 */
function resultOf(outcome: TrialOutcome, why: string): string {
  if (outcome === 'completed') return '';
  const message = [outcome, why].filter(Boolean).join(': ');
  return notPassed(outcome === 'running' || outcome === 'unverified' ? 'skipped' : 'failure', message);
}

function trialCase({ order, cell, repetition, state, reason, unverified, times }: ReportTrial): JunitCase {
  const { started, ended } = times;
  return {
    name: `trial ${order + 1}: ${cell}, repetition ${repetition + 1}`,
    seconds: ended === null ? 0 : Math.max(0, parseTime(ended) - parseTime(started)) / 1000,
    result: resultOf(trialOutcome(state, unverified), unverified ?? reason),
  };
}

/** Returns failed cases for the planned trials that never began. */
function missing({ run }: Report, begun: number): JunitCase[] {
  const number = Math.max(0, run.trials.planned - begun);
  return Array.from({ length: number }, (_, at) => ({
    name: `trial that never began, ${at + 1} of ${number}`,
    seconds: 0,
    result: notPassed('failure', run.reason || 'the run ended before it'),
  }));
}

/** Returns XML. It ends with a line feed. */
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
        : notPassed(
            'failure',
            value === null
              ? [`no data in ${cell}`, noData].filter(Boolean).join(': ')
              : `not held: ${value} in ${cell}`,
          ),
    })),
  );
  return junitSuites(experiment.name, [trials, thresholds]);
}
