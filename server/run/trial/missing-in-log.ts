/** Finds the searches of a log that use features which the target lacks. */
import type { Offered } from '../../../common/elasticsearch/capabilities';
import { unmetNeeds } from '../../../common/elasticsearch/modules';
import { missingForSearch } from '../../../common/experiment/feature-uses';
import { parseExact, plainValue } from '../../../common/json/exact';
import { formatNumber, plural } from '../../../common/units/format';

/** A feature that the target lacks. */
interface Missing {
  message: string;
  /** Advice on alternatives; absent if there is none. */
  allowed?: string | undefined;
  /** Number of searches that use the feature. */
  searches: number;
  /** Line of the first of these searches, from 1. */
  line: number;
}

/** Maximum number of features in a note. */
const MOST_NAMED = 5;

export class MissingInLog {
  private readonly found = new Map<string, Missing>();
  /** Number of searches that use at least one feature or module which the target lacks. Such a search will fail. */
  searches = 0;
  /** Number of these searches that use a feature which no such target has, whatever its modules. */
  lacking = 0;

  constructor(private readonly target: Offered) {}

  /** Compares a search with the features of the target. `body`: its JSON text. `line`: its line in the log, from 1. */
  meet(body: string, line: number): void {
    const messages = new Map<string, string | undefined>();
    const search = bodyOf(body);
    for (const { message, allowed } of missingForSearch(search, 'body', this.target))
      messages.set(message, allowed);
    if (messages.size > 0) this.lacking += 1;
    const { engine, plugins } = this.target;
    if (engine === 'elasticsearch' && plugins !== null)
      for (const { message } of unmetNeeds(search, plugins)) messages.set(message, undefined);
    if (messages.size > 0) this.searches += 1;
    for (const [message, allowed] of messages) {
      const missing = this.found.get(message);
      if (missing) missing.searches += 1;
      else this.found.set(message, { message, allowed, searches: 1, line });
    }
  }

  /** Returns a phrase about the searches that will fail, and the reasons; '' if none will. */
  note(): string {
    if (this.searches === 0) return '';
    const all = [...this.found.values()].sort((a, b) => b.searches - a.searches);
    const reasons = all.slice(0, MOST_NAMED).map(sayMissing);
    const further = all.length - reasons.length;
    return `${plural(this.searches, 'search', 'searches')} will fail: ${reasons.join('; ')}${
      further === 0 ? '' : `; and ${plural(further, 'more reason')}`
    }`;
  }
}

/** Returns the parsed body. Returns null for a text that cannot be parsed; it then uses no known feature. */
function bodyOf(text: string): unknown {
  try {
    return plainValue(parseExact(text));
  } catch {
    return null;
  }
}

const sayMissing = ({ message, allowed, searches, line }: Missing): string => {
  const where = searches === 1 ? `line ${line}` : `${formatNumber(searches)} searches, first in line ${line}`;
  return `${message} (${where}${allowed === undefined ? '' : `; use instead: ${allowed}`})`;
};
