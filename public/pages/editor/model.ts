/** What the text of an editor says: its values for the form, its problems with their places, its cost. */
import { costOf, type Cost } from '../../../common/experiment/cost';
import type { Definition } from '../../../common/experiment/definition';
import { openDocument, valueOf } from '../../../common/experiment/document';
import { readDefinitionText } from '../../../common/experiment/read';
import { settledDefinition } from '../../../common/experiment/settle';
import { fixOf } from '../../../common/experiment/text/fix';
import { locate, type Place } from '../../../common/experiment/text/locate';
import { DynoError, meantText, messageOf, type Problem } from '../../../common/problem';

export interface PlacedProblem extends Problem {
  place: Place;
  /** What a button offers to write instead; null where nothing is suggested. */
  suggested: string | null;
}

/** With the place in `text` that each is about, and what may be written there instead. */
const placed = (text: string, problems: readonly Problem[]): PlacedProblem[] =>
  problems.map((problem) => ({
    ...problem,
    place: locate(text, problem.path),
    suggested: fixOf(text, problem).length > 0 ? meantText(problem.meant!) : null,
  }));

export interface Checked {
  /** The text that was checked. */
  text: string;
  problems: readonly PlacedProblem[];
  /** Null while there are problems. */
  definition: Definition | null;
  cost: Cost | null;
}

/** For messages: what the text would be called as a file. */
const FILE_NAME = 'definition.yml';

/** Problems beyond these are not shown: the first ones are to be fixed first. */
const MOST_PROBLEMS = 50;

/** The values that the text holds, complete or not; undefined while it is no YAML. */
export function valuesOf(text: string): Record<string, unknown> | undefined {
  try {
    const document = openDocument(text);
    if (document.errors.length > 0) return undefined;
    const value = settledDefinition(valueOf(document)) ?? {};
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof DynoError) return error.problems;
  return [{ code: 'definition.unreadable', path: '', message: messageOf(error) }];
}

/** Everything that the command would say about the text; takes some milliseconds, more with hundreds of cells. */
export function check(text: string): Checked {
  try {
    const definition = readDefinitionText(text, FILE_NAME);
    return { text, problems: [], definition, cost: costOf(definition) };
  } catch (error) {
    return {
      text,
      problems: placed(text, problemsOf(error).slice(0, MOST_PROBLEMS)),
      definition: null,
      cost: null,
    };
  }
}

/** With problems of the form, which the text does not show. While there is one, nothing may be saved or run. */
export const withFormProblems = (checked: Checked, problems: readonly Problem[]): Checked =>
  problems.length === 0
    ? checked
    : {
        ...checked,
        problems: [...placed(checked.text, problems), ...checked.problems],
        definition: null,
        cost: null,
      };
