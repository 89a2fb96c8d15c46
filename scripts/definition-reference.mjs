// Generates the tables of docs/definition.md for `npm run docs`. Keys, values and defaults come from the schema of the definition. The
// description of a key comes from its docstring, or from its field in the form of the executor. Each text therefore exists only once, and
// docstrings are not part of a bundle. The `@example` of a docstring is YAML and is checked against the schema. It may be omitted if the
// values, the default or the form contain an example.
import { join } from 'node:path';
import ts from 'typescript';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { ROOT } from './bootstrap.mjs';

export const REFERENCE_FILE = join(ROOT, 'docs', 'definition.md');
const BEGIN = '<!-- The tables below are generated: `npm run docs` -->';
const SOURCE = join(ROOT, 'common', 'experiment', 'definition.ts');

/**
 * Returns the type of the schema `definitionSchema`, and the TypeScript compiler's type checker. Only the compiler can read the docstrings
 * of the schema's keys. The first call takes a few seconds.
 */
let typesOfSource = () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([SOURCE], { ...options, types: [], incremental: false });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(SOURCE));
  const schema = checker.getExportsOfModule(module).find(({ name }) => name === 'definitionSchema');
  const found = { checker, type: checker.getTypeOfSymbol(schema) };
  typesOfSource = () => found;
  return found;
};

const yaml = (value) =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trimEnd();

/**
 * Returns the error messages that the schema defines itself, such as the list of allowed values. `forms`: maps some of these messages to
 * shorter texts.
 */
const ownWords = ({ def }, forms) => {
  const errors = [def.error, ...(def.checks ?? []).map((check) => check._zod.def.error)].flatMap((error) =>
    typeof error === 'function' ? (error({}) ?? []) : [],
  );
  return [...new Set(errors.map((words) => forms.get(words) ?? words))];
};

const oneOf = (values) => values.map((value) => `\`${value}\``).join(', ');

function numberText(schema) {
  const range = z.toJSONSchema(schema, { io: 'input' });
  const least =
    range.exclusiveMinimum !== undefined ? `above ${range.exclusiveMinimum}` : `${range.minimum ?? ''}`;
  // If no maximum is given, Zod sets the largest integer that a double can represent. This maximum is not shown.
  const most = range.maximum === undefined || range.maximum >= Number.MAX_SAFE_INTEGER ? '' : range.maximum;
  const bounds =
    most === ''
      ? least === '' || least.startsWith('above')
        ? least
        : `at least ${least}`
      : least.startsWith('above')
        ? `${least}, at most ${most}`
        : `${least} to ${most}`;
  return [range.type === 'integer' ? 'whole number' : 'number', bounds].filter(Boolean).join(', ');
}

/**
 * Returns a text that describes the values that a schema allows. `forms`: maps error messages of the schema to short terms, such as
 * *duration*. The introduction of docs/definition.md explains these terms.
 */
function valuesOf(schema, forms) {
  const { def } = schema;
  const words = ownWords(schema, forms);
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return valuesOf(def.innerType, forms);
    case 'pipe':
      return valuesOf(def.in, forms);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'literal':
      return oneOf(def.values);
    case 'boolean':
      return oneOf([true, false]);
    case 'string':
      return words.length > 0 ? words.join('; ') : 'text';
    case 'number':
      return numberText(schema);
    case 'array':
      return `list of ${valuesOf(def.element, forms)}`;
    case 'union':
      return words.length > 0
        ? words.join('; ')
        : [...new Set(def.options.map((option) => valuesOf(option, forms)))].join(', or ');
    case 'record':
      return 'object with custom names';
    case 'object':
      return 'object';
    default:
      return 'anything';
  }
}

/** Returns whether a key is required, and its default value. */
function defaultOf({ def }) {
  if (def.type === 'optional') return { isRequired: false };
  if (def.type === 'default' || def.type === 'prefault') {
    return { isRequired: false, usual: def.defaultValue };
  }
  return { isRequired: true };
}

/**
 * Returns an example value for a schema. If possible, it is an allowed value that differs from the default (`usual`). Otherwise, it is the
 * default; undefined if the default is empty.
 */
function shownBySchema({ def }, usual) {
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') {
    return shownBySchema(def.innerType, usual);
  }
  if (def.type === 'enum') return Object.values(def.entries).find((value) => value !== usual);
  if (def.type === 'literal') return def.values[0];
  if (def.type === 'boolean') return usual !== true;
  const isEmpty = typeof usual === 'object' && usual !== null && Object.keys(usual).length === 0;
  return isEmpty || usual === '' ? undefined : usual;
}

/**
 * Returns the keys that the fields of a form in the editor change, each with the help text of its field. If the field is one of several
 * alternatives, the key also has `first`, the initial value of the alternative.
 */
