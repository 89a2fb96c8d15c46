/**
 * Makes the package readable-stream use the streams of Node.js. The modules of readable-stream cannot be loaded in Jest, because they
 * declare names that Jest also declares. Does not affect processes that a test file starts.
 */
process.env['READABLE_STREAM'] = 'disable';
