/** Renders a survey for a terminal. */
import { section } from '../report/render/terminal';
import { painter, wrap } from '../report/render/text-layout';
import type { TrafficSurvey } from './survey';
import { MOST_ROWS, slowestFirst, surveyFacts, surveyTables } from './tables';

/** Maximum number of characters of a body. */
const LONGEST_BODY = 400;

/** Returns the bodies of the shapes that the tables contain. */
function bodies(survey: TrafficSurvey, width: number): string[] {
  const frequent = survey.shapes.slice(0, MOST_ROWS).map((_, at) => at);
  return [...new Set([...frequent, ...slowestFirst(survey)])].flatMap((at) => {
    const { body } = survey.shapes[at]!;
    if (body === '') return [];
    const short = body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}…` : body;
    return wrap(`${`#${at + 1}`.padEnd(4)} ${short}`, width - 2, '     ').map((line) => `  ${line}`);
  });
}

/** Returns lines with at most `width` characters, without a line feed at the end. */
export function renderSurvey(
  survey: TrafficSurvey,
  { width, colour }: { width: number; colour: boolean },
): string {
  const paint = painter(colour);
  return [
    ...surveyFacts(survey).flatMap((fact) => wrap(fact, width, '  ')),
    ...surveyTables(survey).flatMap((table) => section(table, width, paint)),
    ...(survey.shapes.length === 0
      ? []
      : ['', paint('Bodies of the shapes', 'title'), ...bodies(survey, width)]),
  ].join('\n');
}
