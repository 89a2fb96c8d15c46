/**
 * Reads the code blocks of a tutorial in Markdown. The first line of a block contains the language and the path of a file, such as `ts
 * server/a.ts`.
 */

export interface CodeBlock {
  /**
   * Language of the block. `diff`: the block contains lines of an existing file, with new lines between them. Any other language: the block
   * is a complete new file.
   */
  language: string;
  file: string;
  text: string;
}

/** Returns the code blocks below a heading, in their order. Blocks without a file are omitted. */
export function codeBlocks(markdown: string, heading: string): CodeBlock[] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`no section "${heading}" exists`);
  return [...section.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
    language: language!,
    file: file!,
    text: text!,
  }));
}

/**
 * Returns the content of the file after the change that the block describes. Throws if the old lines of a `diff` do not occur exactly once
 * in the file.
 */
export function applyBlock(before: string, { language, file, text }: CodeBlock): string {
  if (language !== 'diff') return text;
  const lines = text.trimEnd().split('\n');
  const without = (sign: '+' | '-'): string =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const parts = before.split(without('+'));
  if (parts.length !== 2)
    throw new Error(`${file} does not have exactly once the lines ${JSON.stringify(without('+'))}`);
  return parts.join(without('-'));
}
