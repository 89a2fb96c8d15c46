/**
 * Makes the package readable-stream use the streams of Node.js. The package's own modules declare names that Jest also declares in each
 * module, which is a syntax error. Only affects this test file and not the processes that it starts.
 */
process.env['READABLE_STREAM'] = 'disable';
