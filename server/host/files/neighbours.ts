/** Location of the exact nearest neighbours that Dyno has computed for vector searches and stored. */
import path from 'node:path';

/** Returns the path of the folder with the stored exact neighbours. It is in Dyno's data folder. */
export const neighboursFolder = (dataFolder: string): string => path.join(dataFolder, 'neighbours');
