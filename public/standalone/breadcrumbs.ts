/** Where the user is, from the page to the header. */
import type { Breadcrumb } from '../app/host';
import { settable } from './changing';

export const breadcrumbs = settable<readonly Breadcrumb[]>([]);
