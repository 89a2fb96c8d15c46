/**
 * Records which keys of a parsed file were read. An import lists all other keys, whether they are misspelt or unknown to Dyno, so that no
 * key is ignored silently.
 */

type Fields = Readonly<Record<string, unknown>>;

/** A key that nothing has read. */
export interface UnreadKey {
  /** The file that was rendered. Keys in included files are reported for this file. */
  file: string;
  /** Path of the object that contains the key, e.g. `schedule[0].operation`; '' for the whole file. */
  owner: string;
  key: string;
  /** Name of the object, if it has one. */
  name?: string;
  /** Keys of this object that the importer has tried to read, whether they exist or not. */
  asked: readonly string[];
}

interface Entry {
  target: object;
  path: string;
  asked: Set<string>;
  /** Views of the values that are objects or lists. */
  inner: Map<string, object>;
}

/** Returns whether a value is a plain object or a list. Instances of classes count as values. */
function isTree(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

const inside = (path: string, key: string, ofList: boolean): string =>
  ofList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** Tracks reads of the objects of one file, through views that behave like the objects. */
export class TrackedFile {
  private readonly entries = new WeakMap<object, Entry>();

  constructor(private readonly file: string) {}

  /** Returns a view of `value` that records which keys are read, at all depths. */
  view<Value>(value: Value, path = ''): Value {
    if (!isTree(value)) return value;
    const entry: Entry = { target: value, path, asked: new Set(), inner: new Map() };
    const ofList = Array.isArray(value);
    const view = new Proxy(value, {
      get: (target, key, receiver) => {
        const own: unknown = Reflect.get(target, key, receiver);
        // Methods of lists and objects are not keys of the file.
        if (typeof key === 'symbol' || (own !== undefined && !Object.hasOwn(target, key))) return own;
        if (!ofList || key !== 'length') entry.asked.add(key);
        if (!isTree(own)) return own;
        const known = entry.inner.get(key);
        if (known !== undefined) return known;
        const made = this.view(own, inside(path, key, ofList));
        entry.inner.set(key, made);
        return made;
      },
    });
    this.entries.set(view, entry);
    return view;
  }

  /** Returns the path of the object that belongs to a view; '' if `view` is not a view. */
  pathOf(view: object): string {
    return this.entries.get(view)?.path ?? '';
  }

  /** Marks all keys of a view as read, at all depths. */
  readAll(view: object): void {
    for (const value of Object.values(view) as unknown[]) if (isTree(value)) this.readAll(value);
  }

  /** Returns the keys below `view` that nothing has read. A value without any read key is returned as a whole. */
  unread(view: object): UnreadKey[] {
    const entry = this.entries.get(view);
    if (entry === undefined) return [];
    const { target, path, asked, inner } = entry;
    const ofList = Array.isArray(target);
    const fields = target as Fields;
    const name = fields['name'] ?? fields['operation-type'];
    return Object.entries(target).flatMap(([key, value]: [string, unknown]): UnreadKey[] => {
      const child = inner.get(key);
      const isRead = asked.has(key) && (child === undefined || this.isReadInside(child));
      if (isRead) return child === undefined ? [] : this.unread(child);
      // Items of a list that are not objects are not reported, even if they were not read.
      if (ofList && !isTree(value)) return [];
      return [
        {
          file: this.file,
          owner: path,
          key: ofList ? `[${key}]` : key,
          ...(typeof name === 'string' ? { name } : {}),
          asked: [...asked],
        },
      ];
    });
  }

  private isReadInside(view: object): boolean {
    const { target, asked } = this.entries.get(view)!;
    return asked.size > 0 || Object.keys(target).length === 0;
  }
}