const fieldsOf = (form) =>
  form
    .flat()
    .flatMap((field) =>
      field.kind === 'either'
        ? field.options.flatMap((option) => [{ first: option.first, ...fieldsOf([option.field])[0] }])
        : field.kind === 'list'
          ? fieldsOf(field.itemRows({})).map((one) => ({ ...one, key: `${field.key}[].${one.key}` }))
          : [{ key: field.key, text: field.help?.text ?? field.label.text }],
    );

/** Returns a value and all values nested in it, each with its path. `[]` in a path is the first item of a list. */
function partsOf(value, path) {
  if (Array.isArray(value)) return [[path, value], ...partsOf(value[0], `${path}[]`)];
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return [[path, value], ...Object.entries(value).flatMap(([key, part]) => partsOf(part, `${path}.${key}`))];
}

/**
 * Returns the help texts (`texts`) and example values (`examples`) of forms in the editor, by path in the definition. `descriptions`: the
 * alternatives at the path `below`, such as all executors. Each has a form and an example.
 */
function textsOfForms(below, descriptions) {
  const texts = new Map();
  const examples = new Map();
  for (const { name, text, form, first } of descriptions) {
    const path = `${below}.${name}`;
    texts.set(path, text.text);
    for (const field of fieldsOf(form)) {
      texts.set(`${path}.${field.key}`, field.text);
      if (field.first !== undefined) examples.set(`${path}.${field.key}`, field.first);
    }
    for (const [part, value] of partsOf(first, path)) examples.set(part, value);
  }
  return { texts, examples };
}

/** Paths in the definition of objects that describe a request. One of their keys is the kind of the request, such as `esql`. */
const REQUEST_LISTS = ['tasks[].requests.list[]', 'tasks[].transaction.requests[]'];
/**
 * Paths in the definition of objects that describe a parameter. One of their keys is the source of the parameter's values, such as `zipf`.
 */
const PARAMETER_LISTS = ['search', 'requests', 'transaction'].map(
  (kind) => `tasks[].${kind}.parameters.<name>`,
);

const asSentence = (text) => (text === '' || /[.!?)]$/.test(text) ? text : `${text}.`);

/**
 * Returns the objects of the definition (blocks), in the order in which docs/definition.md describes them. The argument contains the
 * exports of `common` that scripts/docs.mjs lists.
 * A block has its `path` ('' for the whole definition), its `keys`, and `needs`: a further condition, such as `exactly one of a, b`.
 * A key has `usual` (its default, as YAML), `problem` (why its example is invalid), and `blocks` (paths of the blocks that it may contain).
 */
