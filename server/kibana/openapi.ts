/** Parts of the OpenAPI document that differ between Kibana and the standalone server: those of Kibana. */
import type { OpenApiHost } from '../../common/api/openapi';

export const KIBANA: OpenApiHost = {
  requestHeader: 'kbn-xsrf',
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: 'A user of Kibana' },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`ApiKey` and an API key of Elasticsearch, whose owner may use Dyno',
    },
  },
  // Kibana requires no authentication if the security of Elasticsearch is disabled.
  open: true,
  unauthorised: 'Kibana does not know the user',
  forbidden: 'Refused: the role of the user lacks a privilege',
};
