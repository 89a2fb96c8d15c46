/** `answer`: takes a value from the response to an earlier request of the same transaction. */
import * as z from 'zod';
import { drawnText } from '../requests/template';
import { defineParameterKind } from './kind';

const PATH_FORM =
  'keys and positions from the top of the answer, separated by dots, such as hits.hits.0._id; in a list, last is the last element';

export const answer = defineParameterKind({
  name: 'answer',
  schema: z.strictObject({
    /**
     * Name of the request whose answer contains the value. It must come before the requests that use the value.
     * @example find
     */
    request: z.string().min(1),
    /**
     * Path of the value: keys and positions from the top of the answer. For a list, the path can contain `last` (the last element) and
     * `length` (the number of elements).
     * @example hits.hits.0._id
     */
    path: z.string().refine((text) => !text.split('.').includes(''), { error: PATH_FORM }),
  }),
  text: 'A value from the answer to an earlier request of the same transaction. If the earlier request fails, the requests that use the value are not sent.',
  first: { request: 'find', path: 'hits.hits.0._id' },
  source: ({ request, path }) => ({ request, path: path.split('.') }),
  // Returns a placeholder. The transaction inserts the real value when the answer has arrived.
  drawer: () => () => drawnText('answer'),
});
