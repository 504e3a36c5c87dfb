// OpenAPI documents: what is read of them, and that hostile ones are refused.
import { SPEC_BYTES_MAX, SPEC_LISTED_MAX, SPEC_OPERATIONS_MAX } from '@parley/schema/assistants/actions';
import { readSpec } from '@parley/server/actions/documents/read-spec';
import { listDocument, readDocument, type Choice } from '@parley/server/actions/read-document';
import { openApiDocument } from '@parley/scripts/fake-tools/openapi';
import { describe, expect, it } from 'vitest';

const servers = [{ url: 'https://api.example.com/v1/' }];
const get = (operation: object = {}) => ({ get: { operationId: 'look', ...operation } });
const document = (over: object = {}) => ({ openapi: '3.1.0', servers, paths: { '/a': get() }, ...over });

function valid(given: Record<string, unknown>) {
  const read = readDocument(given);
  if (read.status !== 'valid') throw new Error(`expected a valid document, but it is ${read.status}`);
  return read;
}

/** The schema of one argument of the only operation. */
function schemaIn(schema: unknown, over: object = {}) {
  const parameters = [{ name: 'x', in: 'query', schema }];
  const { operations, warnings } = valid(document({ paths: { '/a': get({ parameters }) }, ...over }));
  const { properties } = (operations[0]?.parameters ?? {}) as { properties?: Record<string, unknown> };
  return { schema: properties?.x, warnings };
}

describe('a document', () => {
  it('is read with its domain, title, and operations in their order', () => {
    const read = valid(openApiDocument('https://pets.example.com'));
    expect(read).toMatchObject({ domain: 'pets.example.com', title: 'Pets', server: 'https://pets.example.com' });
    expect(read.warnings).toEqual([]);
    expect(listDocument(openApiDocument('https://pets.example.com')).operations.slice(0, 5)).toMatchObject([
      { name: 'listPets', method: 'get', path: '/pets' },
      { name: 'addPet', method: 'post', path: '/pets' },
      { name: 'getPet', method: 'get', path: '/pets/{petId}' },
      { name: 'replacePet', method: 'put', path: '/pets/{petId}' },
      { name: 'removePet', method: 'delete', path: '/pets/{petId}' },
    ]);
  });

  it('means the same in YAML as in JSON', async () => {
    const yaml = [
      'openapi: 3.0.0',
      'servers: [{ url: https://api.example.com }]',
      'paths:',
      '  /weather/{city}:',
      '    get:',
      '      summary: The weather',
      '      parameters:',
      '        - { name: city, in: path, required: true, schema: { type: string } }',
    ].join('\n');
    expect(await readSpec('alice', yaml)).toEqual({
      status: 'valid',
      domain: 'api.example.com',
      title: '',
      server: 'https://api.example.com',
      warnings: [],
      operations: [
        {
          name: 'get_weathercity',
          method: 'get',
          path: '/weather/{city}',
          description: 'The weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          pathArguments: ['city'],
          queryArguments: [],
          headerArguments: [],
          body: null,
        },
      ],
    });
  });

  it.each([
    ['nothing', '', 'unreadable'],
    ['no map', '"text"', 'unreadable'],
    ['a list', '[1]', 'unreadable'],
    ['neither JSON nor YAML', '{"openapi": ', 'unreadable'],
    ['no servers', JSON.stringify(document({ servers: undefined })), 'no_url'],
    ['an empty list of servers', JSON.stringify(document({ servers: [] })), 'no_url'],
    ['a server without address', JSON.stringify(document({ servers: [{}] })), 'no_url'],
    ['a relative server', JSON.stringify(document({ servers: [{ url: '/v1' }] })), 'no_url'],
    ['another protocol', JSON.stringify(document({ servers: [{ url: 'ftp://example.com' }] })), 'no_url'],
    ['a server with a query', JSON.stringify(document({ servers: [{ url: 'https://example.com/?a=1' }] })), 'no_url'],
    ['a server with a password', JSON.stringify(document({ servers: [{ url: 'https://a:b@example.com' }] })), 'no_url'],
    ['no paths', JSON.stringify(document({ paths: undefined })), 'no_paths'],
    ['empty paths', JSON.stringify(document({ paths: {} })), 'no_paths'],
    ['paths without operations', JSON.stringify(document({ paths: { '/a': { head: {} } } })), 'no_paths'],
  ])('with %s is refused', async (_what, text, status) => {
    expect((await readSpec('alice', text)).status).toBe(status);
  });

  it('may have variables in its server, which have defaults', () => {
    const url = 'https://{region}.example.com/{base}';
    const variables = { region: { default: 'eu' }, base: { default: 'v2' } };
    expect(valid(document({ servers: [{ url, variables }] })).server).toBe('https://eu.example.com/v2');
  });

  it('warns of methods that are not called, and of bodies that cannot be sent', () => {
    const upload = { requestBody: { content: { 'multipart/form-data': { schema: {} } } } };
    const read = valid(document({ paths: { '/a': { ...get(), trace: {}, post: upload } } }));
    expect(read.operations).toHaveLength(1);
    expect(read.warnings).toEqual(['Unsupported HTTP method: TRACE /a', 'Unsupported content type: POST /a']);
  });

  it('gives each operation a name of its own', () => {
    const paths = { '/a': get({ operationId: 'same' }), '/b': get({ operationId: 'sa.me' }) };
    expect(valid(document({ paths })).operations.map(({ name }) => name)).toEqual(['same', 'same_2']);
  });
});

