/**
 * Reads all documents of a file before a profile is learned. Derives the mapping that Elasticsearch would create for the documents. Finds
 * the fields that must be left out, because Elasticsearch would reject them or a profile cannot describe them.
 */
import { plainKey } from '../../common/json/exact';
import { inputError } from '../../common/problem';

type Tree = Readonly<Record<string, unknown>>;

/** Fields that are left out of generated documents for one reason. */
export interface LeftOut {
  /** Text that completes "Left out, because ...". */
  reason: string;
  fields: string[];
}

/** Value of Elasticsearch's `index.mapping.depth.limit`. */
const MOST_LEVELS = 20;
/** One less than Elasticsearch's `index.mapping.total_fields.limit`. It is also the maximum number of fields in a profile. */
export const MOST_FIELDS = 999;
const LONGEST_NAME = 1000;
/**
 * Maximum number of different field names in the documents. A file with more names is refused, because some of its names are probably
 * values.
 */
const MOST_NAMES = 100_000;

/** Names that are reserved at the top level of a document. */
const METADATA: ReadonlySet<string> = new Set([
  '_id', '_index', '_source', '_routing', '_ignored', '_field_names', '_seq_no', '_version', '_tier', '_nested_path', '_feature',
  '_size', '_tsid', '_ts_routing_hash', '_primary_term', '_data_stream_timestamp', '_ignored_source', '_inference_fields',
]); // oxfmt-ignore

const REASONS = {
  name: 'a name must not be empty, blank, or begin or end with a dot',
  metadata: 'Elasticsearch reserves these names',
  long: `names in a profile have at most ${LONGEST_NAME} characters`,
  deep: `Elasticsearch allows at most ${MOST_LEVELS} levels of objects`,
  values: 'they are values where most documents have an object',
  objects: 'they are objects where most documents have a value',
  many: `Elasticsearch and a profile allow ${MOST_FIELDS} fields (a text counts as two), and these are the rarest`,
} as const;
type Reason = keyof typeof REASONS;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const below = (above: string, name: string): string => (above === '' ? name : `${above}.${name}`);

/**
 * Returns the reason why Elasticsearch or a profile rejects the name of a field. Undefined if the name is accepted. Dots in a name separate
 * objects.
 */
function nameFault(name: string, isTop: boolean): Reason | undefined {
  if (name.split('.').some((part) => part.trim() === '')) return 'name';
  if (isTop && METADATA.has(name)) return 'metadata';
  return name.length > LONGEST_NAME ? 'long' : undefined;
}

/** Matches texts that Elasticsearch detects as dates. */
const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** Upper limit of the type `long`. */
const LARGEST_LONG = 2 ** 63;

function scalarType(value: unknown): string | undefined {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < LARGEST_LONG ? 'long' : 'double';
  if (typeof value !== 'string') return undefined;
  return DATE.test(value) ? 'date' : 'text';
}

const joined = (one: string | undefined, other: string): string =>
  one === undefined || one === other
    ? other
    : [one, other].every((type) => type === 'long' || type === 'double')
      ? 'double'
      : 'text';

/**
 * Returns the mapping that Elasticsearch guesses for a text. Returns a new object each time, because YAML would write aliases for a shared
 * object.
 */
const withKeyword = (): Tree => ({
  type: 'text',
  fields: { keyword: { type: 'keyword', ignore_above: 256 } },
});

/** Numbers of documents and values of one field, counted so far. */
interface Seen {
  /** Depth of the field in the document; 1 for a top-level field. */
  level: number;
  /** Number of documents that have the field. */
  documents: number;
  /** Number of the last document that has the field, from 1. */
  last: number;
  /** Number of values that are objects. */
  objects: number;
  /** Number of values that are not objects. */
  values: number;
  type?: string;
}

const isObject = ({ objects, values }: Seen): boolean => objects > 0 && objects >= values;

/** Returns whether each field of a mapping accepts only objects (`object`) or has any other type (`other`). Key: path of the field. */
function mappedKinds(mapping: Tree): Map<string, 'object' | 'other'> {
  const kinds = new Map<string, 'object' | 'other'>();
  const visit = (properties: unknown, above: string): void => {
    for (const [name, own] of Object.entries(isTree(properties) ? properties : {})) {
      if (!isTree(own)) continue;
      const path = below(above, name);
      // A dot in a name separates objects.
      for (let at = path.indexOf('.'); at >= 0; at = path.indexOf('.', at + 1))
        kinds.set(path.slice(0, at), 'object');
      const plain = own['type'] === undefined || own['type'] === 'object' || own['type'] === 'nested';
      kinds.set(path, plain && own['enabled'] !== false ? 'object' : 'other');
      visit(own['properties'], path);
    }
  };
  visit(mapping['properties'], '');
  return kinds;
}

export class Survey {
  private readonly seen = new Map<string, Seen>();
  private readonly kinds: ReadonlyMap<string, 'object' | 'other'>;
  private readonly faults = new Map<string, Reason>();
  private documents = 0;
  /** Paths of the fields that Elasticsearch accepts and a profile can describe. */
  private fitting = new Set<string>();

  /** `known`: mapping of the documents, if the user has specified it. For the fields in it, no types are guessed. */
  constructor(
    private readonly file: string,
    private readonly known?: Tree,
  ) {
    this.kinds = known === undefined ? new Map() : mappedKinds(known);
  }

  observe(document: Tree): void {
    this.documents += 1;
    this.look(document, '');
  }

