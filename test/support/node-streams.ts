/**
 * Lets readable-stream export the streams of Node.js. Its own modules declare names that Jest passes to each module, which is a syntax
 * error. This changes only the environment variables of the test file: a process that a test starts does not inherit it.
 */
process.env['READABLE_STREAM'] = 'disable';
