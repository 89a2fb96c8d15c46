/** Style sheets are imported as text: see the bundler's `loader` in scripts/build-app.mjs. */
declare module '*.css' {
  const text: string;
  export default text;
}
