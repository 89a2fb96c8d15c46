import { parseText } from '../document';
import { locate } from './locate';
import { thrownProblems } from '../../testing/problems';

const text = `version: 1
name: test
index:
  settings: { number_of_shards: 3 }
tasks:
  - name: ingest
    executor:
      constant-clients: { clients: -1 }
factors:
  index.settings.refresh_interval: [1s, 5s]
  index.settings.refresh_interval.x:
    - 1
    - 2
thresholds: ['a < 1', b]
`;

const found = (path: string): string => {
  const { line, from, to } = locate(text, path);
  return `${line}: ${text.slice(from, to)}`;
};

describe('the place of a problem', () => {
  it.each([
    ['name', '2: name: test'],
    ['tasks[0].executor.constant-clients.clients', '8: clients: -1'],
    ['tasks[0].executor', '7: executor'],
    ['tasks[0].ingest', '6: name: ingest'],
    ['factors.index.settings.refresh_interval', '10: index.settings.refresh_interval: [1s, 5s]'],
    ['factors.index.settings.refresh_interval.x', '11: index.settings.refresh_interval.x'],
    ['factors.index.settings.refresh_interval[1]', '10: 5s'],
    [
      'factors (index.settings.refresh_interval=1s, y=2): tasks[0].x',
      '10: index.settings.refresh_interval: [1s, 5s]',
    ],
    ['thresholds[1]', '14: b'],
    ['index.settings.missing', '4: settings: { number_of_shards: 3 }'],
    ['the definition', '1: version'],
    ['measure.duration', '1: version'],
    ['definition.yml:6:5', '6: name: ingest'],
    ['definition.yml:99:5', '15: '],
  ])('%s is on line %s', (path, expected) => expect(found(path)).toBe(expected));

  it('is inside the text, even if the text is invalid or empty', () => {
    const broken = 'name: [a\n';
    const problems = thrownProblems(() => parseText(broken, 'x.yml'));
    expect(problems).not.toEqual([]);
    const { from, to } = locate(broken, problems[0]!.path);
    expect(from).toBeLessThanOrEqual(to);
    expect(to).toBeLessThanOrEqual(broken.length);
    expect(locate('', 'name')).toEqual({ line: 1, from: 0, to: 0 });
  });
});
