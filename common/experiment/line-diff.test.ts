import { diffLines, withContext } from './line-diff';

const show = (left: string, right: string): string[] =>
  diffLines(left, right).map((row) => (row.same ? ` ${row.left}` : `${row.left ?? '-'}|${row.right ?? '-'}`));

describe('two texts side by side', () => {
  it('share what is the same', () => {
    expect(show('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toEqual([' a', 'b|x', ' c', '-|y', ' d']);
  });

  it('keep every line of both', () => {
    const [left, right] = ['a\nb\nb\nc', 'b\nc\nc\na'];
    const rows = diffLines(left, right);
    expect(rows.flatMap((row) => row.left ?? []).join('\n')).toBe(left);
    expect(rows.flatMap((row) => row.right ?? []).join('\n')).toBe(right);
  });

  it('of the same text have nothing that differs', () => {
    expect(diffLines('a\nb', 'a\nb').every(({ same }) => same)).toBe(true);
    expect(show('', 'a')).toEqual(['|a']);
  });

  it('leave out what is far from any difference', () => {
    const [left, right] = ['1\n2\n3\n4\n5\n6\nx\n8', '1\n2\n3\n4\n5\n6\ny\n8'];
    const parts = withContext(diffLines(left, right), 1);
    expect(parts.map((part) => ('skipped' in part ? part.skipped : part.left))).toEqual([5, '6', 'x', '8']);
  });
});
