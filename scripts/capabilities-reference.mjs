// Generates the tables of features in docs/opensearch.md from common/elasticsearch/capabilities.ts, for `npm run docs`.
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

export const CAPABILITIES_FILE = join(ROOT, 'docs', 'opensearch.md');
const BEGIN = '<!-- The tables below are generated: `npm run docs` -->';
const END = '<!-- End of the tables -->';

/** Headings of the tables of features. The keys are the parts of a definition that need the features. */
const HEADINGS = {
  request: 'Kinds of requests',
  path: 'APIs in `http` requests',
  parameter: 'Query parameters',
  query: 'Queries',
  aggregation: 'Aggregations',
  search: 'Keys in the body of a search',
  sort: 'Sort keys',
  field: 'Field types',
  mapping: 'Mapping parameters',
  setting: 'Index settings',
  processor: 'Ingest processors',
  cluster: 'Cluster settings',
  index: 'Keys of `index`',
  measure: 'Keys of `measure`',
};

const escaped = (text) => text.replaceAll('|', '\\|');

function availability(has) {
  if (has === undefined) return 'yes';
  if (has === false) return 'no';
  if (typeof has !== 'object') return `${has}`;
  const { since, until, plugin } = has;
  return [since, until && `before ${until}`, plugin && `plugin \`${plugin}\``].filter(Boolean).join(', ');
}

function namesOf({ names, values }) {
  const shown = names.map((name) => `\`${name}\``).join(', ');
  return values === undefined ? shown : `${shown}: ${values.map((value) => `\`${value}\``).join(', ')}`;
}

const rowOf = (feature) =>
  `| ${escaped(namesOf(feature))} | ${availability(feature.elasticsearch)} | ${availability(feature.opensearch)} | ${escaped(feature.instead?.opensearch ?? '')} |`;

/**
 * Returns the text of docs/opensearch.md with updated tables. They show which features of Elasticsearch and OpenSearch each part of a
 * definition needs.
 */
export function withCapabilities(text, features) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from === -1 || to < from)
    throw new Error(`docs/opensearch.md lacks the lines \`${BEGIN}\` and \`${END}\` around the tables`);
  // A feature that both engines have in every version is omitted: it only differs in Elastic Cloud Serverless.
  const differing = features.filter((one) => one.elasticsearch !== undefined || one.opensearch !== undefined);
  const tables = Object.entries(HEADINGS)
    .map(([aspect, heading]) => ({ heading, own: differing.filter((one) => one.aspect === aspect) }))
    .filter(({ own }) => own.length > 0)
    .map(({ heading, own }) =>
      [
        `### ${heading}\n`,
        '| feature | Elasticsearch | OpenSearch | instead on OpenSearch |',
        '| --- | --- | --- | --- |',
        ...own.map(rowOf),
      ].join('\n'),
    );
  return `${text.slice(0, from)}${BEGIN}\n\n${tables.join('\n\n')}\n\n${text.slice(to)}`;
}
