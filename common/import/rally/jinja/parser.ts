/** Parses the tokens of a template to statements and expressions. Operators have the same precedence as in Jinja. */
import { jsonOfText } from '../../../json/exact';
import { TemplateFault, type Source } from './fault';
import { tokenize, type Token, type TokenType } from './lexer';
import type { Arguments, Expression, Parameter, Statement, Target } from './nodes';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ...(['true', 'True'] as const).map((name) => [name, true] as const),
  ...(['false', 'False'] as const).map((name) => [name, false] as const),
  ...(['none', 'None'] as const).map((name) => [name, null] as const),
]);

/** Statements that need an end tag, with the name of this tag. */
const CLOSED_BY: Readonly<Record<string, string>> = {
  if: 'endif', for: 'endfor', macro: 'endmacro', call: 'endcall', filter: 'endfilter', set: 'endset',
  with: 'endwith',
}; // oxfmt-ignore

const NO_ARGUMENTS: Arguments = { positional: [], named: [] };

/** Converts the text of an integer in Python, which may contain underscores, to a number. */
const integerOf = (text: string): bigint => BigInt(text.replaceAll('_', ''));
/** Maximum number of digits of an integer that Python parses. */
const LONGEST_INTEGER = 4300;

class Parser {
  private readonly tokens: Token[];
  private at = 0;

  constructor(
    private readonly source: Source,
    private readonly imports: (path: string, as: string) => boolean,
  ) {
    this.tokens = tokenize(source);
  }

  parse(): Statement[] {
    return this.body([]);
  }

  // Tokens

  private get current(): Token {
    return this.tokens[this.at]!;
  }

  private next(): Token {
    const token = this.current;
    if (token.type !== 'end') this.at += 1;
    return token;
  }

  private is(type: TokenType, value?: string): boolean {
    return this.current.type === type && (value === undefined || this.current.value === value);
  }

  private isName(...names: string[]): boolean {
    return this.current.type === 'name' && names.includes(this.current.value);
  }

  private skip(type: TokenType, value?: string): boolean {
    const found = this.is(type, value);
    if (found) this.at += 1;
    return found;
  }

  private fail(message: string, at = this.current.at): never {
    throw new TemplateFault(message, { source: this.source, at });
  }

  private unexpected(expected?: string): never {
    const { type, value } = this.current;
    const found =
      type === 'end'
        ? 'the end of the template'
        : type === 'close-expression' || type === 'close-statement'
          ? 'the end of the tag'
          : jsonOfText(value);
    return this.fail(
      expected === undefined ? `Unexpected ${found}` : `Expected ${expected} and found ${found}`,
      type === 'end' ? this.current.tag : this.current.at,
    );
  }

  private expect(type: TokenType, value?: string): Token {
    if (!this.is(type, value))
      this.unexpected(value ?? type.replace('close-statement', 'the end of the tag'));
    return this.next();
  }

  private name(): string {
    return this.expect('name').value;
  }

  // Statements

  /**
   * Parses statements up to a tag that begins with one of the words `ends`. Afterwards, this word is the current token. `opened`: the start
   * tag of these statements, which an error names if the end tag is missing. Without `opened`, the statements may also end with the
   * template.
   */
  private body(ends: readonly string[], opened?: { word: string; at: number }): Statement[] {
    const body: Statement[] = [];
    for (;;) {
      const token = this.current;
      if (token.type === 'end') {
        if (opened === undefined) return body;
        this.fail(`${this.tagAt(opened.at)} is never closed by {% ${CLOSED_BY[opened.word]!} %}`, opened.at);
      }
      this.at += 1;
      if (token.type === 'text') body.push({ type: 'text', at: token.at, text: token.value });
      else if (token.type === 'open-expression') {
        const value = this.tuple();
        this.expect('close-expression');
        body.push({ type: 'output', at: token.at, value });
      } else {
        if (this.isName(...ends)) return body;
        body.push(...this.statement(token.at));
      }
    }
  }

  private tagAt(at: number): string {
    const text = this.source.text.slice(at, at + 200);
    const end = text.indexOf('%}');
    return end === -1 ? text : text.slice(0, end + 2);
  }