/** A document of so many operations, `look0`, `look1` ... */
function many(count: number, over: (n: number) => object = () => ({})) {
  const paths = Array.from({ length: count }, (_, n) => [`/${n}`, get({ operationId: `look${n}`, ...over(n) })]);
  return document({ paths: Object.fromEntries(paths) });
}

/** An operation whose schema is half of what a document may have. */
const large = () => {
  const values = Array.from({ length: 500 }, (_, n) => `${n}`.padEnd(190, 'x'));
  return {
    parameters: Array.from({ length: 5 }, (_, n) => ({ name: `x${n}`, in: 'query', schema: { enum: values } })),
  };
};

describe('the operations of a document', () => {
  const namesOn = (given: Record<string, unknown>, chosen: Choice | null) => {
    const read = readDocument(given, chosen);
    return read.status === 'valid' ? read.operations.map(({ name }) => name) : read.status;
  };

  it('are all listed, with the beginning of what they do', () => {
    const { operations, warnings } = listDocument(many(340, (n) => ({ summary: `Looks at ${n}`.padEnd(300, '.') })));
    expect(operations).toHaveLength(340);
    expect(operations[339]).toMatchObject({ name: 'look339', method: 'get', path: '/339' });
    expect(operations[339]?.summary).toMatch(/^Looks at 339\./);
    expect(operations[339]?.summary.length).toBeLessThanOrEqual(200);
    expect(warnings).toEqual([]);
  });

  it('are left out of the list beyond the first thousands, and the list says so', () => {
    const { operations, warnings } = listDocument(many(SPEC_LISTED_MAX + 1));
    expect(operations).toHaveLength(SPEC_LISTED_MAX);
    expect(warnings).toEqual(['The document has more than 5000 operations. The first 5000 are listed']);
  });

  it('are on by their names, in the order of the document', () => {
    expect(namesOn(many(340), { names: ['look200', 'look3', 'gone'], orAll: false })).toEqual(['look3', 'look200']);
  });

  it('are refused where none of the chosen ones is there, and all on where a former choice has ended', () => {
    expect(namesOn(many(2), { names: ['gone'], orAll: false })).toBe('no_operations');
    expect(namesOn(many(2), { names: [], orAll: false })).toBe('no_operations');
    expect(namesOn(many(2), { names: ['gone'], orAll: true })).toEqual(['look0', 'look1']);
  });

  it('can be chosen one by one when they are too large together', () => {
    const given = many(3, large);
    expect(namesOn(given, null)).toBe('too_complex');
    expect(namesOn(given, { names: ['look1'], orAll: false })).toEqual(['look1']);
    expect(listDocument(given)).toMatchObject({
      status: 'valid',
      operations: [{ name: 'look0' }, { name: 'look1' }, { name: 'look2' }],
      warnings: ['The schemas of these 3 operations are too large together. Switch some of them off'],
    });
    expect(listDocument(given, { names: ['look1'], orAll: true }).warnings).toEqual([]);
  });
});

