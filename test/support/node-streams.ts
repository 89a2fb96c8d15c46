/**
 * Makes readable-stream export the streams of Node.js. Its own modules declare names that Jest also passes to each module, which is a
 * syntax error. The setting applies only to this test file: processes that a test starts do not inherit it.
 */
process.env['READABLE_STREAM'] = 'disable';
