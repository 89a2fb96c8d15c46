/**
 * Resolves the key `use` in the YAML files of presets. `use: NAME` inserts a fragment: a named piece of YAML from the account.yaml of the
 * same folder or from shared.yaml.
 *
 * If `use` is the only key of an object, the fragment replaces the object. If this object is an element of a list, and the fragment is a
 * list too, the elements of the fragment are inserted. If `use` is next to other keys, the keys of the fragment are added to the object,
 * but do not replace existing keys.
 */
import { formatPath, type PathSegment } from '../experiment/path';
import { showValue, type Problem } from '../problem';

/** Position of a value: its file and path. */
export interface Place {
  file: string;
  path: readonly PathSegment[];
}

/** A value with its position. */
export interface Written {
  value: unknown;
  place: Place;
}

export type Fragments = ReadonlyMap<string, Written>;

type Entries = Record<string, unknown>;

export const showPlace = ({ file, path }: Place): string =>
  path.length === 0 ? file : `${file}: ${formatPath(path)}`;

export const below = ({ file, path }: Place, ...more: PathSegment[]): Place => ({
  file,
  path: [...path, ...more],
});

export const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUse = (value: unknown): boolean => isObject(value) && Object.keys(value).join() === 'use';

export interface Filled {
  value: unknown;
  /** Returns the position of the value at `path`. If there is no value at `path`, returns the position at which it would be. */
  placeOf(path: readonly PropertyKey[]): Place;
  /**
   * Problems with the key `use`. A fragment does not exist or uses itself, or it is not an object although its keys must be added to an
   * object.
   */
  problems: Problem[];
  /** Fragments that were inserted. */
  used: Set<Written>;
}

/** Returns `written` with the fragments inserted that its keys `use` name. */
export function fill(written: Written, fragments: Fragments): Filled {
  const problems: Problem[] = [];
  const used = new Set<Written>();
  /** Positions in the files of all values in the objects and lists that this function has created. */
  const places = new WeakMap<object, Map<PropertyKey, Place>>();

  function fragment(name: unknown, place: Place, around: readonly string[]): Written | undefined {
    const found = typeof name === 'string' ? fragments.get(name) : undefined;
    if (found === undefined || around.includes(name as string)) {
      problems.push({
        code: 'preset.use',
        path: showPlace(place),
        message: found === undefined ? 'there is no fragment of this name' : 'this fragment uses itself',
        found: showValue(name),
        allowed: [...fragments.keys()].filter((own) => !around.includes(own)).join(', ') || 'none',
      });
      return undefined;
    }
    used.add(found);
    return { value: made(found, [...around, name as string]), place: found.place };
  }

  /**
   * Returns the fragments that a key `use` inserts. `names`: value of this key, NAME or [NAME, NAME]. `place`: position of the object with
   * the key. `around`: names of the fragments that contain the key, to detect fragments that use themselves.
   */
  function fragmentsOf(names: unknown, place: Place, around: readonly string[]): Written[] {
    const at = below(place, 'use');
    const each = Array.isArray(names)
      ? names.map((name, index) => fragment(name, below(at, index), around))
      : [fragment(names, at, around)];
    return each.filter((found) => found !== undefined);
  }

  function list(elements: readonly unknown[], place: Place, around: readonly string[]): unknown[] {
    const result: unknown[] = [];
    const own = new Map<PropertyKey, Place>();
    const add = (value: unknown, from: Place): void => {
      own.set(result.length, from);
      result.push(value);
    };
    elements.forEach((element, index) => {
      const here = below(place, index);
      if (!isUse(element)) return add(made({ value: element, place: here }, around), here);
      for (const { value, place: from } of fragmentsOf((element as Entries)['use'], here, around)) {
        if (!Array.isArray(value)) add(value, from);
        else value.forEach((part, at) => add(part, places.get(value)!.get(at)!));
      }
    });
    places.set(result, own);
    return result;
  }

  function object(entries: Entries, place: Place, around: readonly string[]): Entries {
    const result: Entries = {};
    const own = new Map<PropertyKey, Place>();
    for (const [key, value] of Object.entries(entries)) {
      if (key !== 'use') {
        result[key] = made({ value, place: below(place, key) }, around);
        own.set(key, below(place, key));
        continue;
      }
      for (const { value: brought } of fragmentsOf(value, place, around)) {
        if (!isObject(brought)) {
          problems.push({
            code: 'preset.use',
            path: showPlace(below(place, 'use')),
            message: 'only an object can be used next to other keys',
            found: showValue(brought),
            allowed: 'a fragment that is an object',
          });
          continue;
        }
        for (const [name, part] of Object.entries(brought)) {
          if (name in result) continue;
          result[name] = part;
          own.set(name, places.get(brought)!.get(name)!);
        }
      }
    }
    places.set(result, own);
    return result;
  }

  function made({ value, place }: Written, around: readonly string[]): unknown {
    if (Array.isArray(value)) return list(value, place, around);
    if (!isObject(value)) return value;
    const name = value['use'];
    if (isUse(value) && !Array.isArray(name)) return fragment(name, below(place, 'use'), around)?.value;
    return object(value, place, around);
  }

  const value = made(written, []);
  return {
    value,
    problems,
    used,
    placeOf(path) {
      let [here, place] = [value, written.place];
      for (const segment of path) {
        const key = segment as PathSegment;
        place =
          (isObject(here) || Array.isArray(here) ? places.get(here)?.get(key) : undefined) ??
          below(place, key);
        here = (here as Entries | undefined)?.[key];
      }
      return place;
    },
  };
}
