import { TEMPLATES, templateFor } from '../templates';
import { TRIALS } from '../stored';
import { mappingForOpenSearch } from './opensearch';

describe('a mapping for OpenSearch', () => {
  it('contains no subobjects at any depth, and leaves everything else unchanged', () => {
    const keyword = { type: 'keyword' };
    expect(
      mappingForOpenSearch({
        dynamic: 'strict',
        properties: {
          id: keyword,
          factors: { type: 'object', subobjects: false, dynamic: true },
          inner: {
            properties: { figures: { subobjects: false, properties: { 'a.b': keyword } }, id: keyword },
          },
        },
      }),
    ).toEqual({
      dynamic: 'strict',
      properties: {
        id: keyword,
        factors: { type: 'flat_object' },
        inner: { properties: { figures: { type: 'flat_object' }, id: keyword } },
      },
    });
  });

  it('differs from that for Elasticsearch only in trials, whose objects have names with dots', () => {
    const different = TEMPLATES.filter(
      (template) => JSON.stringify(templateFor('opensearch', template)) !== JSON.stringify(template),
    );
    expect(different.map(({ name }) => name)).toEqual([TRIALS]);
    expect(JSON.stringify(templateFor('opensearch', different[0]!))).not.toContain('subobjects');
    for (const template of TEMPLATES) expect(templateFor('elasticsearch', template)).toBe(template);
  });
});
