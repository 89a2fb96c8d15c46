/** Values of `node.attr.<name>` for the nodes that Dyno starts. */

/**
 * A node attribute with its values: the first node gets the first value, the second node the second value, and so on. After the last value,
 * the list starts over.
 */
export interface NodeAttribute {
  name: string;
  values: readonly string[];
}

/** Parses `index_group=even,odd`; undefined if invalid. */
export function parseAttribute(text: string): NodeAttribute | undefined {
  const [, name, values] = /^([\w.-]+)=([^\s,]+(?:,[^\s,]+)*)$/.exec(text) ?? [];
  return name === undefined || values === undefined ? undefined : { name, values: values.split(',') };
}
