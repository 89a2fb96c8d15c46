/** Reads the code blocks of a walk-through in Markdown. In each block, the path of its file follows the name of its language. */

export interface CodeBlock {
  /** Language of the block. `diff`: lines of an existing file, with new lines between them. Any other language: a complete new file. */
  language: string;
  file: string;
  text: string;
}

/** Returns the blocks of the section with this heading, in their order, without those that have no file. */
export function codeBlocks(markdown: string, heading: string): CodeBlock[] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`no section "${heading}" exists`);
  return [...section.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
    language: language!,
    file: file!,
    text: text!,
  }));
}

/** Returns the file with the block applied. Throws if the lines of a `diff` do not occur exactly once. */
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
