/**
 * Extracts the texts in a source file for a prose linter: comments, string literals of at least three words, and the text of JSX elements.
 * Everything else is replaced by spaces, so that each word keeps its line and column.
 */
import ts from 'typescript';

const KINDS = { '.tsx': ts.ScriptKind.TSX, '.ts': ts.ScriptKind.TS };
/** Matches a string of at least three words. A shorter string is probably a name or a key. */
const WORDS = /[A-Za-z][^ ]* +[^ ]+ +[^ ]*[A-Za-z]/;
/** Matches code that is quoted in a text, and links to code. */
const QUOTED = /`[^`]*`|\{@link [^}]*\}/g;

const blank = (text) => text.replace(/[^\n]/g, ' ');
/**
 * Returns the text of a comment. Comment marks become spaces, except the `/**` of a docstring. A rule that checks how docstrings begin
 * needs this mark.
 */
const commentText = (text) =>
  text
    .replace(/\*\/$/, '  ')
    .replace(/^\/\*(?!\*)|^\/\//, '  ')
    .replace(/\n *\*/g, (prefix) => `\n${' '.repeat(prefix.length - 1)}`)
    .replace(QUOTED, blank);

/**
 * Returns the comments and texts in the source code `text`. Everything else becomes spaces. `extension`: extension of the file, with a dot.
 */
export function proseOf(text, extension) {
  const found =
    extension === '.go' ? goRanges(text) : typescriptRanges(text, KINDS[extension] ?? ts.ScriptKind.JS);
  let prose = '';
  let at = 0;
  for (const { from, to, comment } of found.sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    const piece = text.slice(from, to);
    prose += blank(text.slice(at, from)) + (comment ? commentText(piece) : piece.replace(QUOTED, blank));
    at = to;
  }
  return prose + blank(text.slice(at));
}

function typescriptRanges(text, kind) {
  const file = ts.createSourceFile('file', text, ts.ScriptTarget.Latest, true, kind);
  const ranges = [];
  const seen = new Set();
  const addComments = (position) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, position) ?? []) addComment(pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(text, position) ?? []) addComment(pos, end);
  };
  const addComment = (from, to) => {
    if (seen.has(from)) return;
    seen.add(from);
    ranges.push({ from, to, comment: true });
  };
  const addText = (from, to) => {
    if (WORDS.test(text.slice(from, to))) ranges.push({ from, to });
  };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.JsxText) {
      addText(node.pos, node.end);
      return;
    }
    addComments(node.pos);
    addComments(node.end);
    if (ts.isStringLiteral(node) && !ts.isImportDeclaration(node.parent))
      addText(node.getStart(file) + 1, node.end - 1);
    else if (ts.isNoSubstitutionTemplateLiteral(node)) addText(node.getStart(file) + 1, node.end - 1);
    else if (ts.isTemplateExpression(node)) {
      // A template string counts as one sentence. Its values become spaces, and strings inside these values are separate texts.
      if (WORDS.test(node.getText(file).replace(/\$\{[^}]*\}/g, 'x')))
        for (const part of [node.head, ...node.templateSpans.map(({ literal }) => literal)])
          ranges.push({ from: part.getStart(file) + 1, to: part.end - 1 });
    }
    // `getChildren` also returns tokens. They are needed because a comment may precede a bracket.
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return ranges;
}

/** Returns the ranges of strings and line comments in Go code. Line comments on successive lines are one range. */
function goRanges(text) {
  const ranges = [];
  for (const { 0: piece, index } of text.matchAll(
    /(?<=^[ \t]*)\/\/.*(?:\n[ \t]*\/\/.*)*|"(?:[^"\\\n]|\\.)*"/gm,
  )) {
    const comment = piece.startsWith('//');
    if (comment || WORDS.test(piece)) ranges.push({ from: index, to: index + piece.length, comment });
  }
  return ranges;
}
