/**
 * A remark plugin that removes the backslash before a pipe in code within a table. The file must contain `rises\|falls` there to show
 * `rises|falls`.
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
