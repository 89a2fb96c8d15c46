/** Checks the arguments of filters, tests and functions in templates. */
import { fault } from './fault';
import { textIn, typeOf, wholeIn, type Given, type Value } from './values';

/**
 * Returns the arguments in the order of `names`. Throws if there are too many arguments, or an argument with another name. `what`: name of
 * the function, for the error.
 */
export function inOrder(
  what: string,
  { positional, named }: Given,
  names: readonly string[],
): (Value | undefined)[] {
  if (positional.length > names.length)
    throw fault(`${what} takes ${names.length} arguments and was given ${positional.length}`);
  const found: (Value | undefined)[] = names.map((_, at) => positional[at]);
  for (const [name, value] of named) {
    const at = names.indexOf(name);
    if (at === -1) throw fault(`${what} has no argument ${name}`);
    if (found[at] !== undefined) throw fault(`${what} was given ${name} twice`);
    found[at] = value;
  }
  return found;
}

export function textArgument(what: string, value: Value | undefined): string {
  const text = value === undefined ? undefined : textIn(value);
  if (text === undefined)
    throw fault(`${what} needs a text${value === undefined ? '' : ` and was given a ${typeOf(value)}`}`);
  return text;
}

/**
 * Returns an argument that is a number of items or characters. Throws if it is not a whole number of at most 1,000,000. `what`: name of the
 * argument, for the error.
 */
export function countArgument(what: string, value: Value): number {
  const whole = wholeIn(value);
  if (whole === undefined) throw fault(`${what} needs a whole number and was given a ${typeOf(value)}`);
  if (whole > 1_000_000n || whole < -1_000_000n) throw fault(`${what} was given ${whole}: at most 1000000`);
  return Number(whole);
}
