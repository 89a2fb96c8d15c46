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

  it('differs from that for Elasticsearch only in the objects whose names may contain dots', () => {
    for (const template of TEMPLATES) {
      const text = JSON.stringify(templateFor('opensearch', template));
      expect(text).not.toContain('subobjects');
      if (template.name !== TRIALS) expect(templateFor('opensearch', template)).toEqual(template);
      expect(templateFor('elasticsearch', template)).toBe(template);
    }
  });
});
