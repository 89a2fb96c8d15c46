/**
 * Renders templates like Jinja. Values behave as in Python, because the rendered text must be the same. Rendering is safe for templates of
 * unknown origin: the number of steps is limited, and a template can access only the values and files that the caller passes. Anything that
 * cannot be rendered in the same way as Jinja is an error.
 */
import { messageOf } from '../../../problem';
import { TemplateFault, fault, type Position, type Source } from './fault';
import { filtered, isFilter } from './filters';
import { inOrder } from './given';
import { attribute, entryOf, item, sliced } from './methods';
import type { Arguments, Expression, Parameter, Statement, Target } from './nodes';
import { formatted } from './printf';
import { isSatisfied } from './tests';
import {
  Attributes,
  Callable,
  computed,
  Dict,
  Float,
  holds,
  isEqual,
  isOrdered,
  isTrue,
  itemsOf,
  List,
  numberIn,
  sized,
  textIn,
  textOf,
  Tuple,
  typeOf,
  Undefined,
  undefinedFault,
  View,
  wholeIn,
  type Given,
  type Value,
} from './values';

/** Maximum number of statements and expressions that a rendering may evaluate. Rally's own tracks need at most 250,000. */
const MOST_STEPS = 500_000;
const LONGEST_RANGE = 100_000;
/** Maximum depth to which templates include each other. */
const DEEPEST = 20;
const DEEPEST_MACRO = 200;
/** Maximum length of the rendered text, in characters. */
const LONGEST = 50_000_000;

export interface Template {
  source: Source;
  body: readonly Statement[];
}

export interface Loader {
  /** Returns the template in a file. Returns undefined if the file does not exist. Throws if the file is not a valid template. */
  include(path: string): Template | undefined;
  /** Returns the templates in all files that match a pattern. Used by the helper `rally.collect`. */
  collect(pattern: string): Template[];
}

/** A piece of the rendered text, with the position in the template from which it was rendered. */
export interface Chunk {
  text: string;
  position: Position;
  /** Whether the piece is copied from the template. Each character then has its own position in the template. */
  isLiteral: boolean;
}

class Scope {
  private readonly values = new Map<string, Value>();

  constructor(
    private readonly outer: Scope | null,
    /** The template whose statements are being executed. Errors name it. */
    readonly source: Source,
  ) {}

  get(name: string): Value | undefined {
    const own = this.values.get(name);
    return own === undefined ? this.outer?.get(name) : own;
  }

  set(name: string, value: Value): void {
    this.values.set(name, value);
  }
}

type Write = (text: string, node: { at: number }, scope: Scope, isLiteral: boolean) => void;

/** Implements Python's `range()`. */
const range = new Callable('range', (given) => {
  if (given.named.size > 0) throw fault('range() takes no named arguments');
  const whole = given.positional.map((value) => {
    const found = wholeIn(value);
    if (found === undefined) throw fault(`'${typeOf(value)}' object cannot be interpreted as an integer`);
    return found;
  });
  if (whole.length < 1 || whole.length > 3)
    throw fault(`range() takes 1 to 3 numbers and was given ${whole.length}`);
  const [from, to, step] = whole.length === 1 ? [0n, whole[0]!, 1n] : [whole[0]!, whole[1]!, whole[2] ?? 1n];
  if (step === 0n) throw fault('range() arg 3 must not be zero');
  const span = step > 0n ? to - from : from - to;
  const size = step > 0n ? step : -step;
  const count = span <= 0n ? 0n : (span + size - 1n) / size;
  if (count > BigInt(LONGEST_RANGE)) throw fault(`a range of ${count} numbers: at most ${LONGEST_RANGE}`);
  const items = Array.from({ length: Number(count) }, (_, at) => from + BigInt(at) * step);
  return new View(items, `range(${from}, ${to}${step === 1n ? '' : `, ${step}`})`);
});

const dict = new Callable('dict', ({ positional, named }) => {
  if (positional.length > 1) throw fault(`dict expected at most 1 argument, got ${positional.length}`);
  const [from] = positional;
  const entries = from === undefined ? [] : from instanceof Dict ? from.pairs() : itemsOf(from).map(entryOf);
  return new Dict([...entries, ...named]);
});