  private look(object: Tree, above: string): void {
    for (const [name, value] of Object.entries(object)) {
      const fault = nameFault(name, above === '');
      const path = below(above, name);
      if (fault !== undefined) {
        this.fault(path, fault);
        continue;
      }
      // Elasticsearch interprets a dot in a name as the separator between an object and its field.
      const parts = name.split('.');
      let inner = above;
      const reaches = parts.every((part, at) => {
        inner = below(inner, part);
        if (this.kinds.get(inner) === 'other') return false;
        const field = this.fieldAt(inner, path);
        if (field === undefined) return false;
        if (at < parts.length - 1) field.objects += 1;
        return true;
      });
      if (reaches) this.lookAt(value, inner);
    }
  }

  private lookAt(value: unknown, path: string): void {
    const field = this.seen.get(path)!;
    for (const one of (Array.isArray(value) ? value.flat(Infinity) : [value]) as unknown[]) {
      if (isTree(one)) {
        field.objects += 1;
        // An object counts as a level even if it has no fields.
        if (field.level < MOST_LEVELS) this.look(one, path);
        else this.fault(path, 'deep');
      } else {
        const type = scalarType(one);
        if (type === undefined) continue;
        field.values += 1;
        field.type = joined(field.type, type);
      }
    }
  }

  /**
   * Returns the counts of a field. Undefined if the field is nested too deeply. `of`: name of the field in the document, for the list of
   * fields that are left out.
   */
  private fieldAt(path: string, of: string): Seen | undefined {
    const known = this.seen.get(path);
    if (known !== undefined) {
      if (known.last !== this.documents) known.documents += 1;
      known.last = this.documents;
      return known;
    }
    const level = path.split('.').length;
    if (level > MOST_LEVELS) {
      this.fault(of, 'deep');
      return undefined;
    }
    if (this.seen.size >= MOST_NAMES)
      throw inputError(
        'learn.names',
        this.file,
        `has more than ${MOST_NAMES} different field names, so some names are probably values`,
        {
          allowed:
            'documents with a fixed set of names, or --mapping with the object of these names as flattened',
        },
      );
    const made: Seen = { level, documents: 1, last: this.documents, objects: 0, values: 0 };
    this.seen.set(path, made);
    return made;
  }

  private fault(path: string, reason: Reason): void {
    if (!this.faults.has(path) && this.faults.size < MOST_NAMES) this.faults.set(path, reason);
  }

  private isObject(path: string, field: Seen): boolean {
    return this.kinds.get(path) === 'object' || isObject(field);
  }

  /**
   * Decides which fields generated documents will have. Called after all documents were read. Returns the mapping of these fields, and the
   * fields that are left out.
   */
  decide(): { mapping: Tree; leftOut: LeftOut[] } {
    const fields = [...this.seen].sort(
      ([, one], [, other]) => other.documents - one.documents || one.level - other.level,
    );
    let room = MOST_FIELDS - (this.known === undefined ? 0 : this.kinds.size);
    for (const [path, field] of fields) {
      const above = path.slice(0, Math.max(0, path.lastIndexOf('.')));
      const outer = this.seen.get(above);
      const isReached =
        above === '' || (this.fitting.has(above) && outer !== undefined && this.isObject(above, outer));
      if (!isReached) continue;
      const objects = this.isObject(path, field);
      if (objects && field.level >= MOST_LEVELS) continue;
      if (objects && field.values > 0) this.fault(path, 'values');
      else if (!objects && field.objects > 0) this.fault(path, 'objects');
      const needs = this.kinds.has(path) ? 0 : !objects && field.type === 'text' ? 2 : 1;
      if (needs > room) this.fault(path, 'many');
      else {
        this.fitting.add(path);
        room -= needs;
      }
    }
    const leftOut = (Object.keys(REASONS) as Reason[]).map((reason) => ({
      reason: REASONS[reason],
      fields: [...this.faults].flatMap(([path, own]) => (own === reason ? [path] : [])),
    }));
    return {
      mapping: this.known ?? this.mapping(),
      leftOut: leftOut.filter(({ fields: own }) => own.length > 0),
    };
  }

  private mapping(): Tree {
    const root = { properties: {} as Record<string, unknown> };
    const made = new Map<string, { properties: Record<string, unknown> }>([['', root]]);
    for (const [path, field] of this.seen) {
      if (!this.fitting.has(path)) continue;
      const at = path.lastIndexOf('.');
      const { properties } = made.get(path.slice(0, Math.max(0, at)))!;
      const name = path.slice(at + 1);
      if (this.isObject(path, field)) {
        const object = { properties: {} };
        made.set(path, object);
        properties[name] = object;
      } else if (field.type !== undefined)
        properties[name] = field.type === 'text' ? withKeyword() : { type: field.type };
    }
    return root;
  }

  /** Returns the document without the fields that are left out. */
  kept(document: Tree): Tree {
    return this.keptIn(document, '');
  }

  private keptIn(object: Tree, above: string): Tree {
    return Object.fromEntries(
      Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
        const name = plainKey(key);
        if (nameFault(name, above === '') !== undefined) return [];
        const parts = name.split('.');
        let path = above;
        for (const [at, part] of parts.entries()) {
          path = below(path, part);
          if (this.kinds.get(path) === 'other') return [[key, value]];
          const field = this.seen.get(path);
          if (field === undefined || !this.fitting.has(path)) return [];
          if (at < parts.length - 1 && !this.isObject(path, field)) return [];
        }
        const own = this.keptValue(value, path, this.isObject(path, this.seen.get(path)!));
        return own === undefined ? [] : [[key, own]];
      }),
    );
  }

  private keptValue(value: unknown, path: string, objects: boolean): unknown {
    if (value === null) return value;
    if (Array.isArray(value))
      return value.flatMap((one: unknown) => {
        const kept = this.keptValue(one, path, objects);
        return kept === undefined ? [] : [kept];
      });
    if (isTree(value)) return objects ? this.keptIn(value, path) : undefined;
    return objects ? undefined : value;
  }
}
