import { readFileSync } from 'node:fs';
import { METRIC_GROUPS, SOURCE_NAMES } from '../common/measurement/node-metric';
import { NODE_METRICS } from '../common/measurement/node-metrics';
import { FIGURES_FILE, withFigures } from './cluster-figures-reference.mjs';

test('docs/figures.md lists the metrics of nodes as their registry describes them: npm run docs', () => {
  const text = readFileSync(FIGURES_FILE, 'utf8');
  expect(withFigures(text, NODE_METRICS, METRIC_GROUPS, SOURCE_NAMES)).toBe(text);
});
