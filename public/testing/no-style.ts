/** Replaces each style sheet in tests. */
export default '';
