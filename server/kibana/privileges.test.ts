import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MORE_NEEDS, NEEDS, USES } from '../../common/privileges';
import { featureFor } from './features';

const readme = readFileSync(path.join(__dirname, '..', '..', 'README.md'), 'utf8');

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

test.each(USES)('the README names what a role needs to %s, no more and no less', (use) => {
  const { role, feature, elasticsearch } = NEEDS[use];
  const [indices] = elasticsearch.indices;
  expect(elasticsearch.indices).toHaveLength(1);
  expect(indices!.names).toEqual(['dyno-*']);
  const kibana = { all: 'All', read: 'Read' }[feature];
  const row = `| \`${role}\` | *${kibana}* | ${code(elasticsearch.cluster)} | ${code(indices!.privileges)} |`;
  expect(readme.split('\n').filter((line) => line.startsWith(`| \`${role}\``))).toEqual([row]);
});

test('the README names what some experiments take beyond that', () => {
  const inKibana = readme.slice(readme.indexOf('## In Kibana'));
  for (const privilege of Object.values(MORE_NEEDS)) expect(inKibana).toContain(`\`${privilege}\`, `);
});

test('the feature knows the privileges that roles are told to grant', () => {
  const { privileges } = featureFor({ kibanaVersion: '9.5.3', alerting: true });
  expect(USES.map((use) => NEEDS[use].feature)).toEqual(Object.keys(privileges));
});
