/**
 * Name of the header that requests with side effects need outside Kibana, with any value. It protects against forms of other sites, because
 * forms cannot set it.
 */
export const REQUEST_HEADER = 'x-dyno-request';
