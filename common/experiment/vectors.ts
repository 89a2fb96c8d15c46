/** Checks that three parts of a definition fit together: the loaded vectors, the field that contains them, and the query vectors. */
import { parametersOf as namesIn, jsonTemplate, TemplateError } from '../requests/template';
import { queriesOf } from '../parameters/registry';
import { likeDocuments } from '../parameters/vector';
import { plainValue, stringifyPlain } from '../json/exact';
import type { Problem } from '../problem';
import type { RecallAsked } from '../requests/recall';
import { parametersOf, recallsOf, taskPath } from '../tasks/registry';
import { cellDefinition } from './cell-definition';
import type { Definition } from './definition';
import { preloadSource } from './preload';

/** Similarity functions of Elasticsearch's `dense_vector`. */
const SIMILARITIES = ['cosine', 'dot_product', 'l2_norm', 'max_inner_product'] as const;
export type Similarity = (typeof SIMILARITIES)[number];

type Properties = Readonly<Record<string, unknown>>;
const asRecord = (value: unknown): Properties =>
  typeof value === 'object' && value !== null ? (value as Properties) : {};

/** Returns the mapping of a field (with dots for inner fields); undefined if the mapping does not contain it. */
function fieldOf(mapping: Properties, field: string): Properties | undefined {
  const properties = asRecord(mapping['properties']);
  if (properties[field] !== undefined) return asRecord(properties[field]);
  for (let dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1)) {
    const outer = properties[field.slice(0, dot)];
    if (outer !== undefined) return fieldOf(asRecord(outer), field.slice(dot + 1));
  }
  return undefined;
}

/**
 * Keys of the mapping that contain the number of dimensions, by the type of the field: in Elasticsearch, and in OpenSearch's k-NN plugin.
 */
const DIMENSION_KEYS: Readonly<Record<string, string>> = { dense_vector: 'dims', knn_vector: 'dimension' };

/** Similarity functions of OpenSearch's type `knn_vector`, by OpenSearch's names (`space_type`). */
const SPACES: Readonly<Record<string, Similarity>> = {
  cosinesimil: 'cosine',
  innerproduct: 'max_inner_product',
  l2: 'l2_norm',
};

/** Returns the similarity of a field. The default is that of the engine: `cosine` for Elasticsearch, `l2_norm` for OpenSearch. */
export function similarityOf(mapping: Properties, field: string): Similarity {
  const own = fieldOf(plainValue(mapping), field) ?? {};
  if (own['type'] === 'knn_vector') {
    const space = own['space_type'] ?? asRecord(own['method'])['space_type'];
    return (typeof space === 'string' ? SPACES[space] : undefined) ?? 'l2_norm';
  }
  return SIMILARITIES.find((known) => known === own['similarity']) ?? 'cosine';
}

const code = 'definition.vectors';

export function checkVectors(definition: Definition): Problem[] {
  const { tasks } = definition;
  const source = preloadSource(definition)?.vectors;
  const mapping =
    definition.index.existing === undefined ? plainValue(cellDefinition(definition).index.mapping) : null;
  const problems: Problem[] = [];
  if (source !== undefined && mapping !== null) {
    const at = definition.preload?.source?.vectors === source ? 'preload.source.vectors' : 'tasks';
    problems.push(...checkField(mapping, source.field, source.dimensions, `${at}.field`));
  }
  for (const [place, task] of tasks.entries()) {
    const queries = new Map(queriesOf(parametersOf(task)));
    const path = taskPath(task, place);
    for (const [name, given] of queries) {
      const { dimensions, file } = likeDocuments(given, source);
      if (dimensions !== undefined || file !== undefined) continue;
      problems.push({
        code,
        path: `${path}.parameters.${name}.vector.dimensions`,
        message: 'is missing, and no generated vectors of a preload provide it',
        allowed: 'dimensions: a number, file: a path, or vectors in preload.source',
      });
    }
    for (const asked of recallsOf(task).values()) {
      const given = queries.get(asked.parameter);
      const own = given === undefined ? undefined : likeDocuments(given, source);
      const dimensions = own?.file === undefined ? own?.dimensions : undefined;
      if (mapping !== null) problems.push(...checkField(mapping, asked.field, dimensions, path));
      if (dimensions !== undefined && source?.dimensions !== undefined && dimensions !== source.dimensions)
        problems.push({
          code,
          path: `${path}.parameters.${asked.parameter}.vector.dimensions`,
          message: 'the vectors of queries and documents have different dimensions',
          found: `${dimensions}`,
          allowed: `${source.dimensions}`,
        });
      if (source !== undefined) problems.push(...checkFilter(asked, path));
    }
  }
  return problems;
}

/**
 * Checks vectors against the mapping of their field. Returns no problem if the mapping contains no fields at all; Elasticsearch may refuse
 * the vectors later.
 */
function checkField(
  mapping: Properties,
  field: string,
  dimensions: number | undefined,
  path: string,
): Problem[] {
  const own = fieldOf(mapping, field);
  if (own === undefined) {
    const names = Object.keys(asRecord(mapping['properties']));
    if (names.length === 0) return [];
    const message = `the mapping has no field ${field}`;
    return [
      {
        code,
        path,
        message,
        found: field,
        allowed: `a dense_vector or knn_vector in index.mapping: ${names.join(', ')}`,
      },
    ];
  }
  const type = stringifyPlain(own['type'] ?? null);
  const key = Object.entries(DIMENSION_KEYS).find(([name]) => name === own['type'])?.[1];
  if (key === undefined) {
    const message = `${field} is not a field of vectors in index.mapping`;
    const allowed = 'type: dense_vector, or knn_vector on OpenSearch';
    return [{ code, path, message, found: type, allowed }];
  }
  const dims = own[key];
  if (dims === undefined || dimensions === undefined || dims === dimensions) return [];
  const message = `${field} has different dimensions in index.mapping`;
  return [{ code, path, message, found: `${dimensions}`, allowed: `${stringifyPlain(dims)}, as its ${key}` }];
}

/**
 * Returns a problem if the filter of a knn request contains parameters. The values of parameters differ between queries. But Dyno
 * calculates the true nearest neighbours, with which it compares the hits, with one filter for all queries.
 */
function checkFilter({ filter }: RecallAsked, path: string): Problem[] {
  if (filter === undefined) return [];
  try {
    const [name] = namesIn(jsonTemplate(filter));
    if (name === undefined) return [];
    const message = `the filter of a knn request draws {{${name}}}, so the true neighbours change with every query`;
    return [
      { code, path, message, found: `{{${name}}}`, allowed: 'a filter without parameters, or recall: 0' },
    ];
  } catch (error) {
    // The check of the request reports this problem.
    if (error instanceof TemplateError) return [];
    throw error;
  }
}
