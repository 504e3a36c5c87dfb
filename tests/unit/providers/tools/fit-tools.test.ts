// How single schemas and names are written for a protocol; `foreign-tools.test.ts` has the rules of the services.
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
  it('that every protocol takes stays as it is', () => {
    const plain = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false };
    for (const dialect of [openAI, anthropic, google, compatible]) expect(fitted(plain, dialect)).toEqual(plain);
  });

  it('with forms at its top becomes one object that has the properties of all, and requires what all require', () => {
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

  it('of which one part or another must be given says so in the description of its tool', () => {
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

  it('that is larger than a tool may be keeps its upper part', () => {
    const wide = (depth: number): JsonSchema =>
      depth === 0
        ? text
        : { type: 'object', properties: Object.fromEntries('abcdef'.split('').map((name) => [name, wide(depth - 1)])) };
    const schema = fitted(wide(5));
    expect(JSON.stringify(schema).length).toBeLessThan(32_000);
    expect(schema).toMatchObject({ properties: { a: { properties: { b: { type: 'object' } } } } });
  });

  it('of an older draft, or of OpenAPI, is written as today', () => {
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

  it('with characters that nobody sees are replaced for all', () => {
    const schema = { type: 'object', properties: { 'a\u202eb': text, 'c\u200b\u{e0041}': text } };
    expect(Object.keys(Object(fitted(schema)?.properties) as object)).toEqual(['a_b', 'c']);
  });

  it('of tools begin with a letter where the protocol wants that, and differ', () => {
    const specs = ['7', '_7', 'a'].map((name) => tool({}, { name }));
    expect(fitTools(specs, google).specs.map(({ name }) => name)).toEqual(['_7_2', '_7', 'a']);
    expect(fitTools(specs, google).nameFromWire('_7_2')).toBe('7');
  });
});

describe('a call', () => {
  const spec = tool({ type: 'object', properties: { 'filter[name]': text } });

  it('of a tool with other names for its arguments is told whole, when it is complete', async () => {
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

  it('that is no JSON, or breaks off, is told as it was written', async () => {
    const deltas = await told([begun({ id: 'a', name: 'tool' }), { type: 'input', id: 'a', text: '{"filter_name":' }]);
    expect(deltas.at(-1)).toMatchObject({ call: { input: '{"filter_name":' } });
  });

  it('of another tool is told as it comes', async () => {
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
