/** What must fit between the parsing of lines and the rest of its task; every error of its patterns. */
import { compileGrok } from '../grok/compile';
import { compileDateFormat, DATE_FORMS } from '../grok/date-format';
import { showValue, type Problem } from '../problem';
import type { TaskDefinition } from './definition';
import { LINE_GENERATORS } from '../generators/registry';
import { patternsOf, type ParseDefinition } from './parse';

/** Of definitions without factors, and of each cell. */
export const checkParsing = (tasks: readonly TaskDefinition[]): Problem[] =>
  tasks.flatMap(({ ingest }, at) =>
    ingest?.parse === undefined ? [] : checkTask({ ...ingest, parse: ingest.parse }, `tasks[${at}].ingest`),
  );

type Ingest = NonNullable<TaskDefinition['ingest']> & { parse: ParseDefinition };

function checkTask({ source, parse, pipeline }: Ingest, path: string): Problem[] {
  const problems: Problem[] = [];
  const raw =
    source.generator === undefined ? source.format === 'lines' : LINE_GENERATORS.includes(source.generator);
  if (!raw) {
    problems.push({
      code: 'definition.parse-source',
      path: `${path}.source`,
      message: 'its documents are not raw lines, so there is nothing to parse',
      found: source.generator ?? `format: ${source.format}`,
      allowed: `format: lines, or generator: ${LINE_GENERATORS.join(', ')}`,
    });
  }
  if (parse.by === 'pipeline' && pipeline !== undefined) {
    problems.push({
      code: 'definition.parse-pipeline',
      path: `${path}.pipeline`,
      message: 'a document goes through one pipeline, and parsing already is one',
      found: pipeline,
      allowed: 'parse by: workers, or no pipeline of your own',
    });
  }
  if (parse.by === 'pipeline' && parse['on-failure'] === 'drop') {
    problems.push({
      code: 'definition.parse-drop',
      path: `${path}.parse.on-failure`,
      message: 'a dropped document is acknowledged, so the stored documents could not be checked',
      found: 'drop',
      allowed: 'tag, or parse by: workers',
    });
  }
  return [...problems, ...checkPatterns(parse, `${path}.parse`)];
}

function checkPatterns(parse: ParseDefinition, path: string): Problem[] {
  const problems = new Map<string, Problem>();
  const patterns = patternsOf(parse);
  const fields = new Set<string>();
  patterns.forEach((pattern, place) => {
    const own = `${path}.pattern${typeof parse.pattern === 'string' ? '' : `[${place}]`}`;
    const { compiled, problems: found } = compileGrok(pattern, parse.patterns);
    for (const { pattern: name, ...problem } of found) {
      const where = name === '' ? own : name in parse.patterns ? `${path}.patterns.${name}` : own;
      problems.set(`${where} ${problem.message} ${problem.found}`, {
        code: 'definition.pattern',
        path: where,
        ...problem,
      });
    }
    for (const { name } of compiled?.fields ?? []) fields.add(name);
  });
  // What is asked for by nobody has errors all the same.
  for (const [name, pattern] of Object.entries(parse.patterns)) {
    const { problems: found } = compileGrok(`(?<probe>${pattern})`, parse.patterns);
    for (const { pattern: within, ...problem } of found) {
      const where = `${path}.patterns.${within === '' || !(within in parse.patterns) ? name : within}`;
      const key = `${where} ${problem.message} ${problem.found}`;
      if (!problems.has(key)) problems.set(key, { code: 'definition.pattern', path: where, ...problem });
    }
  }
  const told = [...problems.values()];
  return told.length > 0 ? told : checkTimestamp(parse, [...fields], path);
}

function checkTimestamp({ timestamp }: ParseDefinition, fields: readonly string[], path: string): Problem[] {
  if (timestamp === undefined) return [];
  const problems: Problem[] = [];
  if (!fields.includes(timestamp.field)) {
    problems.push({
      code: 'definition.parse-timestamp',
      path: `${path}.timestamp.field`,
      message: 'no pattern has this field',
      found: showValue(timestamp.field),
      allowed: fields.join(', '),
    });
  }
  if (compileDateFormat(timestamp.format) === undefined) {
    problems.push({
      code: 'definition.parse-timestamp',
      path: `${path}.timestamp.format`,
      message: 'not a time format',
      found: showValue(timestamp.format),
      allowed: DATE_FORMS,
    });
  }
  return problems;
}
