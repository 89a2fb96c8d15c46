/** A plugin of remark: code in a table shows `rises|falls` as it is, where the file has to write the pipe as `\\|`. */

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
