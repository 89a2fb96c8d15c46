/** Model of the text in an editor: its values for the form, its problems with their lines, and its estimated cost. */
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
  /** Correct text with which a button can replace the wrong one. Null if there is no suggestion. */
  suggested: string | null;
}

/** Adds to each problem its position in `text`, and a replacement if one can be suggested. */
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
  /** The definition; null while it has problems. */
  definition: Definition | null;
  cost: Cost | null;
}

/** File name by which error messages refer to the text. */
const FILE_NAME = 'definition.yml';

/** Maximum number of problems that are shown. More would not help, because users fix the first ones first. */
const MOST_PROBLEMS = 50;

/** Returns the values in the text, even if incomplete; undefined if it is not YAML. */
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

/**
 * Executes the same checks as the command line. The checks take a few milliseconds, or more for hundreds of combinations of factor levels.
 */
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

/**
 * Adds the problems of texts in the form that are not valid values, and are therefore not in the definition. While there are such problems,
 * the definition can be neither saved nor run.
 */
export const withFormProblems = (checked: Checked, problems: readonly Problem[]): Checked =>
  problems.length === 0
    ? checked
    : {
        ...checked,
        problems: [...placed(checked.text, problems), ...checked.problems],
        definition: null,
        cost: null,
      };
