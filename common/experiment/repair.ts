/**
 * Finds further problems in a definition that already has problems with the schema (wrong keys or types). Other checks, for example of
 * claims, need a definition without such problems. Dyno therefore gives them a copy in which invalid parts are corrected or removed. The
 * copy has no other use.
 */
import type * as z from 'zod';
import { isFields, type Fields } from '../fields/settle';
import { MOST_PROBLEMS, type Problem } from '../problem';
import { definitionSchema, type Definition } from './definition';
import { formatPath, type PathSegment } from './path';
import { countOf, keyMeant, problemsFrom, withoutConsequences } from './problems';

type Issue = z.core.$ZodIssue;
type Path = readonly PathSegment[];

/** Valid values for required parts. They replace parts that are missing or invalid. */
const STAND_INS: Readonly<Record<string, unknown>> = {
  version: 1,
  name: 'no name',
  'measure.duration': '1m',
  'measure.documents': 1,
};

/** Matches paths of parts whose names or levels claims, conditions and factors may contain. */
const REFERRED_TO =
  /^(?:factors|environment|measure\.recipe|tasks(?:\[\d+\](?:\.(?!executor|ingest\.).*)?)?$)/;

const NAMED_PARTS = ['tasks', 'factors'];

/** Matches codes of problems that may be a mere consequence of the removal of an invalid part. */
const REFERS = /^definition\.(?:expect|thresholds|stop-when|baseline|factor|parameter)/;

/**
 * Maximum number of attempts to repair the copy. After a repair, the schema may report the object that contains the repaired value. The
 * next attempt then repairs this object.
 */
const MOST_ROUNDS = 8;

const valueIn = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Fields)[key] : undefined),
    root,
  );

/** Returns a copy of `root` in which `change` was applied to the object at `path`. Lists keep their length. */
function changed(root: unknown, path: Path, change: (parent: Fields) => Fields): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return isFields(root) ? change(root) : root;
  if (Array.isArray(root))
    return root.map((item: unknown, at) => (at === Number(key) ? changed(item, rest, change) : item));
  return isFields(root) ? { ...root, [key]: changed(root[key], rest, change) } : root;
}

const withKey = (root: unknown, path: Path, value: unknown): unknown =>
  changed(root, path.slice(0, -1), (parent) => ({ ...parent, [path.at(-1)!]: value }));

const withRenamed = (root: unknown, path: Path, key: string, meant: string): unknown =>
  changed(root, path, (parent) =>
    Object.fromEntries(Object.entries(parent).map(([name, value]) => [name === key ? meant : name, value])),
  );

/** Returns `root` without the key at `path`, and without an object that becomes empty. */
function without(root: unknown, path: Path): unknown {
  const parent = path.slice(0, -1);
  const left = changed(root, parent, (own) =>
    Object.fromEntries(Object.entries(own).filter(([name]) => name !== String(path.at(-1)))),
  );
  const isEmpty = Object.keys(valueIn(left, parent) ?? {}).length === 0;
  return isEmpty && parent.length > 0 && isFields(valueIn(left, parent.slice(0, -1)))
    ? without(left, parent)
    : left;
}

/** Returns whether two paths are equal, or one of them is inside the other. */
const areRelated = (one: string, other: string): boolean => {
  const [outer, inner] = one.length < other.length ? [one, other] : [other, one];
  return inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)));
};

class Repair {
  private readonly takenOut: string[] = [];
  private readonly renamed: { written: string; meant: string }[] = [];
  private lacksReferred = false;

  constructor(public value: unknown) {}

  /** Corrects or removes the part of the copy that an issue of the schema concerns. Returns false if this is not possible. */
  apply(issue: Issue): boolean {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) this.unknownKey(issue, path, key);
      return true;
    }
    const at = formatPath(path);
    if (at in STAND_INS) return this.put(path, STAND_INS[at]);
    const { minimum, maximum } = issue as { minimum?: unknown; maximum?: unknown };
    const bound = minimum ?? maximum;
    if (typeof issue.input === 'number' && typeof bound === 'number' && !this.isTakenOut(at))
      return this.put(path, bound);
    return this.takeOut(path);
  }

  /**
   * Returns those problems of the repaired copy that the original definition has too, with their paths in the original. Problems that may
   * be a mere consequence of a removed part are left out.
   */
  own(problems: readonly Problem[]): Problem[] {
    return problems
      .filter(({ path, code }) => {
        const inner = path.replace(/^factors \(.*\): /, '');
        return !this.isTakenOut(inner) && !(this.lacksReferred && (REFERS.test(code) || inner !== path));
      })
      .map((problem) => ({ ...problem, path: this.written(problem.path) }));
  }

  private written(path: string): string {
    const renamed = this.renamed.find(({ meant }) => path.startsWith(meant) && areRelated(path, meant));
    return renamed === undefined ? path : renamed.written + path.slice(renamed.meant.length);
  }

  private isTakenOut(path: string): boolean {
    return this.takenOut.some((own) => areRelated(own, path));
  }

  private unknownKey(issue: Issue & { code: 'unrecognized_keys' }, path: Path, key: string): void {
    const meant = keyMeant(definitionSchema, issue, key);
    if (meant !== undefined && !isFields(valueIn(this.value, [...path, meant]))) {
      this.value = withRenamed(this.value, path, key, meant);
      this.renamed.push({ written: formatPath([...path, key]), meant: formatPath([...path, meant]) });
      return;
    }
    this.takeOut([...path, key]);
    // The missing part may exist under a misspelt name.
    if (path.length === 0 && NAMED_PARTS.some((part) => valueIn(this.value, [part]) === undefined))
      this.lacksReferred = true;
  }

  private put(path: Path, value: unknown): boolean {
    this.value = withKey(this.value, path, value);
    this.takenOut.push(formatPath(path));
    return true;
  }

  /**
   * Removes the part at `path`. If this part does not exist, or is an element of a list, removes the innermost part around it that can be
   * removed. Returns false if there is no such part.
   */
  private takeOut(path: Path): boolean {
    let own = path;
    while (
      own.length > 0 &&
      (valueIn(this.value, own) === undefined || Array.isArray(valueIn(this.value, own.slice(0, -1))))
    )
      own = own.slice(0, -1);
    if (own.length === 0) return false;
    const at = formatPath(own);
    this.takenOut.push(at);
    if (REFERRED_TO.test(at)) this.lacksReferred = true;
    this.value = without(this.value, own);
    return true;
  }
}

/**
 * Returns problems of `input` that the schema does not find. `issues`: the issues that the schema reports. `check`: checks that need a
 * definition without such issues; they receive the repaired copy.
 */
export function problemsBeyond(
  input: unknown,
  issues: readonly Issue[],
  check: (definition: Definition) => readonly Problem[],
): Problem[] {
  const count = issues.reduce((sum, issue) => sum + countOf(issue), 0);
  // So many problems are found already that further ones would not be shown. Each repair copies a part of the definition, which takes time.
  if (count > MOST_PROBLEMS) return [];
  const repair = new Repair(input);
  const found: Problem[] = [];
  let open = issues;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (open.length > MOST_PROBLEMS || !open.every((issue) => repair.apply(issue))) return found;
    const result = definitionSchema.safeParse(repair.value, { reportInput: true });
    if (result.success) return [...found, ...repair.own(check(result.data))];
    open = withoutConsequences(result.error.issues, definitionSchema);
    found.push(...repair.own(problemsFrom(open, definitionSchema)));
  }
  return found;
}
