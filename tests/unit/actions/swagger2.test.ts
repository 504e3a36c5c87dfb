// Swagger 2 documents are read as the OpenAPI documents that they would be today.
import { readSpec } from '@parley/server/actions/documents/read-spec';
import { readDocument } from '@parley/server/actions/read-document';
import { describe, expect, it } from 'vitest';

const pet = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const document = {
  swagger: '2.0',
  info: { title: 'Old pets', version: '1' },
  host: 'pets.example.com',
  basePath: '/v2',
  schemes: ['http', 'https'],
  consumes: ['application/json'],
  parameters: { page: { name: 'page', in: 'query', type: 'integer', minimum: 1 } },
  definitions: { Pet: pet },
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
      get: { operationId: 'getPet', parameters: [{ $ref: '#/parameters/page' }] },
      put: {
        operationId: 'setPet',
        parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
      },
      post: {
        operationId: 'tellPet',
        consumes: ['application/x-www-form-urlencoded'],
        parameters: [
          { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
          {
            name: 'mood',
            in: 'formData',
            type: 'string',
            enum: ['good', 'bad'],
            required: true,
            description: 'How it is.',
          },
        ],
      },
    },
  },
};

function read(over: object = {}) {
  const found = readDocument({ ...document, ...over });
  if (found.status !== 'valid') throw new Error(`expected a valid document, but it is ${found.status}`);
  return found;
}

describe('a Swagger 2 document', () => {
  it('has its address, its arguments and its bodies', () => {
    const { server, title, operations } = read();
    expect([server, title]).toEqual(['https://pets.example.com/v2', 'Old pets']);
    const id = { type: 'string' };
    expect(operations.map(({ name, parameters, body }) => [name, parameters, body])).toEqual([
      ['getPet', { type: 'object', properties: { id, page: { type: 'integer', minimum: 1 } }, required: ['id'] }, null],
      [
        'setPet',
        { ...pet, properties: { ...pet.properties, id }, required: ['name', 'id'] },
        { type: 'json', isWhole: false },
      ],
      [
        'tellPet',
        {
          type: 'object',
          properties: {
            tags: { type: 'array', items: { type: 'string' } },
            mood: { type: 'string', enum: ['good', 'bad'], description: 'How it is.' },
            id,
          },
          required: ['mood', 'id'],
        },
        { type: 'form', isWhole: false },
      ],
    ]);
  });

  it('may be YAML', async () => {
    const yaml = 'swagger: "2.0"\nhost: api.example.com\npaths: { /a: { get: {} } }';
    expect(await readSpec('alice', yaml)).toMatchObject({ status: 'valid', server: 'https://api.example.com' });
  });

  it('has no address when it has no host', () => {
    expect(readDocument({ ...document, host: undefined }).status).toBe('no_url');
  });

  it('leaves out operations that send files in a form, as others do', () => {
    const upload = { operationId: 'send', parameters: [{ name: 'file', in: 'formData', type: 'file' }] };
    const { operations, warnings } = read({ paths: { ...document.paths, '/files': { post: upload } } });
    expect(operations.map(({ name }) => name)).not.toContain('send');
    expect(warnings).toEqual(['Unsupported content type: POST /files']);
  });
});
