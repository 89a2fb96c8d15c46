/** Outside Kibana, what changes something demands it, with any value: no form of another site can send it. */
export const REQUEST_HEADER = 'x-dyno-request';
