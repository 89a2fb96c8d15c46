/**
 * A plugin for the Markdown processor remark. In a table, Markdown requires `\|` for a pipe in inline code. The plugin removes this
 * backslash from the displayed code.
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
