/** `answer`: a value out of the answer to an earlier request of the same transaction. */
import * as z from 'zod';
import { drawnText } from '../requests/template';
import { defineParameterKind } from './kind';

const PATH_FORM =
  'keys and places from the top of the answer, joined by points, such as hits.hits.0._id; of a list, last is its last';

export const answer = defineParameterKind({
  name: 'answer',
  schema: z.strictObject({
    /**
     * The name of the request whose answer is read; it comes before those that use the value.
     * @example find
     */
    request: z.string().min(1),
    /**
     * Where the value stands in the answer: keys and places from its top; of a list, `last` is its last and `length` its length.
     * @example hits.hits.0._id
     */
    path: z.string().refine((text) => !text.split('.').includes(''), { error: PATH_FORM }),
  }),
  text: 'A value out of the answer to an earlier request of the same transaction. Where that request failed, those that use its value are not sent.',
  first: { request: 'find', path: 'hits.hits.0._id' },
  source: ({ request, path }) => ({ request, path: path.split('.') }),
  // The transaction itself puts the value in; until then any text stands for it.
  drawer: () => () => drawnText('answer'),
});
