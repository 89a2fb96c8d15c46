/** A field for a structure, such as a mapping or a query, as YAML or JSON. An invalid text is reported as a problem. */
import { EuiFormRow } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import { locate } from '../../../../common/experiment/text/locate';
import { sameValue } from '../../../../common/experiment/text/values';
import { plainValue, stringifyExact } from '../../../../common/json/exact';
import { describeProblem, DynoError, messageOf, type Problem } from '../../../../common/problem';
import { i18n } from '../../../i18n';
import { CodeField } from './code-field';
import { asText, useErrors, useField, useProblems } from './context';
import type { RowProps } from './fields';

type Read = { value: unknown } | { why: string; problems: readonly Problem[] };

/** Returns the message of the YAML parser. If the error is after the first line, the message begins with the number of the line. */
function reasonOf({ path, message }: Problem): string {
  const [, line] = /:(\d+):\d+$/.exec(path) ?? [];
  return line === undefined || line === '1' ? message : `line ${line}: ${message}`;
}

/**
 * Parses the text of a field as an object or a list. A text in `words` is also valid, and is its own value. For an invalid text, the result
 * contains the reason and the problems.
 */
function read(text: string, words: readonly string[]): Read {
  if (words.includes(text.trim())) return { value: text.trim() };
  const notOne = i18n.translate('dyno.editor.structure.bad', {
    defaultMessage: 'This is not an object in YAML or JSON',
  });
  const unreadable = (message: string): Problem => ({ code: 'definition.unreadable', path: '', message });
  try {
    const value = parseValue(text);
    if (typeof value === 'object' && value !== null) return { value };
    return { why: notOne, problems: [unreadable(notOne)] };
  } catch (error) {
    const problems = error instanceof DynoError ? error.problems : [unreadable(messageOf(error))];
    return { why: `${notOne} (${reasonOf(problems[0]!)})`, problems };
  }
}

interface StructureRowProps extends RowProps {
  /** Minimum number of lines that are shown. */
  rows: number;
  /** Whether emptying the field removes the key. Otherwise, emptying the field writes an empty object. */
  optional?: boolean;
  /** Words that are valid values besides objects and lists. */
  words?: readonly string[];
  placeholder?: string;
}

const NO_WORDS: readonly string[] = [];

export function StructureRow({
  path,
  label,
  help,
  rows,
  optional = false,
  words = NO_WORDS,
  placeholder,
}: StructureRowProps): ReactNode {
  const { value, set, unread, hold, disabled, onFocus } = useField(path);
  const [typed, setTyped] = useState<string | null>(null);
  const errors = useErrors(path, true);
  const problems = useProblems(path, true);
  const parsed = typed === null ? null : read(typed, words);
  // The typed text is kept as long as it has the same value as the definition.
  const isCurrent =
    parsed !== null && 'value' in parsed && sameValue(plainValue(parsed.value), plainValue(value));
  const written =
    typeof value === 'string' || (optional && value === undefined)
      ? asText(value)
      : stringifyExact(value ?? {}, 2);
  const shown = unread ?? (isCurrent ? typed! : written);
  const diagnostics = useMemo(() => {
    const now = unread === null ? null : read(unread, words);
    const wrong = now !== null && 'problems' in now ? now.problems : problems;
    return wrong.map((problem) => {
      const { from, to } = locate(shown, problem.path);
      const message = now === null ? describeProblem(problem) : problem.message;
      return { from, to, severity: 'error' as const, message };
    });
  }, [unread, words, problems, shown]);
  return (
    <EuiFormRow
      label={label}
      helpText={help}
      fullWidth
      hasChildLabel={false}
      isInvalid={errors.length > 0}
      error={errors}
    >
      <CodeField
        path={path}
        label={label}
        rows={rows}
        placeholder={placeholder}
        disabled={disabled}
        isInvalid={errors.length > 0}
        diagnostics={diagnostics}
        isUnread={unread !== null}
        onFocus={onFocus}
        value={shown}
        onChange={(text) => {
          const next = optional && text.trim() === '' ? { value: undefined } : read(text, words);
          setTyped(text);
          if ('value' in next) set(next.value);
          else hold(text, next.why);
        }}
      />
    </EuiFormRow>
  );
}
