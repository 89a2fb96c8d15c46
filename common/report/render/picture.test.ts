import { refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import { verdictPicture, wrapped, type PictureColours } from './picture';

const pair = { soft: '#eee', ink: '#111' };
const COLOURS: PictureColours = {
  paper: '#fff',
  ink: '#000',
  quiet: '#666',
  rule: '#ddd',
  main: '#00f',
  reference: '#0aa',
  good: pair,
  bad: pair,
  warning: pair,
  plain: pair,
};

const { run, trials } = refreshRun();
const report = buildReport(run, trials);

test('the picture has the answer, the effect, its interval, the trust, every trial and the run', () => {
  const svg = verdictPicture(report, COLOURS);
  const words = svg.replaceAll(/<(style|title|desc)[^>]*>.*?<\/\1>/gs, '').replaceAll(/<[^>]+>/g, ' ');
  for (const text of ['Confirmed', '+23%', '95% interval', 'Trust: high', report.run.id, '0%'])
    expect(words).toContain(text);
  expect([...svg.matchAll(/<circle[^>]*class="trial/g)]).toHaveLength(trials.length);
});

test('the picture loads nothing, so that a canvas is not tainted', () => {
  const svg = verdictPicture(report, COLOURS);
  expect(svg).not.toMatch(/(href|src|url\()/);
  expect(svg).not.toMatch(/<(foreignObject|image|script|use)\b/);
  expect(svg.match(/https?:\/\/[^"]+/g)).toEqual([
    'http://www.w3.org/2000/svg',
    'http://www.w3.org/2000/svg',
  ]);
});

test('names are escaped', () => {
  const named = { ...report, experiment: { ...report.experiment, name: '<script>a & b</script>' } };
  const svg = verdictPicture(named, COLOURS);
  expect(svg).toContain('&lt;script&gt;a &amp; b');
  expect(svg).not.toContain('<script>');
});

test('long texts are broken between words, and end with an ellipsis if there is no room', () => {
  const lines = wrapped('a rather long sentence with several words', 100, 10, 'regular', 3);
  expect(lines).toEqual(['a rather long', 'sentence with', 'several words']);
  expect(wrapped('a rather long sentence with several words', 100, 10, 'regular', 2).at(-1)).toMatch(/…$/);
});
