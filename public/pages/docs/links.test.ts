import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EXAMPLE } from '../../../common/example';
import { anchorOf, pageText, withoutDiagrams } from './links';

const NAMES = ['figures', 'server'];
const text = (markdown: string): string =>
  pageText(markdown, 'figures', NAMES, (name, hash) => `/app/docs/${name}${hash}`);

test.each([
  ['see [there](server.md)', 'see [there](/app/docs/server)'],
  [
    '[names](figures.md#names-of-metrics), [here](#names)',
    '[names](/app/docs/figures#names-of-metrics), [here](/app/docs/figures#names)',
  ],
  ['[out](https://elastic.co/x#y)', '[out](https://elastic.co/x#y)'],
  ['the [collector](../collector/README.md) and [this](decisions/README.md)', 'the collector and this'],
  ['# Figures\n\nOf runs', '\nOf runs'],
])('%s leads to a page of the app, or nowhere', (markdown, expected) =>
  expect(text(markdown)).toBe(expected),
);

test('a heading is found by the anchor that links have', () => {
  expect(anchorOf('Where results are stored')).toBe('where-results-are-stored');
  expect(anchorOf('`tasks[].executor.highest-rate`')).toBe('tasksexecutorhighest-rate');
});

test('the app shows no source of diagrams, which it cannot draw', () => {
  expect(withoutDiagrams('One\n\n```mermaid\nflowchart LR\n  a --> b\n```\n\nTwo\n')).toBe('One\n\nTwo\n');
});

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const withoutCode = (markdown: string): string => markdown.replaceAll(/^```.*\n[\s\S]*?^```$/gm, '');
const anchorsIn = (file: string): string[] =>
  [...withoutCode(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
const PAGES = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'server/MONITORING.md', ...PAGES];

test.each(DOCUMENTS)('every link of %s leads to a file and a heading', (file) => {
  const lost: string[] = [];
  for (const [, to = '', hash] of withoutCode(read(file)).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
    if (/^https?:/.test(to)) continue;
    const target = to === '' ? file : path.join(path.dirname(file), to);
    if (!existsSync(path.join(ROOT, target))) lost.push(to);
    else if (hash !== undefined && !anchorsIn(target).includes(hash)) lost.push(`${to}#${hash}`);
  }
  expect(lost).toEqual([]);
});

test('the start page links to every page', () => {
  const linked = [...read('docs/README.md').matchAll(/\]\(([\w-]+)\.md\)/g)].map(
    ([, name]) => `docs/${name!}.md`,
  );
  const top = PAGES.filter((page) => page.split('/').length === 2 && page !== 'docs/README.md');
  expect(top.filter((page) => !linked.includes(page))).toEqual([]);
});

test('the app has every page of the start page that is for people who use Dyno', () => {
  const [forUsers = ''] = read('docs/README.md').split('## Work on Dyno');
  const linked = [...forUsers.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name!);
  const imported = [...read('public/pages/docs/pages.ts').matchAll(/docs\/([\w-]+)\.md'/g)].map(
    ([, name]) => name!,
  );
  expect([...new Set(linked)].sort()).toEqual(imported.filter((name) => name !== 'README').sort());
});

test('the README quotes the result of the recorded example', () => {
  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').toLowerCase();
  expect(plain(read('README.md'))).toContain(plain(EXAMPLE.run.sentence));
  expect(plain(read('README.md'))).toContain(plain(EXAMPLE.run.trust!.line));
});
