/** The section of claims, thresholds and stop conditions of the editor's form. */
import { listAt, type FormSection, type SentencesField, type Text, type Written } from '../fields/form';
import { CLUSTER } from '../measurement/cluster-metrics';
import { parseMetric } from '../measurement/metric';
import { NODE_METRICS } from '../measurement/node-metrics';
import { firstClaim, levelsByFactor, tasksNamed } from './claim-choices';

/** Returns the name of the first task, for use in examples. */
function firstTask(written: Written): string {
  const { name } = Object(listAt(written, 'tasks')[0]) as Written;
  return typeof name === 'string' && name !== '' ? name : 'ingest';
}

const factorsOf = ({ factors }: Written): string[] => Object.keys(levelsByFactor(factors));

const metricsOf = (task: string): string[] => [
  ...['throughput', 'latency.p50', 'latency.p99', 'rejection_rate'].map((metric) => `${task}.${metric}`),
  ...NODE_METRICS.map(({ name }) => `${CLUSTER}.${name}`),
];

/**
 * Returns the text of a claim that the metric improves with the factor `path`. The claim is `rises` if higher values of the metric are
 * better; otherwise it is `falls`.
 */
const claimOf = (metric: string, path: string): string =>
  `${metric} ${parseMetric(metric)?.better === 'higher' ? 'rises' : 'falls'} with ${path}`;

type List = 'expect' | 'thresholds' | 'stop-when';

type Field = Omit<SentencesField<'claim'>, 'kind' | 'key' | 'adds'> & { add: Text };

const sentences = (key: List, { add, ...field }: Field): SentencesField<'claim'> => ({
  kind: 'sentences',
  key,
  adds: [{ text: add, item: () => '' }],
  ...field,
});

export const CONDITIONS: FormSection<'claim'> = {
  title: { id: 'dyno.editor.conditions.title', text: 'Claims and limits' },
  roots: ['expect', 'thresholds', 'stop-when'],
  summary: (written) => ({
    id: 'dyno.editor.conditions.summary',
    text: '{claims, plural, one {# claim} other {# claims}}, {limits, plural, one {# threshold} other {# thresholds}}',
    values: { claims: listAt(written, 'expect').length, limits: listAt(written, 'thresholds').length },
  }),
  rows: [
    sentences('expect', {
      label: { id: 'dyno.editor.expect.label', text: 'Claims' },
      help: {
        id: 'dyno.editor.expect.help',
        text: 'The hypothesis as claims that Dyno can test. The run confirms the hypothesis if it confirms every claim.',
      },
      item: {
        name: { id: 'dyno.editor.expect.name', text: 'Claim {number}' },
        remove: { id: 'dyno.editor.expect.remove', text: 'Remove claim {number}' },
      },
      add: { id: 'dyno.editor.expect.add', text: 'Add claim' },
      suggestions: (written) =>
        factorsOf(written).flatMap((path) => metricsOf(firstTask(written)).map((one) => claimOf(one, path))),
      examples: (written) => {
        const [first, second] = factorsOf(written);
        const task = firstTask(written);
        return [
          ...[first, second].flatMap((path) =>
            path === undefined ? [] : [`${task}.throughput rises with ${path}`],
          ),
          ...(first === undefined ? [] : [claimOf('cluster.merges.count', first)]),
        ];
      },
      builder: {
        part: 'claim',
        add: { id: 'dyno.editor.expect.build', text: 'Build claim' },
        open: { id: 'dyno.editor.expect.parts', text: 'Parts of claim {number}' },
        first: (written) => {
          const factors = factorsOf(written);
          return factors.length === 0 ? undefined : firstClaim(tasksNamed(written['tasks']), factors);
        },
      },
    }),
    sentences('thresholds', {
      label: { id: 'dyno.editor.thresholds.label', text: 'Thresholds' },
      help: { id: 'dyno.editor.thresholds.help', text: 'Every cell must meet every threshold.' },
      item: {
        name: { id: 'dyno.editor.thresholds.name', text: 'Threshold {number}' },
        remove: { id: 'dyno.editor.thresholds.remove', text: 'Remove threshold {number}' },
      },
      add: { id: 'dyno.editor.thresholds.add', text: 'Add threshold' },
      suggestions: (written) => metricsOf(firstTask(written)).map((metric) => `${metric} < `),
      examples: (written) => [
        `${firstTask(written)}.rejection_rate < 1%`,
        `${firstTask(written)}.latency.p99 < 2s`,
        'cluster.heap.busiest < 80%',
      ],
    }),
    sentences('stop-when', {
      label: { id: 'dyno.editor.stopWhen.label', text: 'Stop the run when' },
      help: {
        id: 'dyno.editor.stopWhen.help',
        text: 'Dyno checks the last ten seconds of the load. A red cluster or a full disk always stops a run.',
      },
      item: {
        name: { id: 'dyno.editor.stopWhen.name', text: 'Stop condition {number}' },
        remove: { id: 'dyno.editor.stopWhen.remove', text: 'Remove stop condition {number}' },
      },
      add: { id: 'dyno.editor.stopWhen.add', text: 'Add condition' },
      examples: (written) => [`${firstTask(written)}.error_rate > 50%`],
    }),
  ],
};
