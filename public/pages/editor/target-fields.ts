/** Names that requests of a definition may use: fields of the existing data, or of the documents that a trial creates. */
import { useMemo } from 'react';
import { LOCAL_TARGET } from '../../../common/api/targets';
import { EXISTING_NAMES } from '../../../common/elasticsearch/existing-names';
import { MAPPINGS_BY_NAME } from '../../../common/generators/registry';
import { kindOf } from '../../../common/tasks/registry';
import { usePrivilege } from '../../app/context';
import { useApi } from '../../api/queries';
import { asList, asRecord, asText } from './form/context';
import type { Known } from './yaml/completions';

export type Field = Known['fields'][number];

/** Maximum nesting depth of a mapping's objects. Fields that are nested more deeply are ignored. */
const MOST_LEVELS = 20;

/** Returns the fields of a mapping, including multi-fields. */
export function fieldsOfMapping(mapping: unknown, above = '', level = 0): Field[] {
  if (level > MOST_LEVELS) return [];
  return Object.entries(asRecord(asRecord(mapping)['properties'])).flatMap(([key, given]) => {
    const name = above === '' ? key : `${above}.${key}`;
    const { type, fields, properties } = asRecord(given);
    const several = Object.entries(asRecord(fields)).map(([own, one]) => ({
      name: `${name}.${own}`,
      type: asText(asRecord(one)['type']),
    }));
    const below = fieldsOfMapping({ properties }, name, level + 1);
    return [...(properties === undefined ? [{ name, type: asText(type) }] : []), ...several, ...below];
  });
}

const named = (name: string): unknown => (MAPPINGS_BY_NAME as Readonly<Record<string, unknown>>)[name];

/**
 * Returns the fields of the documents that trials create. Only the mapping and the generators in the definition are known, so fields of
 * documents from files may be missing.
 */
export function fieldsToMake(values: Record<string, unknown>): Field[] {
  const { mapping } = asRecord(values['index']);
  const written = typeof mapping === 'string' ? named(mapping) : mapping;
  const generated = asList(values['tasks']).flatMap((task) => {
    const { source } = asRecord(asRecord(task)['ingest']);
    return fieldsOfMapping(named(asText(asRecord(source)['generator'])));
  });
  const all = [...fieldsOfMapping(written), ...(written === undefined ? generated : [])];
  return [...new Map(all.map((field) => [field.name, field])).values()];
}

/** Returns the names of all parameters (placeholders in requests) that tasks of the definition define. */
function parametersOf(values: Record<string, unknown>): string[] {
  const all = asList(values['tasks']).flatMap((task) => {
    const given = asRecord(task);
    return Object.keys(asRecord(asRecord(given[kindOf(given)])['parameters']));
  });
  return [...new Set(all)];
}

/**
 * Returns the names that requests may use: fields and parameters. If the definition uses an existing index, its fields are requested from
 * the target.
 */
export function useKnown(values: Record<string, unknown>): Known {
  const existing = asText(asRecord(values['index'])['existing']);
  const isThere = EXISTING_NAMES.test(existing);
  const id = values['target'] === undefined ? LOCAL_TARGET : asText(values['target']);
  const enabled = usePrivilege('manage') && isThere && id !== '';
  const { data } = useApi('listTargetFields', { params: { id }, query: { index: existing } }, { enabled });
  return useMemo(
    () => ({
      fields: isThere ? (data?.fields ?? []) : fieldsToMake(values),
      parameters: parametersOf(values),
    }),
    [isThere, data, values],
  );
}
