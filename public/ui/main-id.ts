/** The id of the part of a page that the header's first link leads to. */
export const MAIN_ID = 'dynoMain';
