/** Type of the text that the bundles make of a Markdown file (scripts/build-app.mjs). */
declare module '*.md' {
  const text: string;
  export default text;
}
