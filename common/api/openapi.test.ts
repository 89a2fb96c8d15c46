import { API } from '.';
import { openApiDocument, type OpenApiHost } from './openapi';
import type { RouteShape } from './route';

const host: OpenApiHost = {
  requestHeader: 'x-some-host',
  securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'Somebody' } },
  open: false,
  unauthorised: 'Nobody knows who asks',
  forbidden: 'Refused by this host',
};
const document = openApiDocument('1.2.3', host);
const paths = document.paths as Record<string, Record<string, Record<string, never> | undefined>>;

test.each(Object.entries(API))(
  '%s is in the document, with its parameters, answer and failures',
  (name, own) => {
    const shape: RouteShape = own;
    const operation = paths[shape.path]?.[shape.method.toLowerCase()] as unknown as {
      operationId: string;
      parameters?: { in: string; name: string; required?: boolean }[];
      requestBody?: { required: boolean; content: object };
      responses: Record<string, { content: object }>;
    };
    expect(operation.operationId).toBe(name);
    const parameters = operation.parameters ?? [];
    const named = (place: string): string[] =>
      parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
    expect(named('path')).toEqual([...shape.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    expect(named('query')).toEqual(Object.keys(shape.query?.shape ?? {}));
    expect(named('header')).toEqual(shape.method === 'GET' ? [] : ['x-some-host']);
    expect(operation.requestBody !== undefined).toBe((shape.body ?? shape.upload) !== undefined);
    expect(Object.keys(operation.responses[shape.status ?? 200]!.content)).toEqual(
      {
        json: ['application/json'],
        events: ['text/event-stream'],
        text: [...(shape.contentTypes ?? [])],
        file: [...(shape.contentTypes ?? [])],
      }[shape.answer],
    );
    for (const status of ['400', '401', '403', '500', '502', '503'])
      expect(JSON.stringify(operation.responses[status])).toContain('#/components/schemas/Error');
  },
);

test('contains nothing that the table does not have', () => {
  const operations = Object.values(paths).reduce((sum, item) => sum + Object.keys(item).length, 0);
  expect(operations).toBe(Object.keys(API).length);
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe('1.2.3');
});

test('servers, headers and security schemes come from the host', () => {
  expect(document.info.description).toContain('`x-some-host`');
  expect(document.security).toEqual([{ basic: [] }]);
  expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual(['basic']);
  const text = JSON.stringify(paths['/api/dyno/runs']);
  expect(text).toContain('Refused by this host');
  const open = openApiDocument('1.2.3', { ...host, open: true });
  expect(open.security).toEqual([{}, { basic: [] }]);
});