const namespace = new Callable('namespace', (given) => {
  const made = dict.call(given) as Dict;
  return new Attributes('Namespace', new Map(made.pairs().map(([key, value]) => [textOf(key), value])));
});

/** Implements Jinja's `joiner()`. It returns a function, whose first call returns '' and whose further calls return the separator. */
const joiner = new Callable('joiner', (given) => {
  const [between = ', '] = inOrder('joiner()', given, ['sep']);
  let calls = 0;
  return new Callable('joiner', () => (calls++ === 0 ? '' : between));
});

const cycler = new Callable('cycler', ({ positional }) => {
  if (positional.length === 0) throw fault('cycler() needs at least one item');
  const values = new Map<string, Value>([['current', positional[0]!]]);
  let at = 0;
  const go = (to: number): void => {
    at = to % positional.length;
    values.set('current', positional[at]!);
  };
  values.set(
    'next',
    new Callable('next', () => {
      const found = positional[at]!;
      go(at + 1);
      return found;
    }),
  );
  values.set(
    'reset',
    new Callable('reset', () => {
      go(0);
      return null;
    }),
  );
  return new Attributes('Cycler', values);
});

export const GLOBALS: Readonly<Record<string, Value>> = { range, dict, namespace, joiner, cycler };

export class Interpreter {
  private steps = 0;
  private macros = 0;
  private includes = 0;

  constructor(
    private readonly globals: Readonly<Record<string, Value>>,
    private readonly loader: Loader,
  ) {}

  render({ source, body }: Template): Chunk[] {
    const chunks: Chunk[] = [];
    const scope = this.root(source);
    let length = 0;
    this.run(body, scope, (text, { at }, { source: own }, isLiteral) => {
      length += text.length;
      if (length > LONGEST) throw fault(`becomes longer than ${LONGEST} characters`);
      chunks.push({ text, position: { source: own, at }, isLiteral });
    });
    return chunks;
  }

  /** Renders all files that match a pattern, separated by commas. */
  collect(given: Given, scope: Scope): Value {
    const [parts = null] = inOrder('collect()', given, ['parts']);
    return this.loader
      .collect(textOf(parts))
      .map((part) => {
        const texts: string[] = [];
        this.inside(part, true, scope, (text) => texts.push(text));
        return sized(texts.join(''));
      })
      .join(', ');
  }

  private root(source: Source): Scope {
    const scope = new Scope(null, source);
    for (const [name, value] of Object.entries(this.globals)) scope.set(name, value);
    return scope;
  }

  /** Executes `action`. If it throws, adds the position of `node` to the error, unless the error has a position already. */
  private at<Found>(node: { at: number }, scope: Scope, action: () => Found): Found {
    this.steps += 1;
    if (this.steps > MOST_STEPS)
      throw new TemplateFault(`takes more than ${MOST_STEPS} steps to render`, {
        source: scope.source,
        at: node.at,
      });
    try {
      return action();
    } catch (error) {
      if (error instanceof TemplateFault && error.position === undefined)
        throw new TemplateFault(error.message, { source: scope.source, at: node.at });
      if (error instanceof RangeError)
        throw new TemplateFault(messageOf(error), { source: scope.source, at: node.at });
      throw error;
    }
  }

  // Statements

  private run(body: readonly Statement[], scope: Scope, write: Write): void {
    for (const statement of body) this.at(statement, scope, () => this.statement(statement, scope, write));
  }

  private text(body: readonly Statement[], scope: Scope): string {
    const parts: string[] = [];
    this.run(body, scope, (text) => parts.push(text));
    return sized(parts.join(''));
  }

