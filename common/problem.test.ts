import { describeProblem, inputError } from './problem';

test('a problem shows what a file or a cluster said without control characters', () => {
  const answered = 'no such field [\u001b]0;owned\u0007\u001b[2J]';
  const error = inputError('target.refused', 'docs\u202e.ndjson', answered, {
    found: '\u009b31m',
    allowed: 'a\rb',
  });
  const shown = [error.message, ...error.problems.map(describeProblem), JSON.stringify(error.problems)].join(
    '',
  );
  // oxlint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(error.message).toContain('no such field [\\u001b]0;owned');
});
