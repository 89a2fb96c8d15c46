/** As the bundles take it (scripts/build-app.mjs). */
declare module '*.md' {
  const text: string;
  export default text;
}