describe('the arguments of an operation', () => {
  const body = (schema: object, type = 'application/json') => ({ content: { [type]: { schema } } });
  const operationOf = (method: string, operation: object, path = '/a') =>
    valid(document({ paths: { [path]: { [method]: operation } } })).operations[0];

  it('are its body alone where it has nothing else', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    expect(operationOf('post', { requestBody: body(schema) })).toMatchObject({
      parameters: schema,
      body: { type: 'json', isWhole: false },
    });
  });

  it('are body and parameters together where it has both', () => {
    const parameters = [{ name: 'id', in: 'path', schema: { type: 'string' } }];
    const requestBody = body({ type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] });
    expect(operationOf('put', { parameters, requestBody }, '/a/{id}')).toMatchObject({
      parameters: {
        type: 'object',
        properties: { a: { type: 'integer' }, id: { type: 'string' } },
        required: ['a', 'id'],
      },
      pathArguments: ['id'],
    });
  });

  it('has a body that is no object as the argument body', () => {
    const requestBody = { ...body({ type: 'array', items: { type: 'string' } }), required: true };
    expect(operationOf('post', { requestBody })).toMatchObject({
      parameters: { properties: { body: { type: 'array', items: { type: 'string' } } }, required: ['body'] },
      body: { type: 'json', isWhole: true },
    });
  });

  it('are sent as a form where that is all that is taken', () => {
    const requestBody = body({ type: 'object' }, 'application/x-www-form-urlencoded');
    expect(operationOf('post', { requestBody })?.body).toEqual({ type: 'form', isWhole: false });
  });

  it('are never headers of the connection or of ours', () => {
    const names = ['X-Trace', 'Host', 'Authorization', 'Cookie', 'Content-Length', 'Idempotency-Key', 'a\r\nb'];
    const parameters = names.map((name) => ({ name, in: 'header', schema: { type: 'string' } }));
    expect(operationOf('get', { parameters })?.headerArguments).toEqual(['X-Trace']);
  });
});

describe('a schema', () => {
  it('has no pattern, wherever it stands, but keeps a field of that name', () => {
    const { schema } = schemaIn({
      type: 'object',
      pattern: 'a',
      properties: { pattern: { type: 'string', pattern: '^(a+)+$' } },
      patternProperties: { '^(a+)+$': { type: 'string' } },
    });
    expect(schema).toEqual({ type: 'object', properties: { pattern: { type: 'string' } } });
  });

  it('is converted from OpenAPI 3.0 to 3.1', () => {
    const given = { type: 'integer', nullable: true, minimum: 1, exclusiveMinimum: true, example: 7, enum: [7, 8] };
    expect(schemaIn(given).schema).toEqual({
      type: ['integer', 'null'],
      minimum: 1,
      exclusiveMinimum: 1,
      examples: [7],
      enum: [7, 8, null],
    });
  });

  it('merges several objects into one', () => {
    const components = { schemas: { Base: { type: 'object', properties: { a: {} }, required: ['a'] } } };
    const allOf = [{ $ref: '#/components/schemas/Base' }, { properties: { b: {} }, required: ['b'] }];
    expect(schemaIn({ allOf }, { components }).schema).toEqual({
      type: 'object',
      properties: { a: {}, b: {} },
      required: ['a', 'b'],
    });
  });

  it('is empty, with a warning, when it is not found', () => {
    const found = schemaIn({ type: 'array', items: { $ref: '#/components/schemas/Pet' } });
    expect(found.schema).toEqual({ type: 'array', items: {} });
    expect(found.warnings).toEqual(['Reference #/components/schemas/Pet not found']);
  });

  it.each(['https://elsewhere.example/pet.json#/Pet', 'pet.yaml', '#/constructor', '#/__proto__/toString', '#'])(
    'elsewhere is not looked for: %s',
    ($ref) => expect(schemaIn({ $ref })).toEqual({ schema: {}, warnings: [`Reference ${$ref} not found`] }),
  );

  it('is found by a pointer with escapes', () => {
    const components = { 'a/b': { 'c~d e': { type: 'string' } } };
    expect(schemaIn({ $ref: '#/components/a~1b/c~0d%20e' }, { components }).schema).toEqual({ type: 'string' });
  });

  it('ends where it contains itself', () => {
    const Pet = { type: 'object', properties: { parent: { $ref: '#/components/schemas/Pet' } } };
    const { schema } = schemaIn({ $ref: '#/components/schemas/Pet' }, { components: { schemas: { Pet } } });
    expect(schema).toEqual({ type: 'object', properties: { parent: {} } });
  });

  it('is empty when it is only a reference to itself', () => {
    const schemas = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    expect(schemaIn({ $ref: '#/components/schemas/A' }, { components: { schemas } }).schema).toEqual({});
  });
});

