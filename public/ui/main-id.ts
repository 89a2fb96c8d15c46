/** Id of the element that the first link in the header jumps to. */
export const MAIN_ID = 'dynoMain';
