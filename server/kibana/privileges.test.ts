import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MORE_NEEDS, NEEDS, USES } from '../../common/privileges';
import { featureFor } from './features';

const page = readFileSync(path.join(__dirname, '..', '..', 'docs', 'kibana.md'), 'utf8');

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

test.each(USES)('the documentation names what a role needs to %s, no more and no less', (use) => {
  const { role, feature, elasticsearch } = NEEDS[use];
  const [indices] = elasticsearch.indices;
  expect(elasticsearch.indices).toHaveLength(1);
  expect(indices!.names).toEqual(['dyno-*']);
  const kibana = { all: 'All', read: 'Read' }[feature];
  const row = `| \`${role}\` | *${kibana}* | ${code(elasticsearch.cluster)} | ${code(indices!.privileges)} |`;
  expect(page.split('\n').filter((line) => line.startsWith(`| \`${role}\``))).toEqual([row]);
});

test('the documentation lists the additional privileges that some experiments need', () => {
  const [, beyond] = page.split('Some experiments need more privileges on their cluster:');
  for (const privilege of Object.values(MORE_NEEDS)) expect(beyond).toContain(`\`${privilege}\` `);
});

test('the feature has the privileges that the documented roles grant', () => {
  const { privileges } = featureFor({ kibanaVersion: '9.5.3', alerting: true });
  expect(USES.map((use) => NEEDS[use].feature)).toEqual(Object.keys(privileges));
});
