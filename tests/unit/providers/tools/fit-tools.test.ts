// How single schemas and names are written for a protocol; `foreign-tools.test.ts` has the rules of the services.
import { refusedByGoogle } from '@parley/scripts/fake-provider/tools/refused-tools';
import type { ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '@parley/server/generation/delta';
import type { Provider } from '@parley/server/providers/provider';
import { toolDialects } from '@parley/server/providers/tools/dialects';
import { fitTools } from '@parley/server/providers/tools/fit-tools';
import { withFittedTools } from '@parley/server/providers/tools/with-fitted-tools';
import type { JsonSchema, ToolSpec } from '@parley/server/providers/tool-spec';
import { describe, expect, it } from 'vitest';

const { openAI, anthropic, google, compatible } = toolDialects;

function tool(parameters: JsonSchema, over: Partial<ToolSpec> = {}): ToolSpec {
  return { name: 'tool', description: 'A tool.', parameters, ...over };
}

function fitted(parameters: JsonSchema, dialect = openAI) {
  return fitTools([tool(parameters)], dialect).specs[0]?.parameters;
}

const text = { type: 'string' };
const properties = { a: text, b: { type: 'integer' } };

describe('a schema', () => {
  it('stays as it is when every protocol takes it', () => {
    const plain = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false };
    for (const dialect of [openAI, anthropic, google, compatible]) expect(fitted(plain, dialect)).toEqual(plain);
  });

  it('becomes one object when it has forms at its top, with the properties of all and what all require', () => {
    const anyOf = [
      { properties: { id: text, by: text }, required: ['id', 'by'] },
      { properties: { name: text, by: { type: 'null' } }, required: ['name', 'by'] },
    ];
    expect(fitted({ type: 'object', properties, anyOf })).toEqual({
      type: 'object',
      properties: { ...properties, id: text, name: text, by: { anyOf: [text, { type: 'null' }] } },
      required: ['by'],
    });
  });

  it("says in its tool's description that one part or another is required", () => {
    const oneOf = [{ required: ['a'] }, { required: ['b', 'c'] }];
    const [spec] = fitTools([tool({ type: 'object', properties, oneOf })], openAI).specs;
    expect(spec?.description).toBe('A tool.\nGive exactly one of: a; b and c.');
    expect(spec?.parameters).toEqual({ type: 'object', properties });
  });

  it('has its references in place, and ends where it contains itself', () => {
    const $defs = { node: { type: 'object', properties: { name: text, next: { $ref: '#/$defs/node' } } } };
    expect(
      fitted({ type: 'object', properties: { first: { $ref: '#/$defs/node', description: 'One.' } }, $defs }),
    ).toEqual({
      type: 'object',
      properties: { first: { type: 'object', description: 'One.', properties: { name: text, next: {} } } },
    });
  });

  it('keeps its upper part when it is larger than a tool may be', () => {
    const wide = (depth: number): JsonSchema =>
      depth === 0
        ? text
        : { type: 'object', properties: Object.fromEntries('abcdef'.split('').map((name) => [name, wide(depth - 1)])) };
    const schema = fitted(wide(5));
    expect(JSON.stringify(schema).length).toBeLessThan(32_000);
    expect(schema).toMatchObject({ properties: { a: { properties: { b: { type: 'object' } } } } });
  });

  it('is upgraded from an older draft or from OpenAPI', () => {
    const old = { n: { type: 'integer', minimum: 0, exclusiveMinimum: true }, s: { type: 'string', nullable: true } };
    expect(fitted({ type: 'object', properties: { ...old, list: { type: 'array' }, odd: { type: 'any' } } })).toEqual({
      type: 'object',
      properties: {
        n: { type: 'integer', exclusiveMinimum: 0 },
        s: { type: ['string', 'null'] },
        list: { type: 'array', items: {} },
        odd: {},
      },
    });
  });

  it('has single types for servers that read no lists of them', () => {
    const several = { type: ['string', 'integer', 'null'], minLength: 1, description: 'Any.' };
    const schema = {
      type: 'object',
      properties: { a: several, b: { type: ['string', 'null'] }, c: several },
      required: ['c'],
    };
    const either = [{ type: 'string', minLength: 1 }, { type: 'integer' }];
    expect(fitted(schema, compatible)).toMatchObject({
      properties: {
        a: { description: 'Any.', anyOf: either },
        b: text,
        c: { anyOf: [...either, { type: 'null' }] },
      },
    });
  });
});

const long = 'x'.repeat(70);
const $defs = { 'a.b': { type: 'object', properties: { 'c-d': { $ref: '#/$defs/e' } } }, e: { const: '' } };

