/** Path of the stored exact neighbours of vectors. */
import path from 'node:path';

/** Returns the folder of the exact neighbours in the data folder of Dyno. */
export const neighboursFolder = (dataFolder: string): string => path.join(dataFolder, 'neighbours');
