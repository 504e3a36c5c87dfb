import { checkInput } from '@parley/server/agents/execute-calls';
import { cutOutput } from '@parley/server/tools/cut-output';
import { cleanSchema } from '@parley/server/tools/clean-schema';
import { describe, expect, it } from 'vitest';

const any = { type: 'object', properties: {} };

describe('a foreign schema', () => {
  it('loses its patterns, but no property of that name', () => {
    const pattern = { type: 'string', pattern: '^(a+)+$' };
    const foreign = { type: 'object', properties: { pattern, list: { items: pattern } }, patternProperties: { a: {} } };
    expect(cleanSchema(foreign)).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string' }, list: { items: { type: 'string' } } },
    });
  });

  it('keeps references inside of it, and no others', () => {
    const inside = { $ref: '#/$defs/city' };
    const properties = { inside, outside: { $ref: 'https://evil.example/schema' }, root: { $ref: '#' } };
    expect(cleanSchema({ type: 'object', properties, $defs: { city: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { inside, outside: {}, root: {} },
      $defs: { city: { type: 'string' } },
    });
  });

  it('has no characters in its words that nobody sees', () => {
    const hidden = { type: 'string', description: `A city.${'\u{e0041}\u{e0042}'}\u202e`, title: 'ci\u200bty' };
    expect(cleanSchema({ type: 'object', properties: { hidden } })).toMatchObject({
      properties: { hidden: { description: 'A city.', title: 'city' } },
    });
  });

  it('keeps values that are data as they are', () => {
    const properties = { a: { enum: ['x', { pattern: 'kept' }], default: { $ref: 'kept' } } };
    expect(cleanSchema({ type: 'object', properties })).toEqual({ type: 'object', properties });
  });

  it.each([[null], [true], ['text'], [[1]], [{ type: 'string' }]])(
    'that is none of an object (%j) takes any',
    (foreign) => {
      expect(cleanSchema(foreign)).toMatchObject(any);
    },
  );

  it('takes any object when it is too large, or too deep to be finite', () => {
    const wide = Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`p${n}`, { type: 'string' }]));
    expect(cleanSchema({ type: 'object', properties: wide })).toEqual(any);
    expect(cleanSchema({ type: 'object', description: 'd'.repeat(70_000) })).toEqual(any);
    const endless: Record<string, unknown> = { type: 'object' };
    endless.items = endless;
    expect(JSON.stringify(cleanSchema(endless)).length).toBeLessThan(64_000);
  });
});

describe('arguments', () => {
  const parameters = {
    type: 'object',
    properties: { n: { type: 'integer' }, unit: { enum: ['km', 'mi'] } },
    required: ['n'],
    additionalProperties: false,
  };

  it.each([['{"n":1}'], ['{"n":1,"unit":"km"}']])('%s fit', (input) => {
    expect(checkInput(input, parameters)).toEqual({ args: JSON.parse(input) });
  });

  it.each([['{}'], ['{"n":"1"}'], ['{"n":1,"unit":"m"}'], ['{"n":1,"x":2}'], ['nonsense'], ['null'], ['']])(
    '%j do not fit',
    (input) => {
      expect(checkInput(input, parameters)).toHaveProperty('error');
    },
  );

  it("are checked by name when the schema can't be read", () => {
    const strange = { ...parameters, if: { required: ['n'] }, then: { required: ['unit'] } };
    expect(checkInput('{"n":"text"}', strange)).toEqual({ args: { n: 'text' } });
    expect(checkInput('{}', strange)).toMatchObject({ error: expect.stringContaining('Missing: n') });
    expect(checkInput('{"n":1,"x":1}', strange)).toMatchObject({ error: expect.stringContaining('Unknown: x') });
  });
});

describe('a long output', () => {
  it('keeps its beginning and its end, and says how much is left out', () => {
    const cut = cutOutput(`${'a'.repeat(900)}${'z'.repeat(500)}`, 400);
    expect(cut).toBe(`${'a'.repeat(300)}\n[1000 characters are left out here]\n${'z'.repeat(100)}`);
    expect(cutOutput('short', 400)).toBe('short');
  });
});
