import type { Use } from './capabilities';
import { explainMissing, missingModules, unmetNeeds } from './modules';

/** Messages of Elasticsearch 9.5.3 with the reduced distribution, and of earlier versions. */
test.each([
  ['No handler for type [scaled_float] declared on field [price]', 'module mapper-extras', 'scaled_float'],
  [
    'Failed to parse mapping: The mapper type [match_only_text] declared on field [message] does not exist. It might have been created within a future version or requires a plugin to be installed.',
    'module mapper-extras',
    'match_only_text',
  ],
  ['No handler for type [percolator] declared on field [query]', 'module percolator', 'percolator'],
  ['No handler for type [join] declared on field [relation]', 'module parent-join', 'join'],
  [
    'No handler for type [icu_collation_keyword] declared on field [a]',
    'plugin analysis-icu',
    'icu_collation',
  ],
  ['analyzer [english] has not been configured in mappings', 'module analysis-common', 'english'],
  ['Unknown tokenizer type [ngram] for [mine]', 'module analysis-common', 'ngram'],
  ['Unknown filter type [stemmer] for [mine]', 'module analysis-common', 'stemmer'],
  ['failed to find global filter under [asciifolding]', 'module analysis-common', 'asciifolding'],
  ['Unknown tokenizer type [icu_tokenizer] for [mine]', 'plugin analysis-icu', 'icu_tokenizer'],
  ['No processor type exists with name [grok]', 'module ingest-common', 'grok'],
  ['script_lang not supported [painless]', 'module lang-painless', 'painless'],
  [
    'Custom Analyzer [mine] failed to find filter under name [asciifolding]',
    'module analysis-common',
    'ascii',
  ],
  [
    'Custom Analyzer [a] failed to find tokenizer under name [whitespace]',
    'module analysis-common',
    'whitesp',
  ],
  ['Unknown char_filter type [html_strip] for [mine]', 'module analysis-common', 'html_strip'],
  ['analyzer [icu_analyzer] has not been configured in mappings', 'plugin analysis-icu', 'icu_analyzer'],
  ['Unknown aggregation type [auto_date_histogram] did you mean any of', 'module aggregations', 'auto_date'],
  [
    'Incorrect HTTP method for uri [/_query] and method [POST], allowed: [GET, PUT, DELETE, HEAD]',
    'module x-pack-esql',
    '/_query',
  ],
  ['unknown query [percolate]', 'module percolator', 'percolate'],
  ['unknown query [kql]', 'module x-pack-kql', 'kql'],
  ['no handler found for uri [/_query?format=json] and method [POST]', 'module x-pack-esql', '/_query'],
  ['no handler found for uri [/logs/_search/template] and method [POST]', 'module lang-mustache', 'template'],
  ['no handler found for uri [/_reindex] and method [POST]', 'module reindex', '_reindex'],
])('%s', (reason, part, what) => {
  const text = explainMissing(reason);
  expect(text).toContain(`The target lacks the ${part}, which provides`);
  expect(text).toContain(what);
  expect(text).toMatch(/reduced distribution|install it/);
});

test.each(['unknown query [kql]', 'no handler found for uri [/_query?format=json] and method [POST]'])(
  'the advice names the version with the module: %s',
  (reason) => {
    expect(explainMissing(reason)).toContain('environment.version: 8.19.21 starts a reduced distribution');
    expect(explainMissing(reason)).toContain('--distribution full');
  },
);

test.each([
  'No handler for type [keywrod] declared on field [a]',
  'unknown query [mtach]',
  'analyzer [my_analyzer] has not been configured in mappings',
  'no handler found for uri [/_nothing] and method [GET]',
  'unknown setting [index.refresh_intervall] please check that any required plugins are installed',
  '',
])('no module is missing for %p', (reason) => {
  expect(explainMissing(reason)).toBe('');
});

const REDUCED = new Set(['apm', 'transport-netty4', 'x-pack-core', 'x-pack-security']);
const DEFAULT = new Set(['analysis-common', 'mapper-extras', 'lang-painless', 'ingest-common']);

test('a reduced distribution lacks modules of the default one, which lacks nothing', () => {
  const missing = missingModules(REDUCED).map(({ module }) => module);
  expect(missing).toEqual(expect.arrayContaining(['analysis-common', 'mapper-extras', 'x-pack-esql']));
  expect(missingModules(DEFAULT)).toEqual([]);
});

test.each<[string, Pick<Use, 'aspect' | 'name'>[], unknown, string[]]>([
  ['ES|QL', [{ aspect: 'request', name: 'esql' }], [], ['x-pack-esql']],
  ['a query in KQL', [{ aspect: 'query', name: 'kql' }], [], ['x-pack-kql']],
  ['a template', [{ aspect: 'path', name: '/{{index}}/_search/template' }], [], ['lang-mustache']],
  ['aggregations', [{ aspect: 'aggregation', name: 'top_metrics' }], [], ['x-pack-analytics']],
  ['a retriever', [{ aspect: 'search', name: 'retriever.rrf' }], [], ['rank-rrf']],
  [
    'a script in a search',
    [],
    [{ search: { requests: [{ name: 'b', body: { sort: { _script: { script: { source: '1' } } } } }] } }],
    ['lang-painless'],
  ],
  ['a script of an update', [], [{ ingest: { update: { script: { source: 'ctx' } } } }], ['lang-painless']],
  [
    'names that only look similar',
    [{ aspect: 'sort', name: 'kql' }],
    [{ search: { requests: [{ name: 'b', body: { query: { term: { script: { value: 1 } } } } }] } }],
    [],
  ],
])('the modules that requests need are known: %s', (_, uses, tasks, modules) => {
  const unmet = unmetNeeds(uses, tasks, REDUCED);
  expect(unmet).toHaveLength(modules.length);
  modules.forEach((module, at) =>
    expect(unmet[at]).toMatchObject({
      module,
      message: expect.stringContaining(`lacks the module ${module}`) as string,
    }),
  );
  expect(unmetNeeds(uses, tasks, DEFAULT)).toEqual([]);
});
