import { readFileSync } from 'node:fs';
import { CLUSTER_FIGURES, SOURCE_NAMES } from '../common/measurement/cluster-figures';
import { FIGURES_FILE, withFigures } from './cluster-figures-reference.mjs';

test('docs/figures.md has the figures of the cluster as their registry has them: npm run docs', () => {
  const text = readFileSync(FIGURES_FILE, 'utf8');
  expect(withFigures(text, CLUSTER_FIGURES, SOURCE_NAMES)).toBe(text);
});