  private statement(node: Statement, scope: Scope, write: Write): void {
    switch (node.type) {
      case 'text':
        return write(node.text, node, scope, true);
      case 'output':
        return write(textOf(this.evaluate(node.value, scope)), node, scope, false);
      case 'if':
        return this.run(isTrue(this.evaluate(node.test, scope)) ? node.body : node.otherwise, scope, write);
      case 'for':
        return this.loop(node, scope, write);
      case 'set':
        return this.assign(node.target, this.evaluate(node.value, scope), scope);
      case 'set-block': {
        const text = this.text(node.body, new Scope(scope, scope.source));
        return this.assign(
          node.target,
          node.filter === null ? text : this.evaluate(node.filter, scope, text),
          scope,
        );
      }
      case 'with': {
        const inner = new Scope(scope, scope.source);
        for (const { target, value } of node.values) this.assign(target, this.evaluate(value, scope), inner);
        return this.run(node.body, inner, write);
      }
      case 'filter-block': {
        const text = this.text(node.body, new Scope(scope, scope.source));
        return write(textOf(this.evaluate(node.filter, scope, text)), node, scope, false);
      }
      case 'macro':
        return scope.set(node.name, this.macro(node.name, node.parameters, node.body, scope));
      case 'call-block': {
        const caller = this.macro('caller', node.parameters, node.body, scope);
        return write(textOf(this.call(node.call, scope, caller)), node, scope, false);
      }
      case 'include': {
        const paths = this.evaluate(node.template, scope);
        const text = textIn(paths);
        return this.include(text === undefined ? itemsOf(paths) : [paths], node, scope, write);
      }
    }
  }

  private assign(target: Target, value: Value, scope: Scope): void {
    if (target.type === 'name') return scope.set(target.name, value);
    if (target.type === 'namespace') {
      const found = scope.get(target.name);
      if (!(found instanceof Attributes) || found.kind !== 'Namespace')
        throw fault(`${target.name} is not a namespace, so its ${target.attribute} cannot be set`);
      found.values.set(target.attribute, value);
      return undefined;
    }
    if (value instanceof Undefined) throw undefinedFault(value);
    const items = itemsOf(value);
    if (items.length !== target.targets.length)
      throw fault(`assigns ${items.length} values to ${target.targets.length} names`);
    target.targets.forEach((one, at) => this.assign(one, items[at]!, scope));
    return undefined;
  }

  private loop(node: Extract<Statement, { type: 'for' }>, scope: Scope, write: Write): void {
    let items = itemsOf(this.evaluate(node.over, scope));
    if (node.test !== null)
      items = items.filter((each) => {
        const inner = new Scope(scope, scope.source);
        this.assign(node.target, each, inner);
        return isTrue(this.evaluate(node.test!, inner));
      });
    if (items.length === 0) return this.run(node.otherwise, new Scope(scope, scope.source), write);
    let before: Value | undefined;
    items.forEach((each, at) => {
      // Each iteration of a loop has its own variables, as in Jinja.
      const inner = new Scope(scope, scope.source);
      inner.set(
        'loop',
        loopOf(items, at, (value) => {
          const isChanged = before === undefined || !isEqual(before, value);
          before = value;
          return isChanged;
        }),
      );
      this.assign(node.target, each, inner);
      this.run(node.body, inner, write);
    });
    return undefined;
  }

  private macro(
    name: string,
    parameters: readonly Parameter[],
    body: readonly Statement[],
    scope: Scope,
  ): Callable {
    return new Callable(name, (given) => {
      this.macros += 1;
      if (this.macros > DEEPEST_MACRO) throw fault(`${name} calls itself too often`);
      const inner = new Scope(scope, scope.source);
      const names = parameters.map((one) => one.name);
      const caller = given.named.get('caller');
      if (caller !== undefined) inner.set('caller', caller);
      const named = new Map([...given.named].filter(([key]) => key !== 'caller' || names.includes('caller')));
      const others = new Map([...named].filter(([key]) => !names.includes(key)));
      const own = new Map([...named].filter(([key]) => names.includes(key)));
      const values = inOrder(
        name,
        { positional: given.positional.slice(0, names.length), named: own },
        names,
      );
      inner.set('varargs', new Tuple(given.positional.slice(names.length)));
      inner.set('kwargs', new Dict(others));
      if (given.positional.length > names.length && !readsName(body, 'varargs'))
        throw fault(`macro ${name} takes not more than ${names.length} argument(s)`);
      if (others.size > 0 && !readsName(body, 'kwargs'))
        throw fault(`macro ${name} takes no argument ${[...others.keys()][0]!}`);
      for (const [at, { name: own, fallback }] of parameters.entries()) {
        const value = values[at];
        if (value !== undefined) inner.set(own, value);
        else if (fallback !== undefined) inner.set(own, this.evaluate(fallback, inner));
        else inner.set(own, new Undefined(`parameter ${own} was not provided`));
      }
      const text = this.text(body, inner);
      this.macros -= 1;
      return text;
    });
  }

