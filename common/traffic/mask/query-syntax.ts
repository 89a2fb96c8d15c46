/**
 * Replaces values and names of fields in texts in the syntax of `query_string`. The query parameter `q` has the same syntax. Operators,
 * wildcards, short boosts and slops stay.
 */

/** Functions that return the replacements. `field`: name of the field before the colon; '' for the default fields. */
export interface QuerySyntax {
  /** Returns the new name of a field; null if the text before a colon is not a known field, such as `http` in `http://host`. */
  fieldName(name: string): string | null;
  /** `text`: a term, a phrase without its quotes, or a bound of a range. Characters in it may be escaped with a backslash. */
  value(field: string, text: string): string;
  /** `text`: a term that contains `*` or `?`. */
  wildcard(field: string, text: string): string;
  regexp(field: string, text: string): string;
}

/**
 * Matches one part of a text in this syntax. The alternatives are, in this order: a field with its colon, a phrase, a regular expression, a
 * range, a group, spaces and operators, a term.
 */
const PARTS =
  /(?<field>(?:[^\s:\\"()[\]{}!+\-&|^~/]|\\[^])(?:[^\s:\\"()[\]{}]|\\[^])*):(?=\S)|"(?<phrase>(?:[^"\\]|\\[^])*)"|\/(?<regexp>(?:[^/\\]|\\[^])+)\/|(?<range>[[{][^\]}]*[\]}])|(?<group>[()])|(?<other>\s+|&&|\|\||[+\-!](?=\S)|(?:AND|OR|NOT)(?=[\s()]|$)|[~^]\d{0,3}(?:\.\d{1,3})?(?![\d.]))|(?<compared>[<>]=?)?(?<term>(?:[^\s"()[\]{}~^\\<>]|\\[^])+)|[^]/gu;

export function replacedInQueryString(text: string, syntax: QuerySyntax): string {
  /** Stack of the fields to which the open groups at the current position belong. */
  const groups: string[] = [];
  let field = '';
  const current = (): string => field || (groups.at(-1) ?? '');
  return text.replace(PARTS, (part, ...rest) => {
    const found = rest.at(-1) as Record<string, string | undefined>;
    if (found['field'] !== undefined) {
      const name = found['field'].replaceAll(/\\([^])/g, '$1');
      if (name === '_exists_') field = name;
      else {
        const masked = syntax.fieldName(name);
        if (masked === null) return `${syntax.value('', found['field'])}:`;
        field = name;
        // Escapes in a name stay.
        if (masked !== name) return `${masked}:`;
      }
      return part;
    }
    if (found['group'] === '(') groups.push(current());
    if (found['group'] === ')') groups.pop();
    const masked = maskedPart(part, found, current(), syntax);
    if (found['other'] === undefined) field = '';
    return masked;
  });
}

function maskedPart(
  part: string,
  found: Record<string, string | undefined>,
  field: string,
  syntax: QuerySyntax,
): string {
  const { phrase, regexp, range, term, compared = '' } = found;
  if (phrase !== undefined) return `"${syntax.value(field, phrase)}"`;
  if (regexp !== undefined) return `/${syntax.regexp(field, regexp)}/`;
  if (range !== undefined) return maskedRange(range, field, syntax);
  if (term === undefined) return part;
  if (field === '_exists_') return syntax.fieldName(part) ?? syntax.value('', part);
  const isPattern = /(?:^|[^\\])[*?]/.test(term);
  return compared + (isPattern ? syntax.wildcard(field, term) : syntax.value(field, term));
}

function maskedRange(range: string, field: string, syntax: QuerySyntax): string {
  const inner = range.slice(1, -1).split(/(\s+TO\s+)/);
  const bounds = inner.map((text, at) => {
    const bound = text.trim();
    if (at % 2 === 1 || bound === '*' || bound === '') return text;
    const quoted = /^"(.*)"$/.exec(bound);
    return quoted === null ? syntax.value(field, bound) : `"${syntax.value(field, quoted[1]!)}"`;
  });
  return range[0]! + bounds.join('') + range.at(-1)!;
}
