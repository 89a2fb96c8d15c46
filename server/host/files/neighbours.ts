/** Where the true neighbours of vectors are kept. */
import path from 'node:path';

/** Beside everything else of Dyno's. */
export const neighboursFolder = (dataFolder: string): string => path.join(dataFolder, 'neighbours');
