import { searchDocs, sectionsOf, wordsOf } from './search';

const PAGE = `# Files of \`dyno\`

Where everything is kept.

## Slow log

\`\`\`sh
# no heading
dyno replay slow.log
\`\`\`

| key | text |
| --- | :---: |
| \`expect\` | \`rises\\|falls\` with [a factor](definition.md#factors) |

### Retries

A bulk is sent again.
`;
const OTHER = '# Targets\n\nA target may be slow.\n';
const sections = [...sectionsOf('files', PAGE), ...sectionsOf('targets', OTHER)];
const found = (query: string): string[] =>
  searchDocs(sections, query).map(({ page, hash }) => `${page}${hash}`);

test('a page is split at its headings, but not in its code', () => {
  expect(sections.map(({ title, heading, hash }) => [title, heading, hash])).toEqual([
    ['Files of dyno', '', ''],
    ['Files of dyno', 'Slow log', '#slow-log'],
    ['Files of dyno', 'Retries', '#retries'],
    ['Targets', '', ''],
  ]);
  expect(sections[1]!.text).toBe(
    '# no heading dyno replay slow.log key text expect rises|falls with a factor',
  );
});

test('every word must be in the title, the heading or the text of a section', () => {
  expect(found('BULK again')).toEqual(['files#retries']);
  expect(found('files replay')).toEqual(['files#slow-log']);
  expect(found('bulks again')).toEqual(['files#retries']);
  expect(found('bulk replay')).toEqual([]);
  expect(found('  ')).toEqual([]);
  expect(wordsOf(' a  B ')).toEqual(['a', 'b']);
});

test('a heading comes before a text, and a page title leads to the top of its page alone', () => {
  expect(found('slow')).toEqual(['files#slow-log', 'targets']);
  expect(found('dyno')).toEqual(['files', 'files#slow-log']);
  expect(found('targets')).toEqual(['targets']);
});

test('an excerpt shows the words that were found', () => {
  const long = sectionsOf('long', `# Long\n\n${'before '.repeat(100)}needle ${'after '.repeat(100)}`);
  const [{ excerpt } = { excerpt: '' }] = searchDocs(long, 'needle');
  expect(excerpt).toMatch(/^… before .*needle after .* …$/);
  expect(excerpt.length).toBeLessThan(200);
});
