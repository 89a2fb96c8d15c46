/** The node attribute (`node.attr.<name>`) of nodes that Dyno starts. */

/**
 * A node attribute and its values. The first node gets the first value, the second node the second value, and so on. If there are more
 * nodes than values, the list starts over.
 */
export interface NodeAttribute {
  name: string;
  values: readonly string[];
}

/** Parses an attribute such as `index_group=even,odd`. Returns undefined if the text is invalid. */
export function parseAttribute(text: string): NodeAttribute | undefined {
  const [, name, values] = /^([\w.-]+)=([^\s,]+(?:,[^\s,]+)*)$/.exec(text) ?? [];
  return name === undefined || values === undefined ? undefined : { name, values: values.split(',') };
}
