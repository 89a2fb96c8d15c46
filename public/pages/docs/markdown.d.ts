/** Type of an imported Markdown file. The bundles contain it as text (scripts/build-app.mjs). */
declare module '*.md' {
  const text: string;
  export default text;
}
