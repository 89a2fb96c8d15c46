/**
 * `storefront`: products of many online stores, and the searches of their shoppers, modelled on the published benchmark
 * `bigcommerce-tenants`.
 */
import { defineGenerator } from '../generator';
import { all, date, integer, keyword, text } from '../mapping';
import { product } from './products';
import { searchLines } from './searches';

/**
 * Fields of a product. `options` is a nested field, because a facet counts the values of one option: `Red` must belong to `Color` of the
 * same product.
 */
const properties = {
  store_id: integer,
  name: text,
  brand_name: { type: 'text', fields: { keyword } },
  sku: keyword,
  price: { type: 'float' },
  inventory_tracking: keyword,
  inventory_level: integer,
  is_visible: { type: 'boolean' },
  categories: keyword,
  keywords: text,
  options: { type: 'nested', properties: all(keyword, 'name', 'value') },
  date_modified: date,
  description: text,
};

export const storefront = defineGenerator({
  name: 'storefront',
  label: { id: 'dyno.editor.source.storefront', text: 'Products of 7000 stores (storefront)' },
  documentBytes: 840,
  mapping: { properties },
  document: product,
  log: {
    label: {
      id: 'dyno.editor.replay.storefront',
      text: 'A generated log: shoppers of 7000 stores (storefront)',
    },
    types: ['product', 'aggregated'],
    lines: searchLines,
  },
});
