/** The code blocks of a walk-through in Markdown: each says behind its language which file it is of. */

export interface CodeBlock {
  /** `diff`: lines of a file that is there, and what is added between them. Anything else: the whole of a new file. */
  language: string;
  file: string;
  text: string;
}

/** Those of the section with this heading, in their order; blocks without a file are left out. */
export function codeBlocks(markdown: string, heading: string): CodeBlock[] {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no section "${heading}"`);
  return [...section.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
    language: language!,
    file: file!,
    text: text!,
  }));
}

/** The file with the block in it; throws where the lines of a `diff` are not found once. */
export function applyBlock(before: string, { language, file, text }: CodeBlock): string {
  if (language !== 'diff') return text;
  const lines = text.trimEnd().split('\n');
  const without = (sign: '+' | '-'): string =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const parts = before.split(without('+'));
  if (parts.length !== 2) throw new Error(`${file} has not once the lines ${JSON.stringify(without('+'))}`);
  return parts.join(without('-'));
}