/** A schema of a property that Gemini refuses as it is, and what it gets. */
const cases: [name: string, given: object, sent: object, isRequired?: true][] = [
  ['an enum of an empty text', { type: 'string', enum: [''] }, { type: 'string' }],
  ['an empty text among values', { type: 'string', enum: ['', 'a'] }, { type: 'string', enum: ['a'] }],
  [
    'an empty text among values of which one must be given',
    { type: 'string', enum: ['', 'a'], description: 'Order.' },
    { type: 'string', description: 'Order.\nOne of: "", "a".' },
    true,
  ],
  ['a single value', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['a single empty value', { const: '' }, { type: 'string' }],
  ['a single value that is no text', { const: true }, { type: 'boolean' }],
  ['values of another type', { type: 'string', enum: [1, 2] }, { type: 'string' }],
  [
    'words beside a union',
    { title: 'T', description: 'Either.', anyOf: [text, { type: 'integer', description: 'Its number.' }] },
    {
      anyOf: [
        { type: 'string', description: 'Either.' },
        { type: 'integer', description: 'Its number.' },
      ],
    },
  ],
  [
    'a default and bounds beside a union',
    { default: 1, minLength: 2, maximum: 5, anyOf: [text, { type: 'integer' }] },
    { anyOf: [text, { type: 'integer', maximum: 5 }] },
  ],
  [
    'properties beside a union',
    { type: 'object', properties: { a: text }, anyOf: [{ properties: { b: text } }, { properties: { c: text } }] },
    {
      anyOf: [
        { type: 'object', properties: { a: text, b: text } },
        { type: 'object', properties: { a: text, c: text } },
      ],
    },
  ],
  [
    'types beside a union',
    { type: ['string', 'null'], anyOf: [{ type: 'string', enum: ['a', ''] }, { type: 'null' }] },
    { type: 'string', description: 'One of: "a", "".' },
  ],
  [
    'a union inside of a union',
    { anyOf: [{ description: 'In.', anyOf: [text, { type: 'boolean' }] }, { type: 'null' }], description: 'Out.' },
    {
      anyOf: [
        { ...text, description: 'Out.\nIn.' },
        { type: 'boolean', description: 'In.' },
        { type: 'null', description: 'Out.' },
      ],
    },
    true,
  ],
  ['null beside one type', { anyOf: [text, { type: 'null' }], description: 'A.' }, { ...text, description: 'A.' }],
  ['a list of types', { type: ['string', 'null'], description: 'A.' }, { ...text, description: 'A.' }],
  ['a list of types that must be given', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }, true],
  ['a format', { type: 'string', format: 'uri', minLength: 1, pattern: '.' }, text],
  ['a format of a number', { type: 'integer', format: 'int64', exclusiveMinimum: 1 }, { type: 'integer' }],
  ['no properties', { type: 'object', properties: {} }, { type: 'object' }],
  ['required names that are not there', { type: 'object', required: ['a'] }, { type: 'object' }],
  ['a schema that is true', true as never, {}],
  ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
  ['items that are true', { type: 'array', items: true }, { type: 'array', items: {} }],
  [
    'items of a union',
    { items: { anyOf: [text, { type: 'integer' }], description: 'One.' } },
    {
      type: 'array',
      items: {
        anyOf: [
          { ...text, description: 'One.' },
          { type: 'integer', description: 'One.' },
        ],
      },
    },
  ],
  [
    'values of a map',
    { type: 'object', additionalProperties: { $ref: '#/$defs/e' } },
    { type: 'object', additionalProperties: text },
  ],
  ['keywords for other types', { type: 'string', properties: {}, items: {}, required: ['a'] }, text],
  [
    'names inside',
    { type: 'object', properties: { 'a-b': text, [long]: {} }, required: ['a-b'] },
    {
      type: 'object',
      properties: { a_b: { ...text, description: 'a-b' }, [long.slice(6)]: { description: long } },
      required: ['a_b'],
    },
  ],
  [
    'a reference with names inside',
    { $ref: '#/$defs/a.b' },
    {
      type: 'object',
      properties: { c_d: { ...text, description: 'c-d' } },
    },
  ],
];

