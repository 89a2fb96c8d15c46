/** Outside Kibana, requests with side effects need this header, with any value. Forms of other sites cannot send it. */
export const REQUEST_HEADER = 'x-dyno-request';
