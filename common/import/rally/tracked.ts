/**
 * Records which keys of a file the importer reads. The report of the import lists all other keys, which may be misspelt or unknown to Dyno.
 * Without this list, they would be ignored silently.
 */

type Fields = Readonly<Record<string, unknown>>;

/** A key of the file that the importer has not read. */
export interface UnreadKey {
  /** Name of the file that was rendered. Keys in files that it includes are also reported for this file. */
  file: string;
  /** Path of the object that contains the key, such as `schedule[0].operation`; '' for the whole file. */
  owner: string;
  key: string;
  /** Value of the object's key `name`, if it has one. */
  name?: string;
  /** All keys of this object that the importer has looked up, whether they exist or not. Used to suggest a key that may be meant. */
  asked: readonly string[];
}

interface Entry {
  target: object;
  path: string;
  asked: Set<string>;
  /** Proxies that record reads of the objects and lists inside this object, by key. */
  inner: Map<string, object>;
}

/** Returns whether a value is a plain object or a list. Instances of classes count as single values. */
function isTree(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

const inside = (path: string, key: string, ofList: boolean): string =>
  ofList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/**
 * Records which keys of one file are read. Code that reads the file gets *views*: objects that behave like the original ones and record
 * each read.
 */
export class TrackedFile {
  private readonly entries = new WeakMap<object, Entry>();

  constructor(private readonly file: string) {}

  /** Returns a view of `value`, and of everything inside it. `path`: path of `value` in the file. */
  view<Value>(value: Value, path = ''): Value {
    if (!isTree(value)) return value;
    const entry: Entry = { target: value, path, asked: new Set(), inner: new Map() };
    const ofList = Array.isArray(value);
    const view = new Proxy(value, {
      get: (target, key, receiver) => {
        const own: unknown = Reflect.get(target, key, receiver);
        // Methods and `length` are not keys of the file.
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

  /** Returns the path of the object that a view represents. Returns '' if `view` is not a view. */
  pathOf(view: object): string {
    return this.entries.get(view)?.path ?? '';
  }

  /** Marks all keys of a view, and of everything inside it, as read. */
  readAll(view: object): void {
    for (const value of Object.values(view) as unknown[]) if (isTree(value)) this.readAll(value);
  }

  /**
   * Returns the keys of a view, and of everything inside it, that have not been read. If nothing inside an object or list was read, only
   * the key of this object or list is returned, and not the keys inside it.
   */
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
      // Simple items of a list, such as texts, are never reported.
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