export function definitionBlocks({
  definitionSchema: schema,
  EXECUTORS: executors,
  TASK_KINDS: kinds,
  REQUEST_KINDS: requests,
  PARAMETER_KINDS: parameters,
  DURATION_FORM,
  BYTES_FORM,
}) {
  const { checker, type } = typesOfSource();
  const forms = new Map([
    [DURATION_FORM, 'duration'],
    [BYTES_FORM, 'size'],
  ]);
  const { texts, examples } = textsOfForms('tasks[].executor', executors);
  for (const { name, text, first } of kinds) {
    texts.set(`tasks[].${name}`, text);
    examples.set(`tasks[].${name}`, first.work);
  }
  for (const [lists, descriptions] of [
    [REQUEST_LISTS, requests],
    [PARAMETER_LISTS, parameters],
  ]) {
    for (const list of lists) {
      for (const { name, text, first } of descriptions) {
        texts.set(`${list}.${name}`, text);
        examples.set(`${list}.${name}`, first);
      }
    }
  }
  const blocks = [];
  /** Path at which a block is described, by the contents of the block. A block that occurs at several paths is described only once. */
  const described = new Map();

  const member = (owner, name) => {
    const symbol = owner && checker.getPropertyOfType(checker.getApparentType(owner), name);
    return symbol && { symbol, type: checker.getTypeOfSymbol(symbol) };
  };
  const inDef = (owner, name) => member(member(owner, 'def')?.type, name)?.type;

  /** Adds the blocks (objects with keys) of a schema at `path`, and returns their paths. */
  function walk(part, partType, path) {
    const { def } = part;
    switch (def.type) {
      case 'optional':
      case 'default':
      case 'prefault':
        return walk(def.innerType, inDef(partType, 'innerType'), path);
      case 'pipe':
        return walk(def.in, inDef(partType, 'in'), path);
      case 'array':
        return walk(def.element, inDef(partType, 'element'), `${path}[]`);
      case 'record':
        return walk(def.valueType, inDef(partType, 'valueType'), `${path}.<name>`);
      case 'union': {
        const options = inDef(partType, 'options');
        const below = def.options.flatMap((option, at) =>
          walk(option, member(options, String(at))?.type, path),
        );
        return [...new Set(below)];
      }
      case 'object': {
        const before = described.get(def.shape);
        if (before !== undefined) return [before];
        if (Object.keys(def.shape).length === 0) return [];
        described.set(def.shape, path);
        addBlock(part, partType, path);
        return [path];
      }
      default:
        return [];
    }
  }

  function addBlock(part, partType, path) {
    const before = blocks.find((block) => block.path === path);
    const block = before ?? { path, keys: [], needs: '' };
    if (!before) blocks.push(block);
    const shape = inDef(partType, 'shape');
    for (const [name, value] of Object.entries(part.def.shape)) {
      const written = member(shape, name);
      const keyPath = path === '' ? name : `${path}.${name}`;
      const docs = written && ts.displayPartsToString(written.symbol.getDocumentationComment(checker));
      const tags = written?.symbol.getJsDocTags(checker) ?? [];
      const given = tags.find((tag) => tag.name === 'example');
      const { isRequired, usual } = defaultOf(value);
      const shown = given
        ? parse(ts.displayPartsToString(given.text))
        : (examples.get(keyPath) ?? shownBySchema(value, usual));
      const checked = shown === undefined ? undefined : value.safeParse(shown);
      const key = {
        path: keyPath,
        name,
        values: valuesOf(value, forms),
        isRequired,
        usual: usual === undefined ? '' : yaml(usual),
        text: asSentence((docs || texts.get(keyPath) || '').replaceAll(/\s+/g, ' ').trim()),
        example: shown === undefined ? '' : yaml({ [name]: shown }).replace(/^\{ (.*) \}$/s, '$1'),
        problem: checked?.error ? z.prettifyError(checked.error) : '',
        shown,
      };
      block.keys.push(key);
      key.blocks = walk(value, written?.type, keyPath);
    }
    if (before) {
      // The keys exclude each other, such as `{ trial: 2 }` and `{ existing: NAME }`.
      block.needs = `exactly one of ${block.keys.map(({ name }) => name).join(', ')}`;
      return;
    }
    const required = block.keys.filter((key) => key.isRequired).map(({ name, shown }) => [name, shown]);
    const issues = part.safeParse(Object.fromEntries(required)).error?.issues ?? [];
    block.needs = issues.find((issue) => issue.path.length === 0)?.params?.allowed ?? '';
  }

  walk(schema, type, '');
  return blocks;
}

const anchorOf = (path) => `#${path.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '')}`;
const cell = (text) => text.replaceAll('|', '\\|');
const code = (text) => (text === '' ? '' : `\`${cell(text)}\``);

function rowOf({ name, values, isRequired, usual, text, example, blocks }) {
  const links = blocks.map((path) => `[\`${path}\`](${anchorOf(path)})`).join(' or ');
  const isBlock = values === 'object' || values === 'list of object';
  const allowed =
    links === '' ? cell(values) : isBlock ? values.replace('object', links) : `${cell(values)}; see ${links}`;
  const row = [`\`${name}\``, allowed, isRequired ? '*required*' : code(usual), cell(text), code(example)];
  return `| ${row.join(' | ')} |`;
}

/** Returns a condition such as `exactly one of a, b` as a sentence, with the names of keys in backticks. */
const needsText = (needs, keys) => {
  const names = new Set(keys.map(({ name }) => name));
  const marked = needs.replaceAll(/[\w-]+/g, (word) => (names.has(word) ? `\`${word}\`` : word));
  return `${marked[0].toUpperCase()}${marked.slice(1)}.`;
};

function tableOf({ path, keys, needs }) {
  const title = path === '' ? 'The definition' : `\`${path}\``;
  return [
    `## ${title}`,
    '',
    ...(needs === '' ? [] : [needsText(needs, keys), '']),
    '| key | values | default | what it does | example |',
    '| --- | --- | --- | --- | --- |',
    ...keys.map(rowOf),
    '',
  ].join('\n');
}

/** Returns the text of docs/definition.md with updated tables. */
export function withTables(text, blocks) {
  const at = text.indexOf(BEGIN);
  if (at === -1)
    throw new Error(`docs/definition.md has no line \`${BEGIN}\`, which must be above the tables`);
  return `${text.slice(0, at)}${BEGIN}\n\n${blocks.map(tableOf).join('\n')}`;
}

/** Returns a sentence for each key without a description or a valid example. If the list is empty, the tables can be written. */
export const missingIn = (blocks) =>
  blocks
    .flatMap(({ keys }) => keys)
    .flatMap(({ path, text, example, problem, blocks: held }) => [
      ...(text === '' ? [`${path} has no docstring that explains it`] : []),
      ...(example === '' && held.length === 0 ? [`${path} has no @example in its docstring`] : []),
      ...(problem === '' ? [] : [`the @example of ${path} is wrong: ${problem}`]),
    ]);
