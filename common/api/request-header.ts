/**
 * Name of the header that every request with side effects must have on the standalone server, with any value. A form of another web site
 * cannot set this header, so the header protects users against forged requests.
 */
export const REQUEST_HEADER = 'x-dyno-request';
