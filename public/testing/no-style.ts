/** In place of a style sheet, in tests of components. */
export default '';
