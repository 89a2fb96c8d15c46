import { readFileSync } from 'node:fs';
import path from 'node:path';
import { anchorOf, pageText, titleOf } from './links';

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

test('every anchor that a page links to is there', () => {
  const folder = path.resolve(__dirname, '../../../docs');
  const read = (name: string): string => readFileSync(path.join(folder, `${name}.md`), 'utf8');
  const lost: string[] = [];
  for (const name of ['definition', 'experiments', 'figures', 'kibana', 'server']) {
    expect(titleOf(read(name))).not.toBe('');
    for (const [, file = '', hash] of read(name).matchAll(/\]\((?:([\w-]+)\.md)?#([^)]+)\)/g)) {
      const headings = [...read(file === '' ? name : file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
        anchorOf(heading!),
      );
      if (!headings.includes(hash!)) lost.push(`${name}: ${file}#${hash!}`);
    }
  }
  expect(lost).toEqual([]);
});
