/** Replacement for style sheets in tests. */
export default '';