  private include(
    paths: readonly Value[],
    { at, ignoresMissing, hasContext }: Extract<Statement, { type: 'include' }>,
    scope: Scope,
    write: Write,
  ): void {
    for (const path of paths) {
      const found = this.loader.include(textOf(path));
      if (found !== undefined) return this.inside(found, hasContext, scope, write);
    }
    if (!ignoresMissing)
      throw new MissingInclude(paths.map((path) => textOf(path)).join(' or '), { source: scope.source, at });
  }

  /**
   * Renders a template inside another one. Variables that the inner template sets are not visible outside. `hasContext`: whether the inner
   * template can read the variables of the outer one (`with context`).
   */
  private inside({ source, body }: Template, hasContext: boolean, scope: Scope, write: Write): void {
    this.includes += 1;
    if (this.includes > DEEPEST)
      throw new TemplateFault(`is included more than ${DEEPEST} deep`, { source, at: 0 });
    this.run(body, hasContext ? new Scope(scope, source) : this.root(source), write);
    this.includes -= 1;
  }

  // Expressions

  /** Evaluates an expression. `block`: text of a `{% filter %}` block, if the expression is the filter of such a block. */
  private evaluate(node: Expression, scope: Scope, block?: string): Value {
    return this.at(node, scope, () => this.expression(node, scope, block));
  }

  private expression(node: Expression, scope: Scope, block?: string): Value {
    const of = (inner: Expression): Value => this.evaluate(inner, scope);
    switch (node.type) {
      case 'constant':
        return typeof node.value === 'number' ? new Float(node.value) : node.value;
      case 'name': {
        const found = scope.get(node.name);
        return found === undefined ? new Undefined(`'${node.name}' is undefined`) : found;
      }
      case 'list':
        return new List(node.items.map(of));
      case 'tuple':
        return new Tuple(node.items.map(of));
      case 'dict':
        return new Dict(node.entries.map(([key, value]) => [of(key), of(value)] as const));
      case 'attribute':
        return attribute(of(node.object), node.name);
      case 'item':
        return item(of(node.object), of(node.key));
      case 'slice':
        return sliced(
          of(node.object),
          node.from === undefined ? undefined : of(node.from),
          node.to === undefined ? undefined : of(node.to),
          node.step === undefined ? undefined : of(node.step),
        );
      case 'call':
        return this.call(node, scope);
      case 'filter': {
        const operand = node.operand === null ? block! : this.evaluate(node.operand, scope, block);
        return filtered(node.name, operand, this.given(node.args, scope));
      }
      case 'test': {
        const { positional } = this.given(node.args, scope);
        return isSatisfied(node.name, of(node.operand), positional, isFilter) !== node.isNegated;
      }
      case 'unary':
        return this.unary(node.operator, of(node.operand));
      case 'binary':
        return this.binary(node, scope);
      case 'concat':
        return sized(node.parts.map((part) => textOf(of(part))).join(''));
      case 'compare':
        return this.compare(node, scope);
      case 'condition':
        if (isTrue(of(node.test))) return of(node.then);
        return node.otherwise === null
          ? new Undefined('the condition is false, and there is no else')
          : of(node.otherwise);
    }
  }

  private unary(operator: '-' | '+' | 'not', value: Value): Value {
    if (operator === 'not') return !isTrue(value);
    if (value instanceof Undefined) throw undefinedFault(value);
    const number = numberIn(value);
    if (number === undefined) throw fault(`bad operand type for unary ${operator}: '${typeOf(value)}'`);
    if (typeof number === 'bigint') return operator === '-' ? -number : number;
    return new Float(operator === '-' ? -number : number);
  }

