/**
 * Converts stacks to JSON that https://profiler.firefox.com opens: its *processed profile format*. Source of the format:
 * https://github.com/firefox-devtools/profiler, `src/types/profile.ts` and `docs-developer/CHANGELOG-formats.md`.
 */
import { parseTime } from '../units/time';
import { ACTIVITIES, activityIndex } from './activities';
import type { ProfileUnit } from './events';
import { partsOf, type Stacks } from './stacks';

/** Version of the format. The Firefox Profiler converts files of older versions when it opens them. */
const PROCESSED_VERSION = 60;
/** Version of the format of Firefox itself at that time. The profiler requires it in all files. */
const GECKO_VERSION = 31;

/** Colours of categories that the format knows. `grey` marks {@link OTHER_CATEGORY}. */
const COLOURS = [
  ...['blue', 'green', 'orange', 'purple', 'yellow', 'lightblue', 'brown', 'magenta', 'red', 'lightred'],
];

interface Category {
  name: string;
  color: string;
  /** The first one is `Other`: stacks of the category without a subcategory. */
  subcategories: string[];
}

/** Category of stacks that belong to no activity. */
const OTHER_CATEGORY: Category = { name: 'Other', color: 'grey', subcategories: ['Other'] };

/** A table of the format. All columns have `length` elements. */
type Table<Columns> = { [Column in keyof Columns]: Columns[Column][] } & { length: number };

interface Frame {
  address: number;
  inlineDepth: number;
  /** Index of the category, and index in its subcategories. */
  category: number;
  subcategory: number;
  func: number;
  nativeSymbol: null;
  innerWindowID: null;
  line: null;
  column: null;
}

interface Func {
  /** Index in `stringArray`. */
  name: number;
  isJS: boolean;
  relevantForJS: boolean;
  resource: number;
  source: null;
  lineNumber: null;
  columnNumber: null;
}

interface Stack {
  /** Index of the innermost frame. */
  frame: number;
  /** Index of the stack of the caller, which has a smaller index; null for an outermost frame. */
  prefix: number | null;
}

interface FirefoxThread {
  name: string;
  processName: string;
  pid: string;
  tid: number;
  processType: 'default';
  isMainThread: false;
  processStartupTime: 0;
  processShutdownTime: null;
  registerTime: 0;
  unregisterTime: null;
  pausedRanges: never[];
  /** One sample per stack. `time`, in ms: sum of the weights of earlier samples, because the stacks have no times. */
  samples: Table<{ stack: number; time: number; weight: number }> & { weightType: 'tracing-ms' | 'bytes' };
  markers: Table<Record<'data' | 'name' | 'startTime' | 'endTime' | 'phase' | 'category', never>>;
}

/** A profile in the processed profile format. */
export interface FirefoxProfile {
  meta: { categories: Category[]; preprocessedProfileVersion: number; [field: string]: unknown };
  libs: never[];
  threads: FirefoxThread[];
  shared: {
    stringArray: string[];
    funcTable: Table<Func>;
    frameTable: Table<Frame>;
    stackTable: Table<Stack>;
    resourceTable: Table<Record<'lib' | 'name' | 'host' | 'type', never>>;
    nativeSymbols: Table<Record<'libIndex' | 'address' | 'name' | 'functionSize', never>>;
    sources: Table<Record<'uuid' | 'filename', never>>;
  };
}

/** What the Firefox Profiler shows about a profile. */
export interface FirefoxAbout {
  /** Name of the profile, such as the name of the experiment. */
  title: string;
  /** Start of the first measured phase, ISO 8601. */
  started: string;
  unit: ProfileUnit;
}

/** Collects the rows of a table. Rows with the same key are added once. */
class Rows<Columns extends object> {
  private readonly known = new Map<string, number>();
  private readonly rows: Columns[] = [];

  constructor(private readonly columns: readonly (keyof Columns)[]) {}

  /** Returns the index of the row with this key. */
  indexOf(key: string, row: () => Columns): number {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const at = this.rows.push(row()) - 1;
    this.known.set(key, at);
    return at;
  }

  table(): Table<Columns> {
    const columns = this.columns.map((column) => [column, this.rows.map((row) => row[column])] as const);
    return { ...Object.fromEntries(columns), length: this.rows.length } as Table<Columns>;
  }
}

/** Returns the categories, and the position of each of {@link ACTIVITIES} (and of no activity) in them. */
function categoriesOf(): { categories: Category[]; places: { category: number; subcategory: number }[] } {
  const outer = ACTIVITIES.filter(({ within }) => within === undefined);
  const categories = outer.map(({ key, title }, at): Category => {
    const inner = ACTIVITIES.filter(({ within }) => within === key);
    return {
      name: title,
      color: COLOURS[at % COLOURS.length]!,
      subcategories: ['Other', ...inner.map((each) => each.title)],
    };
  });
  const places = ACTIVITIES.map(({ key, title, within }) => {
    const category = outer.findIndex((each) => each.key === (within ?? key));
    const subcategory = within === undefined ? 0 : categories[category]!.subcategories.indexOf(title);
    return { category: category + 1, subcategory };
  });
  return {
    categories: [OTHER_CATEGORY, ...categories],
    places: [...places, { category: 0, subcategory: 0 }],
  };
}

