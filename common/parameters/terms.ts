/** `terms`: values that a field of the target's documents has, as they are found there before each trial's load. */
import * as z from 'zod';
import { count } from '../fields/schema';
import { drawnText } from '../requests/template';
import { defineParameterKind } from './kind';

export const terms = defineParameterKind({
  name: 'terms',
  schema: z.strictObject({
    /**
     * The field: keyword, a number, a date, a boolean or an IP address.
     * @example user.id
     */
    field: z.string().min(1),
    /** How many terms at most: the most frequent ones. */
    size: count(1, 10_000).default(1000),
    /** `frequency`: as often as documents have them. `even`: all equally likely. */
    by: z.enum(['frequency', 'even']).default('frequency'),
  }),
  text: 'The values that a field of the indices has, looked up before each trial’s load, when everything is loaded that is loaded beforehand.',
  first: { field: 'user.id' },
  lookUp: ({ field, size }) => ({ what: 'terms', field, size }),
  found: ({ by }, { terms: found }) =>
    by === 'even'
      ? { values: found.map(({ value }) => value) }
      : { weighted: found.map(({ value, documents }) => ({ value, weight: documents })) },
  drawer: () => () => drawnText('term'),
});
