/**
 * Lays out text for a terminal: wraps lines, aligns tables and, if requested, adds colours. Existing packages for tables can shorten and
 * wrap the contents of columns. They cannot leave out empty columns, or the last columns in a narrow terminal.
 */
import { printable, printableLine } from '../../text/printable';
import { withoutEmptyColumns, type Table, type TableCell, type Tone } from '../tables/table';

export type Style = Tone | 'title' | 'bold';

/** Function that applies a style to a text. If the style is undefined, it returns the text unchanged. */
export type Paint = (text: string, style: Style | undefined) => string;

const CODES: Record<Style, string> = {
  good: '32',
  bad: '31',
  warning: '33',
  quiet: '2',
  title: '1;36',
  bold: '1',
};

export const painter =
  (colour: boolean): Paint =>
  (text, style) =>
    colour && style !== undefined && text !== ''
      ? `\u001b[${CODES[style]}m${printable(text)}\u001b[0m`
      : text;

/** Matches the colour codes of {@link painter}. */
const PAINTED = new RegExp(`(\u001b\\[(?:0|${Object.values(CODES).join('|')})m)`);

/** Applies `change` to all parts of a text except the colour codes of {@link painter}. */
export const unlessPainted = (text: string, change: (part: string) => string): string =>
  text
    .split(PAINTED)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');

/**
 * Returns lines with at most `width` characters. Lines are broken between words; only words that are longer than a line are broken
 * themselves. All lines except the first begin with `indent`.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printableLine(text).split(/\s+/).filter(Boolean)) {
    let rest = word;
    const start = (): string => (lines.length === 0 ? '' : indent);
    if (line !== '' && line.length + 1 + rest.length <= width) {
      line += ` ${rest}`;
      continue;
    }
    if (line !== '') lines.push(line);
    line = start();
    while (line.length + rest.length > width) {
      const room = Math.max(1, width - line.length);
      lines.push(line + rest.slice(0, room));
      rest = rest.slice(room);
      line = start();
    }
    line += rest;
  }
  return line === '' ? lines : [...lines, line];
}

/**
 * Shortens a text to `width` characters by leaving out its middle. The two ends together distinguish names better than the beginning alone.
 */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const ahead = Math.ceil((width - 1) / 2);
  return `${text.slice(0, ahead)}…${text.slice(text.length - (width - 1 - ahead))}`;
}

const GAP = '  ';

/**
 * Returns the lines of a table without its title. Each line has at most `width` characters. A heading that is wider than its column takes
 * two lines.
 *
 * Empty optional columns are left out. If the table is still too wide, left-aligned columns are shortened. If this is not enough, columns
 * at the end are left out. A left-aligned column with coloured words, such as *higher*, is never shortened, and is the last one to be left
 * out.
 */
export function layTable(table: Table, width: number, paint: Paint): string[] {
  const { columns, rows } = withoutEmptyColumns(table);
  const texts = rows.map((row) => row.map((one): TableCell => ({ ...one, text: printableLine(one.text) })));
  const contents = columns.map((_, at) => Math.max(1, ...texts.map((row) => row[at]!.text.length)));
  const headings = columns.map(({ name }, at) => (name.length > contents[at]! ? inTwo(name) : ['', name]));
  let widths = headings.map((lines, at) => Math.max(contents[at]!, ...lines.map(({ length }) => length)));
  const isVerdict = columns.map(
    ({ align }, at) => align === 'left' && texts.some((row) => row[at]!.tone !== undefined),
  );
  let shown = columns.map((_, at) => at);
  const total = (): number => shown.reduce((sum, at) => sum + widths[at]! + GAP.length, 0);
  while (total() > width) {
    const long = shown
      .filter((at) => columns[at]!.align === 'left' && !isVerdict[at] && widths[at]! > SHORTEST)
      .sort((a, b) => widths[b]! - widths[a]!)[0];
    if (long !== undefined) widths = widths.map((one, at) => (at === long ? one - 1 : one));
    else if (shown.length > 1) {
      const last = shown.slice(1).findLast((at) => !isVerdict[at]) ?? shown.at(-1);
      shown = shown.filter((at) => at !== last);
    } else break;
  }
  const line = (cells: readonly TableCell[], style?: Style): string => {
    const pieces = shown.map((at) => {
      const { text, tone } = cells[at]!;
      const room = widths[at]!;
      const short = shorten(text, room);
      const padding = ' '.repeat(room - short.length);
      const painted = paint(short, style ?? tone);
      return columns[at]!.align === 'right' ? padding + painted : painted + padding;
    });
    return `${GAP}${pieces.join(GAP)}`.trimEnd();
  };
  const heads = [0, 1].map((part) => headings.map((lines) => ({ text: lines[part]! })));
  const isTwo = heads[0]!.some(({ text }) => text !== '');
  return [
    ...(isTwo ? heads : heads.slice(1)).map((head) => line(head, 'quiet')),
    ...texts.map((row) => line(row)),
  ];
}

/** Number of characters to which a left-aligned column may at most be shortened. */
const SHORTEST = 7;

/** Splits a heading into two lines, of which the longer one is as short as possible. */
function inTwo(name: string): [string, string] {
  const cuts = [...name.matchAll(/ /g)].map(({ index }): [string, string] => [
    name.slice(0, index),
    name.slice(index + 1),
  ]);
  const longest = ([a, b]: [string, string]): number => Math.max(a.length, b.length);
  return cuts.sort((a, b) => longest(a) - longest(b))[0] ?? ['', name];
}