/** Returns the index in {@link ACTIVITIES} of the activity of a pool, or the length of that list. */
function activityOfPool(pool: string): number {
  const found = ACTIVITIES.findIndex(({ threads }) => threads?.test(`[${pool}]`));
  return found < 0 ? ACTIVITIES.length : found;
}

const noMarkers = (): FirefoxThread['markers'] => ({
  ...{ data: [], name: [], startTime: [], endTime: [], phase: [], category: [], length: 0 },
});

/**
 * Converts stacks. Each thread pool of each node is a thread of the result, the one with the largest weight first. The category of a frame
 * is the activity of the stack that ends with it.
 */
export function firefoxProfile(stacks: Stacks, { title, started, unit }: FirefoxAbout): FirefoxProfile {
  const { categories, places } = categoriesOf();
  const strings = new Rows<{ text: string }>(['text']);
  const funcs = new Rows<Func>([
    ...(['name', 'isJS', 'relevantForJS', 'resource', 'source', 'lineNumber', 'columnNumber'] as const),
  ]);
  const frames = new Rows<Frame>([
    ...(['address', 'inlineDepth', 'category', 'subcategory', 'func'] as const),
    ...(['nativeSymbol', 'innerWindowID', 'line', 'column'] as const),
  ]);
  const rows = new Rows<Stack>(['frame', 'prefix']);

  const frameOf = (name: string, activity: number): number =>
    frames.indexOf(`${activity} ${name}`, () => ({
      ...{ address: -1, inlineDepth: 0, ...places[activity]! },
      func: funcs.indexOf(name, () => ({
        name: strings.indexOf(name, () => ({ text: name })),
        ...{ isJS: false, relevantForJS: false, resource: -1 },
        ...{ source: null, lineNumber: null, columnNumber: null },
      })),
      ...{ nativeSymbol: null, innerWindowID: null, line: null, column: null },
    }));

  const threads = new Map<string, { node: string; pool: string; weight: number; own: [number, number][] }>();
  for (const [text, weight] of [...stacks].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const { node, pool, frames: names } = partsOf(text);
    const ofPool = activityOfPool(pool);
    let first = ACTIVITIES.length;
    let stack: number | null = null;
    // A stack without frames is shown as a frame with the name of the pool.
    for (const name of names.length === 0 ? [pool] : names) {
      first = Math.min(first, activityIndex(name));
      const frame = frameOf(name, first < ACTIVITIES.length ? first : ofPool);
      const prefix: number | null = stack;
      stack = rows.indexOf(`${prefix} ${frame}`, () => ({ frame, prefix }));
    }
    const key = `${node};${pool}`;
    const thread = threads.get(key) ?? { node, pool, weight: 0, own: [] };
    threads.set(key, thread);
    thread.weight += weight;
    thread.own.push([stack!, weight]);
  }

  const sorted = [...threads.values()].sort((one, other) => other.weight - one.weight);
  const none = { length: 0 };
  return {
    meta: {
      ...{ version: GECKO_VERSION, preprocessedProfileVersion: PROCESSED_VERSION },
      ...{ product: title, importedFrom: 'Dyno', startTime: parseTime(started), interval: 1 },
      ...{ processType: 0, stackwalk: 0, debug: false, symbolicated: true, symbolicationNotSupported: true },
      ...{ usesOnlyOneStackType: true, sourceCodeIsNotOnSearchfox: true, keepProfileThreadOrder: true },
      ...{ categories, markerSchema: [] },
      initialVisibleThreads: sorted.map((_, at) => at),
      initialSelectedThreads: sorted.length === 0 ? [] : [0],
    },
    libs: [],
    threads: sorted.map(({ node, pool, own }, tid) => {
      let time = 0;
      const weights = own.map(([, weight]) => (unit === 'us' ? weight / 1000 : weight));
      return {
        ...{ name: pool, processName: node, pid: node, tid, processType: 'default', isMainThread: false },
        ...{ processStartupTime: 0, processShutdownTime: null, registerTime: 0, unregisterTime: null },
        pausedRanges: [],
        samples: {
          stack: own.map(([stack]) => stack),
          time: own.map(([, weight]) => (time += weight) - weight).map((sum) => sum / 1000),
          weight: weights,
          weightType: unit === 'us' ? 'tracing-ms' : 'bytes',
          length: own.length,
        },
        markers: noMarkers(),
      };
    }),
    shared: {
      stringArray: strings.table().text,
      funcTable: funcs.table(),
      frameTable: frames.table(),
      stackTable: rows.table(),
      resourceTable: { ...none, lib: [], name: [], host: [], type: [] },
      nativeSymbols: { ...none, libIndex: [], address: [], name: [], functionSize: [] },
      sources: { ...none, uuid: [], filename: [] },
    },
  };
}
