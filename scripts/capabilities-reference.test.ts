import { readFileSync } from 'node:fs';
import { FEATURES } from '../common/elasticsearch/capabilities';
import { CAPABILITIES_FILE, withCapabilities } from './capabilities-reference.mjs';

test('docs/opensearch.md lists the features as the table of capabilities has them: npm run docs', () => {
  const text = readFileSync(CAPABILITIES_FILE, 'utf8');
  expect(withCapabilities(text, FEATURES)).toBe(text);
});
