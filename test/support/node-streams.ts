/**
 * Makes the package readable-stream use the streams of Node.js. Jest cannot load the modules of readable-stream, because they declare names
 * that Jest also declares. Does not affect processes that a test file starts.
 */
process.env['READABLE_STREAM'] = 'disable';
