/**
 * A remark plugin (for Markdown) that removes the backslash before a pipe in inline code within a table. Within tables, Markdown requires
 * `\|` for a pipe.
 */

interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

function unescape(node: MarkdownNode, inTable: boolean): void {
  if (inTable && node.type === 'inlineCode') node.value = node.value?.replaceAll('\\|', '|');
  for (const child of node.children ?? []) unescape(child, inTable || node.type === 'table');
}

export const plainPipes =
  () =>
  (tree: MarkdownNode): void =>
    unescape(tree, false);
