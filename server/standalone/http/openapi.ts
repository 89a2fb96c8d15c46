/** The sections of the OpenAPI document that are specific to the standalone server. */
import type { OpenApiHost } from '../../../common/api/openapi';
import { REQUEST_HEADER } from '../../../common/api/request-header';

export const STANDALONE: OpenApiHost = {
  requestHeader: REQUEST_HEADER,
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: 'Any user name. Needed if a password is set' },
    bearer: { type: 'http', scheme: 'bearer', description: 'The same password as a token' },
  },
  open: true,
  unauthorised: 'A password is required',
  forbidden: 'Refused: a forged request, or an unknown host name',
};
