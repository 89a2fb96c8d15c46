/** Finds the position of a cursor in the structure of YAML or JSON that may be incomplete. The editor uses it to offer completions. */

export interface Cursor {
  /**
   * Keys of the objects that contain the cursor, from the outermost to the innermost. Positions in lists are left out. If the cursor is at
   * a value, the last key is the key of this value.
   */
  keys: string[];
  /** Type of text that can be written at the cursor. `either`: a key or a value, because the line contains only a word so far. */
  at: 'key' | 'value' | 'either';
  /** The word before the cursor, without its opening quote. */
  typed: string;
  /** Quotation mark at the beginning of the word before the cursor; '' if the word has no quotation mark. */
  quote: string;
  /** Whether a key before the cursor is in double quotes, as in JSON. */
  isJson: boolean;
}

interface Frame {
  /** Column of the key or dash with which the object or list begins. {@link FLOW} if the object or list begins with a bracket. */
  column: number;
  /**
   * Name of the key before the cursor in an object; null in a list. In an object in brackets, it is also null until the key is complete.
   */
  key: string | null;
  isList: boolean;
}

const FLOW = Infinity;

const SPACES = /[^\S\n]*/y;
const BLANK_LINE = /[^\S\n]*(?:#.*)?\n/y;
const REST_OF_LINE = /.*\n?/y;
const DASH = /-(?=\s|$)/y;
const BLOCK_SCALAR = /[|>][-+\d]*[^\S\n]*(?:#.*)?(?=\n|$)/y;
const DOUBLE_QUOTED = /"(?:[^"\\]|\\[\s\S])*"?/y;
const SINGLE_QUOTED = /'(?:[^']|'')*'?/y;
const PLAIN_IN_FLOW = /(?:[^,[\]{}\n:#]|:(?![\s,[\]{}]|$)|(?<!\s)#)*/y;
const PLAIN_IN_BLOCK = /(?:[^\n:#]|:(?!\s|$)|(?<!\s)#)*/y;

interface Word {
  text: string;
  quote: string;
  /** Whether a character typed at the cursor would continue this word. */
  isOpen: boolean;
}

/**
 * Returns the position of the cursor, which is at the end of `text`. Null if nothing can be offered there: in a comment, in a block scalar,
 * or after a value.
 */
export function cursorOf(text: string): Cursor | null {
  const frames: Frame[] = [];
  let isJson = false;
  let at = 0;
  /** Column of the key whose block scalar contains the current line; null outside of block scalars. */
  let scalarOf: number | null = null;

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? '';
    at += taken.length;
    return taken;
  };
  const isEnd = (): boolean => at >= text.length;
  const found = (place: Cursor['at'], word?: Word): Cursor => ({
    keys: frames.flatMap(({ key }) => key ?? []),
    at: place,
    typed: word?.text ?? '',
    quote: word?.quote ?? '',
    isJson,
  });
  const leave = (column: number, isDash: boolean): void => {
    for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
      if (top.column < column || (isDash && top.column === column && !top.isList)) return;
      frames.pop();
    }
  };
  const word = (inFlow: boolean): Word => {
    const quote = /["']/.exec(text[at] ?? '')?.[0] ?? '';
    if (quote === '') {
      const plain = take(inFlow ? PLAIN_IN_FLOW : PLAIN_IN_BLOCK);
      return { text: plain, quote, isOpen: isEnd() };
    }
    const quoted = take(quote === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED);
    const isClosed = quoted.length > 1 && quoted.endsWith(quote) && !/(?<!\\)(?:\\\\)*\\"$/.test(quoted);
    return { text: quoted.slice(1, isClosed ? -1 : undefined), quote, isOpen: !isClosed };
  };

  /**
   * Reads a list or an object in brackets up to its closing bracket, and returns undefined. If the text ends before this bracket, returns
   * the cursor, or null if nothing can be offered at the end of the text.
   */
  const flow = (): Cursor | null | undefined => {
    const depth = frames.length;
    do {
      take(SPACES);
      const top = frames.at(-1)!;
      const place = frames.length > depth && !top.isList && top.key === null ? 'key' : 'value';
      const sign = text[at];
      if (sign === undefined) return found(place);
      if (sign === '#') {
        if (!take(REST_OF_LINE).endsWith('\n')) return null;
      } else if (/["']/.test(sign) || !/[,[\]{}:\n]/.test(sign)) {
        const before = at;
        const read = word(true);
        if (at === before) at += 1;
        if (isEnd()) return read.isOpen ? found(place, read) : null;
        take(SPACES);
        if (place === 'key' && text[at] === ':') {
          top.key = read.text.trim();
          isJson ||= read.quote === '"';
        }
      } else {
        at += 1;
        if (sign === '{' || sign === '[') frames.push({ column: FLOW, key: null, isList: sign === '[' });
        else if (sign === '}' || sign === ']') frames.pop();
        else if (sign === ',') top.key = null;
      }
    } while (frames.length > depth);
    return undefined;
  };

  /**
   * Reads the value after a key or a dash, up to the end of its line or of its brackets, and returns undefined. If the text ends within the
   * value, returns the cursor, or null if nothing can be offered at the end of the text.
   */
  const value = (place: 'value' | 'either'): Cursor | null | undefined => {
    if (isEnd()) return found(place);
    if (/[[{]/.test(text[at]!)) {
      const cursor = flow();
      if (cursor !== undefined) return cursor;
    } else {
      const read = word(false);
      if (isEnd()) return read.isOpen ? found(place, read) : null;
    }
    return take(REST_OF_LINE).endsWith('\n') ? undefined : null;
  };

  for (;;) {
    if (take(BLANK_LINE) !== '') continue;
    let column = take(SPACES).length;
    if (scalarOf !== null && column > scalarOf) {
      if (!take(REST_OF_LINE).endsWith('\n')) return null;
      continue;
    }
    scalarOf = null;
    if (text[at] === '#') return null;
    while (take(DASH) !== '') {
      leave(column, true);
      frames.push({ column, key: null, isList: true });
      column += 1 + take(SPACES).length;
    }
    if (text[at] === '\n') {
      at += 1;
      continue;
    }
    leave(column, false);
    const start = at;
    if (!isEnd() && !/[[{]/.test(text[at]!)) {
      const key = word(false);
      take(SPACES);
      if (!isEnd() && text[at] === ':') {
        at += 1;
        frames.push({ column, key: key.text.trim(), isList: false });
        take(SPACES);
        if (text[at] === '\n') at += 1;
        else if (take(BLOCK_SCALAR) !== '') {
          scalarOf = column;
          if (isEnd()) return null;
          at += 1;
        } else if (text[at] === '#') {
          if (!take(REST_OF_LINE).endsWith('\n')) return null;
        } else {
          const cursor = value('value');
          if (cursor !== undefined) return cursor;
        }
        continue;
      }
      at = start;
    }
    const cursor = value('either');
    if (cursor !== undefined) return cursor;
  }
}