describe('for Gemini', () => {
  it.each(cases)('%s is written so that it is accepted', (_name, given, sent, isRequired) => {
    const schema = { type: 'object', properties: { it: given }, ...(isRequired && { required: ['it'] }), $defs };
    const specs = fitTools([tool(schema)], google).specs.map((spec) => ({
      ...spec,
      parameters: { ...spec.parameters },
    }));
    expect(Object(specs[0]?.parameters.properties)).toEqual({ it: sent });
    expect(refusedByGoogle(specs)).toBeUndefined();
    expect(refusedByGoogle([{ name: 'tool', description: '', parameters: schema }])).toBeDefined();
  });

  it('a tool without arguments says of an object only that it is one', () => {
    expect(fitted({ type: 'object', properties: {} }, google)).toEqual({ type: 'object' });
  });

  it('arguments inside of others come back under their real names, and keys of maps stay', () => {
    const item = { type: 'object', properties: { 'x-y': text, tags: { type: 'object', additionalProperties: text } } };
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: item }, one: { anyOf: [item, text] }, x_y: text },
    };
    const tools = fitTools([tool(schema)], google);
    const real = { 'x-y': 'a', tags: { 'x-y': 'b', x_y: 'c', x_y_2: 'd' } };
    const input = JSON.stringify({ list: [real], one: real, x_y: 'e' });
    const wire = tools.toWire({ id: 'a', name: 'tool', input, output: '', isError: false }).input;
    const named = { x_y_2: 'a', tags: real.tags };
    expect(JSON.parse(wire)).toEqual({ list: [named], one: named, x_y: 'e' });
    expect(tools.inputFromWire('tool', wire)).toBe(input);
  });
});

describe('names', () => {
  it.each([
    ['OpenAI', openAI, ['filter[name]', 'expand[]', '$top', 'filter_name', 'größe']],
    ['Anthropic', anthropic, ['filter_name_2', 'expand', 'top', 'filter_name', 'gr_e']],
    ['Google', google, ['filter_name_2', 'expand', 'top', 'filter_name', 'gr_e']],
  ])('of arguments are for %s', (_name, dialect, expected) => {
    const names = ['filter[name]', 'expand[]', '$top', 'filter_name', 'größe'];
    const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
    expect(fitted(schema, dialect)?.required).toEqual(expected);
  });

  it('lose characters that no one can see', () => {
    const schema = { type: 'object', properties: { 'a\u202eb': text, 'c\u200b\u{e0041}': text } };
    expect(Object.keys(Object(fitted(schema)?.properties) as object)).toEqual(['a_b', 'c']);
  });

  it('begin with a letter if the protocol requires it, and differ', () => {
    const specs = ['7', '_7', 'a'].map((name) => tool({}, { name }));
    expect(fitTools(specs, google).specs.map(({ name }) => name)).toEqual(['_7_2', '_7', 'a']);
    expect(fitTools(specs, google).nameFromWire('_7_2')).toBe('7');
  });
});

describe('a call', () => {
  const spec = tool({ type: 'object', properties: { 'filter[name]': text } });

  it('is sent whole, once complete, when its tool has other names for its arguments', async () => {
    const deltas = await told([
      begun({ id: 'a', name: 'tool' }),
      { type: 'input', id: 'a', text: '{"filter_' },
      { type: 'input', id: 'a', text: 'name":"x"}' },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(deltas).toMatchObject([
      { type: 'tool', call: { input: '' } },
      { type: 'tool', call: { id: 'a', input: '{"filter[name]":"x"}' } },
      { type: 'finish' },
    ]);
  });

  it('is sent as it was written when it is not JSON or breaks off', async () => {
    const deltas = await told([begun({ id: 'a', name: 'tool' }), { type: 'input', id: 'a', text: '{"filter_name":' }]);
    expect(deltas.at(-1)).toMatchObject({ call: { input: '{"filter_name":' } });
  });

  it('is sent as it comes when it is for another tool', async () => {
    const deltas: Delta[] = [begun({ id: 'a', name: 'other' }), { type: 'input', id: 'a', text: '{' }];
    expect(await told(deltas)).toEqual(deltas);
  });

  async function told(deltas: Delta[]): Promise<Delta[]> {
    const provider: Provider = async function* () {
      yield* deltas;
    };
    const target = { endpoint: 'e', baseURL: '', apiKey: '', headers: {}, addParams: {}, dropParams: [] };
    const call = { target, model: 'm', settings: {}, messages: [], userId: 'u', tools: [spec] };
    const found: Delta[] = [];
    for await (const delta of withFittedTools(provider, anthropic)(call, new AbortController().signal))
      found.push(delta);
    return found;
  }

  function begun(call: Pick<ToolCall, 'id' | 'name'>): Delta {
    return { type: 'tool', call: { ...call, kind: 'function', input: '', output: null, progress: 0.1 } };
  }
});
