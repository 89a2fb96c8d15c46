/** Finds out how users call the command: in a checkout, or from an installed package. */

/** Whether this is the installed package and not a checkout. scripts/build.mjs sets the value; undefined in tests. */
declare const DYNO_IS_PACKAGE: boolean | undefined;

export const isPackage = typeof DYNO_IS_PACKAGE === 'boolean' && DYNO_IS_PACKAGE;

/** Prefix of commands in messages that users may copy. */
export const COMMAND = isPackage ? 'dyno' : 'npm run dyno --';
