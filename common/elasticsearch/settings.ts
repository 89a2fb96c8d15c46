/** Settings of an index or a cluster, as Elasticsearch takes them: nested or dotted, with or without the leading `index.`. */

/** The name without the leading `index.`, by which two spellings of a setting are one. */
export const settingName = (name: string): string => name.replace(/^index\./, '');

/** Settings as one level of dotted names without the leading `index.`, lists and values untouched. */
export function flattenSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const visit = (value: unknown, prefix: string): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value))
        visit(inner, prefix === '' ? key : `${prefix}.${key}`);
    } else {
      flat[settingName(prefix)] = value;
    }
  };
  visit(settings, '');
  return flat;
}
