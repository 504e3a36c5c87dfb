// OpenAPI documents with the habits of three well-known APIs. Nothing in them is theirs: the names and sentences are
// made up, the shapes are what makes them hard.

type Schema = Record<string, unknown>;

const nouns = ['account', 'branch', 'channel', 'deploy', 'event', 'folder', 'guild', 'hook', 'invoice', 'job'];
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function document(title: string, paths: Schema, schemas: Schema): Schema {
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: `https://${title}.example/v1` }],
    paths,
    components: { schemas },
  };
}

function body(schema: Schema, type = 'application/json') {
  return { required: true, content: { [type]: { schema } } };
}

/** Types as lists, ids with patterns, unions of references, and schemas that contain themselves. */
export function chatApi(): Schema {
  const id = { type: 'string', pattern: '^(0|[1-9][0-9]*)$', format: 'snowflake' };
  const schemas: Schema = {
    Id: id,
    Component: {
      type: 'object',
      properties: {
        kind: {
          type: 'integer',
          oneOf: [
            { title: 'ROW', const: 1 },
            { title: 'BUTTON', const: 2 },
          ],
          format: 'int32',
        },
        label: { type: ['string', 'null'], maxLength: 80 },
        components: { type: ['array', 'null'], items: { oneOf: [ref('Component'), ref('Select')] }, maxItems: 5 },
      },
      required: ['kind'],
    },
    Select: { type: 'object', properties: { options: { type: 'array', items: ref('Component') } } },
    Permissions: { type: ['integer', 'null'], format: 'int64' },
  };
  const paths = Object.fromEntries(
    nouns.map((noun, n) => [
      `/${noun}s/{${noun}_id}`,
      {
        parameters: [{ name: `${noun}_id`, in: 'path', required: true, schema: ref('Id') }],
        get: {
          operationId: `get_${noun}`,
          parameters: [{ name: 'with_counts', in: 'query', schema: { type: 'boolean' } }],
        },
        patch: {
          operationId: `update_${noun}`,
          description: `Changes the ${noun}. `.repeat(n * 12 + 1),
          requestBody: body({
            type: 'object',
            properties: {
              name: { type: ['string', 'null'], minLength: 1 },
              components: { type: ['array', 'null'], items: { oneOf: [ref('Component'), ref('Select')] } },
              permissions: { oneOf: [{ type: 'null' }, ref('Permissions')] },
              position: { type: 'integer', exclusiveMinimum: true, minimum: 0 },
              flags: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'integer' }, { type: 'null' }] },
            },
          }),
        },
        post: { operationId: `create_${noun}`, requestBody: body({ anyOf: [ref('Component'), ref('Select')] }) },
      },
    ]),
  );
  return document('chat', paths, schemas);
}

/** Bodies as forms, brackets in names, a text or nothing at all, and one object inside of another. */
export function paymentApi(): Schema {
  const nested = (depth: number): Schema =>
    depth === 0
      ? { type: 'string', maxLength: 5000 }
      : {
          type: 'object',
          properties: {
            [`level_${depth}`]: nested(depth - 1),
            enabled: { type: 'boolean' },
            amount: { type: 'integer' },
          },
          required: [`level_${depth}`],
        };
  const nothing = { type: 'string', enum: [''], maxLength: 5000 };
  const paths = Object.fromEntries(
    nouns.map((noun, n) => [
      `/v1/${noun}s`,
      {
        get: {
          operationId: `List${noun}`,
          parameters: [
            {
              name: 'expand[]',
              in: 'query',
              style: 'deepObject',
              schema: { type: 'array', items: { type: 'string' } },
            },
            {
              name: 'created[gte]',
              in: 'query',
              schema: { anyOf: [{ type: 'object', properties: { gt: { type: 'integer' } } }, { type: 'integer' }] },
            },
            { name: 'created[lte]', in: 'query', schema: { type: 'integer', format: 'unix-time' } },
            { name: '$top', in: 'query', schema: { type: 'integer' } },
            { name: 'starting_after', in: 'query', schema: { type: 'string' } },
          ],
        },
        post: {
          operationId: `Post${noun}`,
          requestBody: body(
            {
              type: 'object',
              required: ['amount', 'currency'],
              properties: {
                amount: { type: 'integer' },
                currency: { type: 'string', format: 'currency' },
                metadata: { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, nothing] },
                expand: { type: 'array', items: { type: 'string', maxLength: 5000 } },
                options: nested(n + 1),
                shipping: { anyOf: [nested(3), nothing], 'x-expansionResources': { oneOf: [] } },
                list: { type: 'array' },
              },
            },
            'application/x-www-form-urlencoded',
          ),
        },
      },
    ]),
  );
  return document('payments', paths, {});
}

/** Names with dashes, bodies of which one part or another must be given, and a word for nearly everything. */
export function forgeApi(): Schema {
  const schemas: Schema = {
    Simple: { title: 'Simple', description: 'A simple one', type: 'object', properties: { login: { type: 'string' } } },
    Nullable: { anyOf: [{ type: 'null' }, ref('Simple')], nullable: true },
  };
  const paths = Object.fromEntries(
    nouns.map((noun) => [
      `/repos/{owner}/{repo}/${noun}s/{${noun}-number}`,
      {
        parameters: ['owner', 'repo', `${noun}-number`].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: name.endsWith('number') ? 'integer' : 'string' },
        })),
        get: {
          operationId: `${noun}s/get`,
          parameters: [{ name: 'per-page', in: 'query', schema: { type: 'integer', default: 30 } }],
        },
        put: {
          operationId: `${noun}s/set`,
          requestBody: body({
            type: 'object',
            properties: {
              labels: {
                oneOf: [
                  { type: 'array', items: { type: 'string' } },
                  { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
                ],
              },
              state: { type: 'string', enum: ['open', 'closed'], nullable: true },
              assignee: ref('Nullable'),
              strict: { not: { type: 'null' } },
              all: {
                allOf: [ref('Simple'), { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }],
              },
            },
            anyOf: [{ required: ['labels'] }, { required: ['state'] }],
          }),
        },
        delete: {
          operationId: `${noun}s/remove`,
          requestBody: body({
            oneOf: [
              {
                type: 'object',
                properties: { emails: { type: 'array', items: { type: 'string' } } },
                required: ['emails'],
              },
              { type: 'array', items: { type: 'string' } },
              { type: 'string' },
            ],
          }),
        },
      },
    ]),
  );
  return document('forge', paths, schemas);
}