describe('a hostile document', () => {
  it('is refused before it is parsed when it is too long', async () => {
    expect((await readSpec('alice', ' '.repeat(SPEC_BYTES_MAX + 1))).status).toBe('too_long');
  });

  it('keeps its first operations when it has too many, and says so', () => {
    const paths = Object.fromEntries(Array.from({ length: SPEC_OPERATIONS_MAX + 20 }, (_, n) => [`/${n}`, get()]));
    const { operations, warnings } = valid(document({ paths }));
    expect(operations).toHaveLength(SPEC_OPERATIONS_MAX);
    expect(warnings).toEqual(['The document has more than 100 operations. The first 100 are used']);
  });

  it.each([
    [{ asyncapi: '2.0' }, 'This is an AsyncAPI document, not an OpenAPI document'],
    [{ info: { _postman_id: 'x' }, item: [] }, 'This is a Postman collection, not an OpenAPI document'],
    [{ data: { __schema: {} } }, 'This is a GraphQL schema, not an OpenAPI document'],
  ])('of another kind is called what it is: %j', (other, sentence) => {
    expect(readDocument(other)).toEqual({ status: 'no_url', warnings: [sentence] });
  });

  it('is refused when its references multiply to 9 to the power of 30', () => {
    const refs = (to: number) =>
      Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}`, { $ref: `#/components/schemas/S${to}` }]));
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`S${n}`, { type: 'object', properties: refs(n + 1) }]),
    );
    const parameters = [{ name: 'x', in: 'query', schema: { $ref: '#/components/schemas/S0' } }];
    const given = document({ paths: { '/a': get({ parameters }) }, components: { schemas } });
    expect(readDocument(given).status).toBe('too_complex');
  });

  it('is refused when its references repeat a long text', () => {
    const schemas = { Long: { enum: Array.from({ length: 500 }, (_, n) => `${n}`.padEnd(190, 'x')) } };
    const parameters = Array.from({ length: 50 }, (_, n) => ({
      name: `x${n}`,
      in: 'query',
      schema: { $ref: '#/components/schemas/Long' },
    }));
    const given = document({ paths: { '/a': get({ parameters }) }, components: { schemas } });
    expect(readDocument(given).status).toBe('too_complex');
  });

  it('is cut when it is nested deeper than any schema', async () => {
    const deep = `${'{"type":"array","items":'.repeat(5_000)}{}${'}'.repeat(5_000)}`;
    const text = JSON.stringify(document({ paths: { '/a': get({ parameters: [{ name: 'x', in: 'query' }] }) } }));
    const read = await readSpec('alice', text.replace('"in":"query"', `"in":"query","schema":${deep}`));
    expect(read.status).toBe('valid');
    expect(JSON.stringify(read).match(/items/g)?.length).toBeLessThan(40);
  });

  it.each([
    ['aliases that multiply', `a: &a [x]\n${letters((one, before) => `${one}: &${one} [${`*${before},`.repeat(9)}]`)}`],
    ['an alias of itself', 'a: &a [*a]'],
    ['brackets without end', '['.repeat(100_000)],
    ['errors without end', ': - }'.repeat(10_000)],
  ])('of YAML is refused: %s', async (_what, yaml) => {
    const rest = 'servers: [{ url: https://api.example.com }]\npaths: { /a: { get: {} } }\n';
    expect((await readSpec('alice', `${rest}${yaml}\n`)).status).toBe('unreadable');
    expect((await readSpec('alice', rest)).status).toBe('valid');
  });

  it('cannot change what all objects have', async () => {
    const text = JSON.stringify(document()).replace('"openapi"', '"__proto__":{"polluted":1},"openapi"');
    const schema = '{"type":"object","properties":{"__proto__":{"type":"string"}}}';
    const parameters = `"parameters":[{"name":"x","in":"query","schema":${schema}}],"operationId"`;
    expect((await readSpec('alice', text.replace('"operationId"', parameters))).status).toBe('valid');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

/** A line for each letter from b to j. */
function letters(line: (one: string, before: string) => string): string {
  const all = [...'abcdefghij'];
  return all
    .slice(1)
    .map((one, n) => line(one, all[n] ?? ''))
    .join('\n');
}
