/** The tests of Jinja: `value is NAME`. */
import { fault } from './fault';
import {
  Callable,
  computed,
  Dict,
  Float,
  holds,
  isEqual,
  isOrdered,
  List,
  Markup,
  Stream,
  textIn,
  textOf,
  Tuple,
  typeOf,
  Undefined,
  undefinedFault,
  View,
  wholeIn,
  type Value,
} from './values';

type Test = (value: Value, other: Value) => boolean;

const isZero = (value: Value): boolean => isEqual(value, 0n);

const ordered =
  (operator: '<' | '<=' | '>' | '>='): Test =>
  (value, other) =>
    isOrdered(value, operator, other);

/**
 * Returns whether two values are the same object, like Python's `is`. Texts and numbers count as the same object if they are equal and have
 * the same type.
 */
function isSame(one: Value, other: Value): boolean {
  if (typeOf(one) !== typeOf(other)) return false;
  return one === null || typeof one !== 'object'
    ? one === other
    : one === other || (one instanceof Float && isEqual(one, other));
}

const isText = (value: Value): boolean => textIn(value) !== undefined;
const isNumber = (value: Value): boolean =>
  typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Float;
const isSequence = (value: Value): boolean =>
  isText(value) ||
  value instanceof List ||
  value instanceof Tuple ||
  value instanceof Dict ||
  value instanceof View ||
  value instanceof Undefined;

/**
 * Returns the implementation of Jinja's test `upper` or `lower`. A text without letters is neither. `change`: converts a text to the case
 * of the test. `other`: converts a text to the other case.
 */
const isCase =
  (change: (text: string) => string, other: (text: string) => string): ((value: Value) => boolean) =>
  (value) => {
    const text = textOf(value);
    return change(text) === text && other(text) !== text;
  };
const upper = (text: string): string => text.toUpperCase();
const lower = (text: string): string => text.toLowerCase();

const remainder = (value: Value, by: Value): Value => computed('%', value, by);

const EQUAL: Test = isEqual;
const UNEQUAL: Test = (value, other) => !isEqual(value, other);

/** Tests that compare the value with an argument, such as `eq`. */
const COMPARING: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...(['eq', 'equalto', '=='] as const).map((name): [string, Test] => [name, EQUAL]),
  ...(['ne', '!='] as const).map((name): [string, Test] => [name, UNEQUAL]),
  ...(['lt', 'lessthan', '<'] as const).map((name): [string, Test] => [name, ordered('<')]),
  ...(['gt', 'greaterthan', '>'] as const).map((name): [string, Test] => [name, ordered('>')]),
  ...(['le', '<='] as const).map((name): [string, Test] => [name, ordered('<=')]),
  ...(['ge', '>='] as const).map((name): [string, Test] => [name, ordered('>=')]),
  ['in', (value, other) => holds(other, value)],
  ['sameas', isSame],
  ['divisibleby', (value, other) => isZero(remainder(value, other))],
]);

const ALONE: ReadonlyMap<string, (value: Value) => boolean> = new Map<string, (value: Value) => boolean>([
  ['defined', (value) => !(value instanceof Undefined)],
  ['undefined', (value) => value instanceof Undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['integer', (value) => typeof value === 'bigint'],
  ['float', (value) => value instanceof Float],
  ['number', isNumber],
  ['string', isText],
  ['mapping', (value) => value instanceof Dict],
  ['sequence', isSequence],
  ['iterable', (value) => isSequence(value) || value instanceof Stream],
  ['callable', (value) => value instanceof Callable || value instanceof Undefined],
  ['odd', (value) => isEqual(remainder(value, 2n), 1n)],
  ['even', (value) => isZero(remainder(value, 2n))],
  ['lower', isCase(lower, upper)],
  ['upper', isCase(upper, lower)],
  ['escaped', (value) => value instanceof Markup],
]);

/** Returns whether a value passes a test. Throws if the test is unknown or has the wrong number of arguments. */
export function isSatisfied(
  name: string,
  value: Value,
  args: readonly Value[],
  isFilter: (name: string) => boolean,
): boolean {
  if (name === 'filter' || name === 'test') {
    const wanted = textIn(value) ?? '';
    return name === 'filter'
      ? isFilter(wanted)
      : COMPARING.has(wanted) || ALONE.has(wanted) || ['filter', 'test'].includes(wanted);
  }
  const comparing = COMPARING.get(name);
  const alone = ALONE.get(name);
  if (comparing === undefined && alone === undefined) throw fault(`there is no test ${name}`);
  const wanted = alone === undefined ? 1 : 0;
  if (args.length !== wanted)
    throw fault(`the test ${name} takes ${wanted === 0 ? 'no value' : 'one value'}`);
  if (alone !== undefined) {
    if (['odd', 'even'].includes(name)) {
      if (value instanceof Undefined) throw undefinedFault(value);
      if (wholeIn(value) === undefined && !(value instanceof Float))
        throw fault(`the test ${name} needs a number`);
    }
    return alone(value);
  }
  return comparing!(value, args[0]!);
}