  /** Parses one statement. Returns an empty list for an import of Rally's helpers, which are always available. */
  private statement(at: number): Statement[] {
    const token = this.expect('name');
    const word = token.value;
    const end = (): void => void this.expect('close-statement');
    const block = (...more: string[]): Statement[] => this.body([CLOSED_BY[word]!, ...more], { word, at });
    const closed = <Made extends Statement>(made: Made): Made[] => {
      this.at += 1;
      end();
      return [made];
    };
    switch (word) {
      case 'if':
        return [this.ifStatement(at)];
      case 'for': {
        const target = this.target(['in']);
        if (!this.skip('name', 'in')) this.unexpected('in');
        const over = this.tuple({ hasCondition: false, ends: ['recursive'] });
        const test = this.skip('name', 'if') ? this.expression() : null;
        if (this.isName('recursive')) this.fail('loops that call themselves are not rendered here');
        end();
        const body = block('else');
        let otherwise: Statement[] = [];
        if (this.isName('else')) {
          this.at += 1;
          end();
          otherwise = block();
        }
        return closed({ type: 'for', at, target, over, test, body, otherwise });
      }
      case 'set': {
        const target = this.target([], true);
        if (this.skip('operator', '=')) {
          const value = this.tuple();
          end();
          return [{ type: 'set', at, target, value }];
        }
        const filter = this.is('operator', '|') ? this.filters(null) : null;
        end();
        return closed({ type: 'set-block', at, target, filter, body: block() });
      }
      case 'with': {
        const values: { target: Target; value: Expression }[] = [];
        while (!this.is('close-statement')) {
          if (values.length > 0) this.expect('operator', ',');
          const target = this.target(['=']);
          this.expect('operator', '=');
          values.push({ target, value: this.expression() });
        }
        end();
        return closed({ type: 'with', at, values, body: block() });
      }
      case 'filter': {
        const filter = this.filters(null, true);
        end();
        return closed({ type: 'filter-block', at, filter, body: block() });
      }
      case 'macro': {
        const name = this.name();
        const parameters = this.parameters();
        end();
        return closed({ type: 'macro', at, name, parameters, body: block() });
      }
      case 'call': {
        const parameters = this.is('operator', '(') ? this.parameters() : [];
        const call = this.expression();
        if (call.type !== 'call') this.fail('Expected a call of a macro', call.at);
        end();
        return closed({ type: 'call-block', at, call, parameters, body: block() });
      }
      case 'include': {
        const template = this.expression();
        const ignoresMissing = this.skip('name', 'ignore');
        if (ignoresMissing) this.expect('name', 'missing');
        const hasContext = this.context(true);
        end();
        return [{ type: 'include', at, template, ignoresMissing, hasContext }];
      }
      case 'import': {
        const path = this.expression();
        this.expect('name', 'as');
        const as = this.name();
        this.context(false);
        end();
        const text = path.type === 'constant' ? String(path.value) : 'a computed file';
        if (!this.imports(text, as))
          this.fail(
            `imports ${text} as ${as}; only rally.helpers as rally and benchmark.helpers as benchmark are there`,
            at,
          );
        return [];
      }
      default:
        return this.fail(
          /^(?:else|elif|end\w+)$/.test(word)
            ? `${word} closes or continues nothing`
            : `Unknown statement: ${word}`,
          token.at,
        );
    }
  }

  /**
   * Parses `with context` or `without context` of an `include` or `import`. Returns whether the other template can read the variables of
   * this one. `usual`: the result if the statement contains neither.
   */
  private context(usual: boolean): boolean {
    if (!this.isName('with', 'without')) return usual;
    const isWith = this.next().value === 'with';
    this.expect('name', 'context');
    return isWith;
  }

  private ifStatement(at: number): Statement {
    const test = this.tuple({ hasCondition: false });
    this.expect('close-statement');
    const opened = { word: 'if', at };
    const body = this.body(['elif', 'else', 'endif'], opened);
    let otherwise: Statement[] = [];
    const word = this.next().value;
    if (word === 'elif') return { type: 'if', at, test, body, otherwise: [this.ifStatement(at)] };
    if (word === 'else') {
      this.expect('close-statement');
      otherwise = this.body(['endif'], opened);
      this.at += 1;
    }
    this.expect('close-statement');
    return { type: 'if', at, test, body, otherwise };
  }

  private parameters(): Parameter[] {
    const found: Parameter[] = [];
    this.expect('operator', '(');
    while (!this.is('operator', ')')) {
      if (found.length > 0) this.expect('operator', ',');
      const name = this.name();
      if (this.skip('operator', '=')) found.push({ name, fallback: this.expression() });
      else if (found.some(({ fallback }) => fallback !== undefined))
        this.fail('a parameter without a default follows one with a default');
      else found.push({ name });
    }
    this.at += 1;
    return found;
  }

  /**
   * Parses one name, or several names separated by commas, on the left side of an assignment. `ends`: words and operators that end the list
   * of names. `isSet`: whether the names are those of `{% set %}`, which can also assign attributes.
   */
  private target(ends: readonly string[], isSet = false): Target {
    const { at } = this.current;
    const targets: Target[] = [];
    let isTuple = false;
    do {
      if (targets.length > 0) isTuple = true;
      if (isTuple && (this.isName(...ends) || this.is('close-statement'))) break;
      targets.push(this.oneTarget(ends, isSet));
    } while (this.skip('operator', ','));
    return isTuple ? { type: 'tuple', at, targets } : targets[0]!;
  }

