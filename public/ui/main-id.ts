/** Id of the element to which the first link in the header jumps. */
export const MAIN_ID = 'dynoMain';
