/** `node.attr.<name>` of the nodes that Dyno starts, as it is written. */

/** The first node has the first value, and so on around. */
export interface NodeAttribute {
  name: string;
  values: readonly string[];
}

/** `index_group=even,odd`; undefined where it is none. */
export function parseAttribute(text: string): NodeAttribute | undefined {
  const [, name, values] = /^([\w.-]+)=([^\s,]+(?:,[^\s,]+)*)$/.exec(text) ?? [];
  return name === undefined || values === undefined ? undefined : { name, values: values.split(',') };
}
