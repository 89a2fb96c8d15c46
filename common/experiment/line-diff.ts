/** Two texts side by side, line by line: what is the same, what differs. */

export interface DiffRow {
  /** Null where the other text has a line more. */
  left: string | null;
  right: string | null;
  same: boolean;
}

/** Beyond so many pairs of lines that differ, they are shown as one block. */
const MOST_PAIRS = 4_000_000;

const paired = (left: readonly string[], right: readonly string[]): DiffRow[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    left: left[at] ?? null,
    right: right[at] ?? null,
    same: false,
  }));

/** Lengths of the longest common subsequences of the ends: `table[i][j]` of `left.slice(i)` and `right.slice(j)`. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      table[i]![j] =
        left[i] === right[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}

function middle(left: readonly string[], right: readonly string[]): DiffRow[] {
  if (left.length * right.length > MOST_PAIRS) return paired(left, right);
  const table = commonLengths(left, right);
  const rows: DiffRow[] = [];
  let [i, j, fromLeft, fromRight] = [0, 0, 0, 0];
  const flush = (): void => {
    rows.push(...paired(left.slice(fromLeft, i), right.slice(fromRight, j)));
  };
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      flush();
      rows.push({ left: left[i]!, right: right[j]!, same: true });
      i += 1;
      j += 1;
      [fromLeft, fromRight] = [i, j];
    } else if (table[i + 1]![j]! >= table[i]![j + 1]!) i += 1;
    else j += 1;
  }
  [i, j] = [left.length, right.length];
  flush();
  return rows;
}

/** Rows of both texts, lines that they share beside each other. */
export function diffLines(leftText: string, rightText: string): DiffRow[] {
  const [left, right] = [leftText.split('\n'), rightText.split('\n')];
  const least = Math.min(left.length, right.length);
  let head = 0;
  while (head < least && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < least - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): DiffRow[] =>
    lines.map((line) => ({ left: line, right: line, same: true }));
  return [
    ...same(left.slice(0, head)),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...same(left.slice(left.length - tail)),
  ];
}

/** A row, or how many rows that are the same in both were left out. */
export type DiffPart = DiffRow | { skipped: number };

/** Without what is further than `context` rows from every difference. */
export function withContext(rows: readonly DiffRow[], context: number): DiffPart[] {
  const parts: DiffPart[] = [];
  rows.forEach((row, at) => {
    const near = rows.slice(Math.max(0, at - context), at + context + 1).some(({ same }) => !same);
    const last = parts.at(-1);
    if (near) parts.push(row);
    else if (last && 'skipped' in last) last.skipped += 1;
    else parts.push({ skipped: 1 });
  });
  return parts;
}
