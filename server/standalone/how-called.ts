/** Finds out how users call `dyno`: in a checkout of the sources, or from an installed package. */

/** Whether this code is in an installed package instead of a checkout. scripts/build.mjs sets the value; undefined in tests. */
declare const DYNO_IS_PACKAGE: boolean | undefined;

export const isPackage = typeof DYNO_IS_PACKAGE === 'boolean' && DYNO_IS_PACKAGE;

/** Beginning of commands in messages. Users may copy these commands. */
export const COMMAND = isPackage ? 'dyno' : 'npm run dyno --';