  private oneTarget(ends: readonly string[], isSet: boolean): Target {
    const { at } = this.current;
    if (this.skip('operator', '(')) {
      const inner = this.target([...ends, ')'], isSet);
      this.expect('operator', ')');
      return inner;
    }
    const name = this.name();
    if (CONSTANTS.has(name)) this.fail(`${name} cannot be assigned`, at);
    if (isSet && this.skip('operator', '.')) return { type: 'namespace', at, name, attribute: this.name() };
    return { type: 'name', at, name };
  }

  // Expressions

  private tuple({
    hasCondition = true,
    isInBrackets = false,
    ends = [],
  }: { hasCondition?: boolean; isInBrackets?: boolean; ends?: readonly string[] } = {}): Expression {
    const { at } = this.current;
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0 && isTuple === false) break;
      if (
        this.is('close-expression') ||
        this.is('close-statement') ||
        this.is('operator', ')') ||
        this.isName(...ends)
      )
        break;
      items.push(hasCondition ? this.expression() : this.or());
      if (!this.skip('operator', ',')) break;
      isTuple = true;
    }
    if (isTuple || (items.length === 0 && isInBrackets)) return { type: 'tuple', at, items };
    return items[0] ?? this.unexpected('an expression');
  }

  private expression(): Expression {
    let found = this.or();
    while (this.skip('name', 'if')) {
      const test = this.or();
      const otherwise = this.skip('name', 'else') ? this.expression() : null;
      found = { type: 'condition', at: found.at, test, then: found, otherwise };
    }
    return found;
  }

  private binary(operators: readonly string[], isWord: boolean, operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const { type, value } = this.current;
      if (type !== (isWord ? 'name' : 'operator') || !operators.includes(value)) return left;
      this.at += 1;
      left = { type: 'binary', at: left.at, operator: value, left, right: operand() };
    }
  }

  private readonly or = (): Expression => this.binary(['or'], true, this.and);
  private readonly and = (): Expression => this.binary(['and'], true, this.not);

  private readonly not = (): Expression => {
    const { at } = this.current;
    return this.skip('name', 'not')
      ? { type: 'unary', at, operator: 'not', operand: this.not() }
      : this.comparison();
  };

  private comparison(): Expression {
    const first = this.sum();
    const others: { operator: string; value: Expression }[] = [];
    for (;;) {
      const { type, value } = this.current;
      let operator: string | undefined;
      if (type === 'operator' && COMPARISONS.has(value)) operator = value;
      else if (this.isName('in')) operator = 'in';
      else if (this.isName('not') && this.tokens[this.at + 1]?.value === 'in') {
        operator = 'not in';
        this.at += 1;
      }
      if (operator === undefined) break;
      this.at += 1;
      others.push({ operator, value: this.sum() });
    }
    return others.length === 0 ? first : { type: 'compare', at: first.at, first, others };
  }

  private readonly sum = (): Expression => this.binary(['+', '-'], false, this.concat);

  private readonly concat = (): Expression => {
    const parts = [this.product()];
    while (this.skip('operator', '~')) parts.push(this.product());
    return parts.length === 1 ? parts[0]! : { type: 'concat', at: parts[0]!.at, parts };
  };

  private product(): Expression {
    return this.binary(['*', '/', '//', '%'], false, this.power);
  }

  private readonly power = (): Expression => this.binary(['**'], false, () => this.unary());

  private unary(hasFilters = true): Expression {
    const { at } = this.current;
    const sign = (['-', '+'] as const).find((one) => this.skip('operator', one));
    const own: Expression =
      sign === undefined ? this.primary() : { type: 'unary', at, operator: sign, operand: this.unary(false) };
    const found = this.postfix(own);
    return hasFilters ? this.filters(found) : found;
  }

  private primary(): Expression {
    const { at, type, value } = this.current;
    switch (type) {
      case 'name': {
        this.at += 1;
        const constant = CONSTANTS.get(value);
        return constant === undefined
          ? { type: 'name', at, name: value }
          : { type: 'constant', at, value: constant };
      }
      case 'string': {
        let text = '';
        while (this.is('string')) text += this.next().value;
        return { type: 'constant', at, value: text };
      }
      case 'integer':
        if (value.length > LONGEST_INTEGER)
          this.fail(`a whole number of more than ${LONGEST_INTEGER} characters`);
        this.at += 1;
        return { type: 'constant', at, value: integerOf(value) };
      case 'float':
        this.at += 1;
        return { type: 'constant', at, value: Number(value.replaceAll('_', '')) };
      default:
    }
    if (this.skip('operator', '(')) {
      const inner = this.tuple({ isInBrackets: true });
      this.expect('operator', ')');
      return inner;
    }
    if (this.skip('operator', '['))
      return { type: 'list', at, items: this.separated(']', () => this.expression()) };
    if (this.skip('operator', '{')) {
      const entries = this.separated('}', (): [Expression, Expression] => {
        const key = this.expression();
        this.expect('operator', ':');
        return [key, this.expression()];
      });
      return { type: 'dict', at, entries };
    }
    return this.unexpected();
  }

  private separated<Item>(end: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.is('operator', end)) {
      if (items.length > 0) this.expect('operator', ',');
      if (this.is('operator', end)) break;
      items.push(item());
    }
    this.at += 1;
    return items;
  }

  private postfix(operand: Expression): Expression {
    let found = operand;
    for (;;) {
      const { at } = found;
      if (this.skip('operator', '.')) {
        const { type, value } = this.next();
        if (type === 'name') found = { type: 'attribute', at, object: found, name: value };
        else if (type === 'integer')
          found = { type: 'item', at, object: found, key: { type: 'constant', at, value: integerOf(value) } };
        else {
          this.at -= 1;
          this.unexpected('a name or a number');
        }
      } else if (this.skip('operator', '[')) found = this.subscript(found);
      else if (this.is('operator', '(')) found = { type: 'call', at, callee: found, args: this.args() };
      else return found;
    }
  }

  private subscript(object: Expression): Expression {
    const { at } = object;
    const isEnd = (): boolean => this.is('operator', ']') || this.is('operator', ':');
    const from = isEnd() ? undefined : this.expression();
    if (!this.skip('operator', ':')) {
      if (from === undefined) this.unexpected('an index');
      this.expect('operator', ']');
      return { type: 'item', at, object, key: from };
    }
    const to = isEnd() ? undefined : this.expression();
    const step = this.skip('operator', ':') && !isEnd() ? this.expression() : undefined;
    this.expect('operator', ']');
    return {
      type: 'slice',
      at,
      object,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(step === undefined ? {} : { step }),
    };
  }

  private args(): Arguments {
    const found: Arguments = { positional: [], named: [] };
    this.expect('operator', '(');
    let isFirst = true;
    while (!this.is('operator', ')')) {
      if (!isFirst) this.expect('operator', ',');
      isFirst = false;
      if (this.is('operator', ')')) break;
      if (this.skip('operator', '**')) found.spreadNamed = this.expression();
      else if (this.skip('operator', '*')) found.spread = this.expression();
      else if (
        this.current.type === 'name' &&
        this.tokens[this.at + 1]?.value === '=' &&
        this.tokens[this.at + 1]?.type === 'operator'
      ) {
        const name = this.name();
        this.at += 1;
        found.named.push([name, this.expression()]);
      } else {
        if (found.named.length > 0) this.fail('an argument without a name follows one with a name');
        found.positional.push(this.expression());
      }
    }
    this.at += 1;
    return found;
  }

  /** Parses the filters and tests after an operand. `isOpen`: whether the first filter has no `|` before it, as in `{% filter upper %}`. */
  private filters(operand: Expression | null, isOpen = false): Expression {
    let found = operand;
    let hasBar = isOpen;
    for (;;) {
      const at = found?.at ?? this.current.at;
      if (hasBar || this.skip('operator', '|')) {
        hasBar = false;
        const name = this.dottedName();
        const args = this.is('operator', '(') ? this.args() : NO_ARGUMENTS;
        found = { type: 'filter', at, name, operand: found, args };
      } else if (found !== null && operand !== null && this.skip('name', 'is')) found = this.test(found);
      else if (found !== null && operand !== null && this.is('operator', '('))
        found = { type: 'call', at, callee: found, args: this.args() };
      else return found ?? this.unexpected('a filter');
    }
  }

  private dottedName(): string {
    let name = this.name();
    while (this.skip('operator', '.')) name += `.${this.name()}`;
    return name;
  }

  private test(operand: Expression): Expression {
    const isNegated = this.skip('name', 'not');
    const name = this.dottedName();
    let args = NO_ARGUMENTS;
    if (this.is('operator', '(')) args = this.args();
    else if (
      ['string', 'integer', 'float'].includes(this.current.type) ||
      (this.current.type === 'name' &&
        !this.isName('else', 'or', 'and', 'if', 'is', 'in', 'not', 'recursive')) ||
      this.is('operator', '[') ||
      this.is('operator', '{')
    )
      args = { positional: [this.postfix(this.primary())], named: [] };
    return { type: 'test', at: operand.at, name, operand, args, isNegated };
  }
}

/**
 * Parses a template. Throws a {@link TemplateFault} if the template is invalid. `imports`: returns whether the statement `import PATH as
 * NAME` imports Rally's helpers; all other imports are errors.
 */
export const parseTemplate = (source: Source, imports: (path: string, as: string) => boolean): Statement[] =>
  new Parser(source, imports).parse();
