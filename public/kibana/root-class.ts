/** Class of the app's root element. Styles that undo Kibana's styles use it as their selector. */
export const ROOT_CLASS = 'dynoInKibana';
