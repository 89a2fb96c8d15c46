// The tables of docs/definition.md, which `npm run docs` writes. Keys, values and defaults come from the schema of the definition,
// what each key does from the docstring that stands above it in the source, or from what its executor's form says. So each
// text is written once, and none of them is in a bundle.
//
// `@example` of a docstring, in YAML, is checked against the schema. It may be left out where values, default or form show one.
import { join } from 'node:path';
import ts from 'typescript';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { ROOT } from './bootstrap.mjs';

export const REFERENCE_FILE = join(ROOT, 'docs', 'definition.md');
const BEGIN = '<!-- The tables below are generated: `npm run docs` -->';
const SOURCE = join(ROOT, 'common', 'experiment', 'definition.ts');

/** The type of `definitionSchema`: it mirrors the schema, and its properties know where they were written. Takes seconds. */
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

/** What the schema itself says is allowed, where it says so: it is what a person gets who writes something else. */
const ownWords = ({ def }, forms) => {
  const said = [def.error, ...(def.checks ?? []).map((check) => check._zod.def.error)].flatMap((error) =>
    typeof error === 'function' ? (error({}) ?? []) : [],
  );
  return [...new Set(said.map((words) => forms.get(words) ?? words))];
};

const oneOf = (values) => values.map((value) => `\`${value}\``).join(', ');

function numberText(schema) {
  const range = z.toJSONSchema(schema, { io: 'input' });
  const least =
    range.exclusiveMinimum !== undefined ? `above ${range.exclusiveMinimum}` : `${range.minimum ?? ''}`;
  // Zod bounds whole numbers by what a double can hold.
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

/** What may be written, in a few words; `forms`: what the introduction explains, by the words of the schema. */
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

/** The key may be left out; what holds then, where that is a value. */
function defaultOf({ def }) {
  if (def.type === 'optional') return { isRequired: false };
  if (def.type === 'default' || def.type === 'prefault') {
    return { isRequired: false, usual: def.defaultValue };
  }
  return { isRequired: true };
}

/** An example that follows from the schema: its first value that is not the default, or the default. */
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

/** Fields of a form: their key below what the form is of, what they say, and what is written first where the field tells. */
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

/** A value and what it holds, by path; `[]` for the first of a list. */
function partsOf(value, path) {
  if (Array.isArray(value)) return [[path, value], ...partsOf(value[0], `${path}[]`)];
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return [[path, value], ...Object.entries(value).flatMap(([key, part]) => partsOf(part, `${path}.${key}`))];
}

/** What a list of descriptions (executors) says of its parts, by path: in `texts` what they do, in `examples` what the form writes first. */
function toldByForms(below, descriptions) {
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

/** Where kinds of requests, and sources of parameters, may stand. */
const REQUEST_LISTS = ['tasks[].requests.list[]', 'tasks[].transaction.requests[]'];
const PARAMETER_LISTS = ['search', 'requests', 'transaction'].map(
  (kind) => `tasks[].${kind}.parameters.<name>`,
);

const asSentence = (text) => (text === '' || /[.!?)]$/.test(text) ? text : `${text}.`);

/**
 * All blocks of the definition in the order in which they are written; `language`: what it takes of what
 * `common` exports. Each block: its `path` (`''` for the whole), `keys`, and `needs`, what it asks for beside required keys. Each key: `path`, `name`,
 * `values`, `isRequired`, `usual` (its default, as YAML), `text`, `example` and `problem` of the example; `blocks`: paths of
 * what it may hold.
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
  const { texts, examples } = toldByForms('tasks[].executor', executors);
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
  /** By their shapes, so that what stands in two places is told once. */
  const told = new Map();

  const member = (owner, name) => {
    const symbol = owner && checker.getPropertyOfType(checker.getApparentType(owner), name);
    return symbol && { symbol, type: checker.getTypeOfSymbol(symbol) };
  };
  const inDef = (owner, name) => member(member(owner, 'def')?.type, name)?.type;

  /** Adds what `schema` holds below `path`, and returns the paths of its blocks. */
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
        const before = told.get(def.shape);
        if (before !== undefined) return [before];
        if (Object.keys(def.shape).length === 0) return [];
        told.set(def.shape, path);
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
      // Objects that exclude each other, such as `{ trial: 2 }` and `{ existing: NAME }`.
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

/** `exactly one of a, b`, as a sentence with its keys marked. */
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

/** `text`, docs/definition.md, with its tables made again. */
export function withTables(text, blocks) {
  const at = text.indexOf(BEGIN);
  if (at === -1) throw new Error(`docs/definition.md has no line \`${BEGIN}\`, below which the tables go`);
  return `${text.slice(0, at)}${BEGIN}\n\n${blocks.map(tableOf).join('\n')}`;
}

/** What is missing or wrong, a sentence for each key; none where the tables may be written. */
export const missingIn = (blocks) =>
  blocks
    .flatMap(({ keys }) => keys)
    .flatMap(({ path, text, example, problem, blocks: held }) => [
      ...(text === '' ? [`${path} has no docstring above it that says what it does`] : []),
      ...(example === '' && held.length === 0 ? [`${path} has no @example in its docstring`] : []),
      ...(problem === '' ? [] : [`the @example of ${path} is wrong: ${problem}`]),
    ]);
