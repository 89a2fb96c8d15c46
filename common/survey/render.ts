/** Renders a summary of recorded requests (a survey) for a terminal. */
import { section } from '../report/render/terminal';
import type { Table } from '../report/tables/table';
import { painter, wrap } from '../report/render/text-layout';
import type { TrafficSurvey } from './survey';
import {
  indicesTable,
  MOST_ROWS,
  ratesTable,
  repeatsFact,
  shapesTable,
  slowestFirst,
  surveyFacts,
  surveyTables,
} from './tables';

/** Maximum number of characters that are shown of a body. */
const LONGEST_BODY = 400;

/** Returns lines with the bodies of the shapes of requests that the tables list. */
function bodies(survey: TrafficSurvey, width: number): string[] {
  const frequent = survey.shapes.slice(0, MOST_ROWS).map((_, at) => at);
  return [...new Set([...frequent, ...slowestFirst(survey)])].flatMap((at) => {
    const { body } = survey.shapes[at]!;
    if (body === '') return [];
    const short = body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}…` : body;
    return wrap(`${`#${at + 1}`.padEnd(4)} ${short}`, width - 2, '     ').map((line) => `  ${line}`);
  });
}

interface TerminalOptions {
  width: number;
  colour: boolean;
}

const sectionsOf = (
  survey: TrafficSurvey,
  tables: readonly (Table | null)[],
  { width, colour }: TerminalOptions,
): string[] => {
  const paint = painter(colour);
  return [
    ...tables.flatMap((table) => (table === null ? [] : section(table, width, paint))),
    ...(survey.shapes.length === 0
      ? []
      : ['', paint('Bodies of the shapes', 'title'), ...bodies(survey, width)]),
  ];
};

/** Returns lines with at most `width` characters, without a line feed at the end. */
export const renderSurvey = (survey: TrafficSurvey, options: TerminalOptions): string =>
  [
    ...surveyFacts(survey).flatMap((fact) => wrap(fact, options.width, '  ')),
    ...sectionsOf(survey, surveyTables(survey), options),
  ].join('\n');

/** Like {@link renderSurvey}, but without the parts that do not apply to a log of searches. `isTimed`: whether the log contains times. */
export const renderSearches = (
  survey: TrafficSurvey,
  { isTimed, ...options }: TerminalOptions & { isTimed: boolean },
): string =>
  [
    ...repeatsFact(survey).flatMap((fact) => wrap(fact, options.width, '  ')),
    ...sectionsOf(
      survey,
      [shapesTable(survey), isTimed ? ratesTable(survey) : null, indicesTable(survey)],
      options,
    ),
  ].join('\n');
