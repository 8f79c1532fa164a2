import { describe, expect, it } from 'vitest';
import { asOpenApi30 } from './as-openapi-3-0.ts';
import { asSchema30 } from './as-schema-3-0.ts';

const ROW = '#/components/schemas/Row';

describe('schemas of OpenAPI 3.0', () => {
  it.each([
    ['a number or null', { type: ['number', 'null'] }, { type: 'number', nullable: true }],
    [
      'text, a number or null',
      { type: ['string', 'number', 'null'] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'number', nullable: true },
        ],
      },
    ],
    ['a constant', { type: 'string', const: 'fired' }, { type: 'string', enum: ['fired'] }],
    [
      'above a bound',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
    [
      'a list',
      { type: 'array', items: { type: ['string', 'null'] } },
      { type: 'array', items: { type: 'string', nullable: true } },
    ],
    ['a reference', { $ref: ROW }, { $ref: ROW }],
    ['one with words', { $ref: ROW, description: 'A row' }, { description: 'A row', allOf: [{ $ref: ROW }] }],
    [
      'one that may be null',
      { description: 'A row', oneOf: [{ $ref: ROW }, { type: 'null' }] },
      { description: 'A row', allOf: [{ $ref: `${ROW}OrNull` }] },
    ],
    [
      'alternatives',
      { oneOf: [{ $ref: ROW }, { type: 'object' }] },
      { oneOf: [{ $ref: ROW }, { type: 'object' }] },
    ],
  ])('%s: as 3.0 writes it', (_, schema, as30) => {
    expect(asSchema30(schema)).toEqual(as30);
  });
});

describe('a document of OpenAPI 3.0', () => {
  const row = { type: 'object', properties: { rate: { type: ['number', 'null'] } } };
  const document = asOpenApi30({
    openapi: '3.1.0',
    info: { title: 'A', summary: 'Short', description: 'Long', license: { name: 'MIT', identifier: 'MIT' } },
    paths: {
      '/a': {
        get: { schema: { oneOf: [{ $ref: ROW }, { type: 'null' }] }, example: { schema: { const: 1 } } },
      },
    },
    components: {
      schemas: { Row: row, Unused: row },
      headers: { H: { schema: { type: 'string', const: 'x' } } },
    },
  });

  it('what is referred to and may be null: a schema of its own', () => {
    expect(document.components).toEqual({
      schemas: {
        RowOrNull: {
          type: 'object',
          properties: { rate: { type: 'number', nullable: true } },
          nullable: true,
        },
      },
      headers: { H: { schema: { type: 'string', enum: ['x'] } } },
    });
  });

  it('examples: data, which is left as it is', () => {
    expect(document.paths).toEqual({
      '/a': { get: { schema: { $ref: `${ROW}OrNull` }, example: { schema: { const: 1 } } } },
    });
  });

  it('its summary: the first line of its description', () => {
    expect(document.info).toEqual({
      title: 'A',
      description: 'Short\n\nLong',
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    });
  });
});