  private binary({ operator, left, right }: Extract<Expression, { type: 'binary' }>, scope: Scope): Value {
    const first = this.evaluate(left, scope);
    if (operator === 'and') return isTrue(first) ? this.evaluate(right, scope) : first;
    if (operator === 'or') return isTrue(first) ? first : this.evaluate(right, scope);
    const second = this.evaluate(right, scope);
    if (operator === '%' && typeof first === 'string') {
      return formatted(first, second);
    }
    return computed(operator, first, second);
  }

  private compare({ first, others }: Extract<Expression, { type: 'compare' }>, scope: Scope): Value {
    let left = this.evaluate(first, scope);
    for (const { operator, value } of others) {
      const right = this.evaluate(value, scope);
      const isHeld =
        operator === '==' || operator === '!='
          ? isEqual(left, right) === (operator === '==')
          : operator === 'in' || operator === 'not in'
            ? holds(right, left) === (operator === 'in')
            : isOrdered(left, operator as '<' | '<=' | '>' | '>=', right);
      if (!isHeld) return false;
      left = right;
    }
    return true;
  }

  private given(args: Arguments, scope: Scope): Given {
    const positional = args.positional.map((one) => this.evaluate(one, scope));
    const named = new Map(args.named.map(([name, one]) => [name, this.evaluate(one, scope)] as const));
    if (args.spread !== undefined) positional.push(...itemsOf(this.evaluate(args.spread, scope)));
    if (args.spreadNamed !== undefined) {
      const more = this.evaluate(args.spreadNamed, scope);
      if (!(more instanceof Dict)) throw fault('** needs a dictionary');
      for (const [key, value] of more.pairs()) named.set(textOf(key), value);
    }
    return { positional, named };
  }

  private call(node: Expression, scope: Scope, caller?: Callable): Value {
    if (node.type !== 'call') throw fault('nothing is called');
    const callee = this.evaluate(node.callee, scope);
    if (callee instanceof Undefined) throw undefinedFault(callee);
    if (!(callee instanceof Callable)) throw fault(`'${typeOf(callee)}' object is not callable`);
    const { positional, named } = this.given(node.args, scope);
    const given = {
      positional,
      named: caller === undefined ? named : new Map([...named, ['caller', caller]]),
    };
    return callee === COLLECT ? this.collect(given, scope) : callee.call(given);
  }
}

/** Returns whether a part of a template reads the variable `name`. */
function readsName(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const own = node as Record<string, unknown>;
  return (
    (own['type'] === 'name' && own['name'] === name) ||
    Object.values(node).some((one) => readsName(one, name))
  );
}

/** Represents Rally's helper `collect`, which includes files. The interpreter recognises this object and executes the helper itself. */
export const COLLECT = new Callable('collect', () => '');

/**
 * Error for an included file that cannot be read. The code that catches it finds out the reason, such as a path outside the folder, and
 * adds it to the message.
 */
export class MissingInclude extends TemplateFault {
  constructor(
    readonly path: string,
    position: Position,
  ) {
    super(`includes ${path}, which is not there`, position);
  }
}

function loopOf(items: readonly Value[], at: number, isChanged: (value: Value) => boolean): Attributes {
  const count = items.length;
  return new Attributes(
    'LoopContext',
    new Map<string, Value>([
      ['index', BigInt(at + 1)],
      ['index0', BigInt(at)],
      ['revindex', BigInt(count - at)],
      ['revindex0', BigInt(count - at - 1)],
      ['first', at === 0],
      ['last', at === count - 1],
      ['length', BigInt(count)],
      ['depth', 1n],
      ['depth0', 0n],
      ['previtem', at === 0 ? new Undefined('there is no previous item') : items[at - 1]!],
      ['nextitem', at + 1 === count ? new Undefined('there is no next item') : items[at + 1]!],
      [
        'cycle',
        new Callable('cycle', ({ positional }) => {
          if (positional.length === 0) throw fault('no items for cycling given');
          return positional[at % positional.length]!;
        }),
      ],
      ['changed', new Callable('changed', ({ positional }) => isChanged(new Tuple(positional)))],
    ]),
  );
}
