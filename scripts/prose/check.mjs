/**
 * Checks the words in docs, comments and texts that users see. `words.yml` lists words that must be replaced. `exceptions.yml` lists places
 * where such a word is correct.
 *
 * `node scripts/prose/check.mjs [FOLDER OR FILE ...]` checks these paths. Without arguments, it checks the paths in `CHECKED` and the
 * subjects of new commits. `--count` prints the number of findings in each folder instead of the findings.
 */
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { parse } from 'yaml';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import prh from 'textlint-rule-prh';
import { ROOT } from '../bootstrap.mjs';
import { proseOf } from './source-text.mjs';

const HERE = import.meta.dirname;
/** Folders and files that are checked by default, and must have no findings. Paths that begin with `:!` are excluded. */
const CHECKED = [
  'scripts',
  'collector',
  'common/import',
  'server/learn',
  'server/standalone',
  'server/analysis',
  'server/certify',
  'server/import',
  'server/load',
  'test',
  'server/run',
  'server/seats',
  'server/tuning',
  ':(glob)server/*.ts',
  'common/experiment',
  'common/measurement',
  'common/report',
  'common/tasks',
  'common/analysis',
  'common/elasticsearch',
  'common/parameters',
  'common/generators',
  'common/requests',
  'common/executors',
  'common/api',
  'common/presets',
  'common/units',
  'common/text',
  'common/example',
  'common/files',
  'common/tuning',
  'common/about',
  'common/fields',
  'common/json',
  'common/secrets',
  'common/grok',
  'common/problem.ts',
  'common/near.ts',
  'common/privileges.ts',
  'common/random.ts',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs',
  'server/MONITORING.md',
  'public/alerting',
  'public/api',
  'public/app',
  'public/charts',
  'public/pages',
  'public/testing',
  'public/ui',
  'server/results',
  'server/kibana',
  'common/history',
  'common/replay',
  'common/saved-searches',
  'server/target-cluster',
  'server/elasticsearch',
  'server/routes',
  'server/host',
  'common/alerting',
  'public/kibana',
  ':!docs/definition.md',
];
/** Maximum number of characters in the subject of a commit. */
const LONGEST_SUBJECT = 72;
/** Commits after this time must have correct subjects. The time of day is given, because Git would otherwise use the current one. */
const SUBJECTS_SINCE = '2026-11-27T00:00:00Z';
const SOURCES = /\.(ts|tsx|mjs|cjs|go)$/;

const git = (...args) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Plugin for the linter textlint that reads source files. It passes the comments and texts of a file to textlint as one text. */
class SourceProcessor {
  availableExtensions() {
    return ['.ts', '.tsx', '.mjs', '.cjs', '.go'];
  }
  processor(extension) {
    return {
      preProcess: (source) => {
        const text = proseOf(source, extension);
        const lines = text.split('\n');
        const place = {
          raw: text,
          range: [0, text.length],
          loc: { start: { line: 1, column: 0 }, end: { line: lines.length, column: lines.at(-1).length } },
        };
        const str = { type: 'Str', value: text, ...place };
        return {
          text,
          ast: { type: 'Document', children: [{ type: 'Paragraph', children: [str], ...place }], ...place },
        };
      },
      postProcess: (messages, filePath) => ({ messages, filePath: filePath ?? '' }),
    };
  }
}

const kernel = new TextlintKernel();
const rules = [
  { ruleId: 'words', rule: prh.default ?? prh, options: { rulePaths: [join(HERE, 'words.yml')] } },
];
const plugins = [
  { pluginId: 'markdown', plugin: markdown.default ?? markdown },
  { pluginId: 'source', plugin: { Processor: SourceProcessor } },
];
const exceptions = parse(readFileSync(join(HERE, 'exceptions.yml'), 'utf8')) ?? [];

async function check(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const { messages } = await kernel.lintText(text, { filePath: file, ext: extname(file), plugins, rules });
  const lines = text.split('\n');
  return messages
    .filter(({ line }) => !exceptions.some((one) => one.file === file && lines[line - 1].includes(one.text)))
    .map(({ line, column, message }) => ({ file, line, column, message }));
}

const args = process.argv.slice(2);
const counts = args.includes('--count');
const paths = args.filter((arg) => !arg.startsWith('--'));
const chosen = paths.length > 0 ? paths : counts ? ['.'] : CHECKED;
const files = git('ls-files', '--', ...chosen).filter((file) => file.endsWith('.md') || SOURCES.test(file));
const findings = [];
for (const file of files) findings.push(...(await check(file)));

if (counts) {
  const byFolder = new Map();
  for (const { file } of findings) {
    const folder = file.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of [...byFolder].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(6)}  ${folder}`);
} else
  for (const { file, line, column, message } of findings) console.log(`${file}:${line}:${column} ${message}`);

const long =
  paths.length > 0
    ? []
    : git('log', '--format=%h %s', `--since=${SUBJECTS_SINCE}`).filter(
        (line) => line.indexOf(' ') + 1 + LONGEST_SUBJECT < line.length,
      );
for (const line of long)
  console.log(`commit ${line}: its subject is longer than ${LONGEST_SUBJECT} characters`);
console.log(`${files.length} files, ${findings.length} words to replace`);
if (!counts && findings.length + long.length > 0) process.exitCode = 1;
