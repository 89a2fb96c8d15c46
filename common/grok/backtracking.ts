/**
 * Finds repetitions that can share a text between them in many ways, as in `(\w+\s?)*`: a regular expression that tries
 * them all takes a time that doubles with every character of a line that does not match. Repetitions side by side
 * (`.*.*`) cost a power of the length, which lines of a log bear, and are let pass.
 *
 * Judged by sets of characters, so it may refuse what a proof would let pass; and with bounded repetitions inside
 * (`(a{1,50})*`) it sees nothing: the watch over the parser threads is behind it.
 */

/** A repeated part of the expression. `characters[i]`: ASCII code i, the last one for all others. */
interface Item {
  characters: boolean[];
  min: number;
  endless: boolean;
  /** Of a group. */
  alternatives: Item[][] | null;
  text: string;
}

const OTHER = 128;
const PROBES = Array.from({ length: OTHER + 1 }, (_, code) =>
  code === OTHER ? 'é' : String.fromCharCode(code),
);

/** The first such repetition of a valid expression, as it stands in it; null where there is none. */
export function freeRepetition(source: string): string | null {
  const { alternatives } = new Reader(source).read();
  return firstFree(alternatives);
}

function firstFree(alternatives: readonly Item[][]): string | null {
  for (const item of alternatives.flat()) {
    if (item.alternatives === null) continue;
    const inner = firstFree(item.alternatives);
    if (inner !== null) return inner;
    if (item.endless && isLoose(item.alternatives)) return item.text.slice(0, 60);
  }
  return null;
}

/** Whether in some alternative an endless part has no neighbour that must come and that it cannot match itself. */
const isLoose = (alternatives: readonly Item[][]): boolean =>
  alternatives.some((items) =>
    items.some(
      (item) =>
        (item.endless || (item.alternatives !== null && isLoose(item.alternatives))) &&
        !items.some((other) => other !== item && other.min > 0 && isApart(other, item)),
    ),
  );

const isApart = ({ characters: a }: Item, { characters: b }: Item): boolean =>
  a.some(Boolean) && !a.some((has, code) => has && b[code]);

class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  read(): { alternatives: Item[][] } {
    const alternatives: Item[][] = [[]];
    while (this.at < this.source.length && this.source[this.at] !== ')') {
      if (this.source[this.at] === '|') {
        alternatives.push([]);
        this.at += 1;
      } else {
        const item = this.item();
        if (item !== null) alternatives.at(-1)!.push(item);
      }
    }
    return { alternatives };
  }

  /** Null for what takes no characters. */
  private item(): Item | null {
    const start = this.at;
    const char = this.source[start]!;
    let group: Item[][] | null = null;
    let zeroWidth = '^$'.includes(char);
    if (char === '(') {
      const opening = /^\((?:\?(?:[:=!]|<[=!]))?/.exec(this.source.slice(start))![0];
      zeroWidth = opening.length > 1 && opening !== '(?:';
      this.at += opening.length;
      group = this.read().alternatives;
      this.at += 1;
    } else if (char === '[') this.at = this.classEnd(start);
    else if (char === '\\') {
      const hex = /^\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z])/i.exec(this.source.slice(start));
      this.at += hex?.[0].length ?? 2;
      zeroWidth = 'bB'.includes(this.source[start + 1]!);
    } else this.at += 1;
    const atom = this.source.slice(start, this.at);
    const { min, endless } = this.quantifier();
    if (zeroWidth) return null;
    return {
      characters: group === null ? charactersOf(atom) : union(group),
      min: group?.some((items) => items.every((one) => one.min === 0)) ? 0 : min,
      endless,
      alternatives: group,
      text: this.source.slice(start, this.at),
    };
  }

  private classEnd(start: number): number {
    let at = start + 1;
    while (this.source[at] !== ']') at += this.source[at] === '\\' ? 2 : 1;
    return at + 1;
  }

  private quantifier(): { min: number; endless: boolean } {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.at));
    if (found === null) return { min: 1, endless: false };
    this.at += found[0].length;
    const [whole, least, comma, most] = found;
    if (least !== undefined) return { min: Number(least), endless: comma === ',' && most === '' };
    return { min: whole.startsWith('+') ? 1 : 0, endless: !whole.startsWith('?') };
  }
}

const known = new Map<string, boolean[]>();

function charactersOf(atom: string): boolean[] {
  const characters = known.get(atom) ?? probe(atom);
  known.set(atom, characters);
  return characters;
}

function probe(atom: string): boolean[] {
  const regex = new RegExp(`^(?:${/^[{}\]]$/.test(atom) ? `\\${atom}` : atom})$`);
  return PROBES.map((char) => regex.test(char));
}

const union = (alternatives: readonly Item[][]): boolean[] =>
  PROBES.map((_, code) => alternatives.some((items) => items.some(({ characters }) => characters[code])));
