import { readdirSync } from 'node:fs';
import path from 'node:path';
import { BUDGETS, closestToBudgets, MOST_S, timetable, WHOLE_S } from '../test/budgets.mjs';

const filesOf = (folder: string): string[] =>
  readdirSync(path.resolve(__dirname, '../test', folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.slice(0, -'.test.ts'.length)}`);

describe('the budgets of the tests', () => {
  it('add up to no more than the limit of a whole run', () => {
    expect(WHOLE_S).toBeLessThanOrEqual(MOST_S);
  });

  it('exist for exactly the files that run on the real Elasticsearch', () => {
    const files = Object.keys(BUDGETS).filter((part) => part.includes('/'));
    expect(files.sort()).toEqual(
      [...filesOf('browser'), ...filesOf('inputs'), ...filesOf('integration')].sort(),
    );
  });

  it('are listed beside the time taken, which is marked if it exceeds them', () => {
    expect(timetable({ unit: BUDGETS.unit + 1, 'integration/run': 1.4 }, 10)).toBe(
      [
        '                   took  budget',
        `unit           ${`${BUDGETS.unit + 1} s`.padStart(8)}${`${BUDGETS.unit} s`.padStart(8)}  over`,
        `integration/run     1 s${`${BUDGETS['integration/run']} s`.padStart(8)}`,
        `all of it          10 s${`${Math.round(WHOLE_S)} s`.padStart(8)}`,
      ].join('\n'),
    );
  });

  it('do not limit files that run only if everything is requested', () => {
    expect(timetable({ 'integration/presets': 500 }, 2000, true)).not.toMatch(/over/);
  });

  it('are compared with the ten files that used the largest share of theirs, in order of the share', () => {
    const budgets = Object.entries(BUDGETS).filter(([part]) => part.includes('/'));
    const taken = Object.fromEntries(budgets.map(([file, seconds], i) => [file, (seconds * (i + 1)) / 100]));
    const files = budgets.map(([file]) => file);
    const [title, ...lines] = closestToBudgets({ ...taken, unit: 1000 }).split('\n');
    expect(title).toBe('Files that used most of their budgets:');
    expect(lines.map((line) => /\S+\/\S+/.exec(line)?.[0])).toEqual(files.reverse().slice(0, 10));
    expect(closestToBudgets({ unit: 1000 })).toBe('');
  });

  it('do not determine the order of files that run longer if everything is requested', () => {
    const taken = { 'integration/presets': 500, 'integration/run': BUDGETS['integration/run'] };
    expect(closestToBudgets(taken, true)).toBe(
      `Files that used most of their budgets:\n  100%  integration/run (${BUDGETS['integration/run']} of ${BUDGETS['integration/run']} s)`,
    );
  });
});
