import { expect, it } from 'vitest';
import { ask, DONE, ended, eventStream } from './stranger.ts';

const tools = ['calculator', 'find.page', 'find'].map((name) => ({
  name,
  description: '',
  parameters: { type: 'object' },
}));
const input = '{"input":"2+2"}';

/** The calls that a model makes in these pieces. */
async function callsIn(pieces: object[], finish: unknown = 'tool_calls') {
  const chunks = pieces.map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] }));
  const told = await ask(eventStream(...chunks, ended(finish)) + DONE, { tools });
  expect(told).toMatchObject({ finish: 'tool_calls' });
  return told.calls.map((call) => [call.name, call.input]);
}

const call = (name: string | undefined, args: unknown, more = {}) => ({
  index: 0,
  type: 'function',
  ...more,
  function: { ...(name !== undefined && { name }), arguments: args },
});

it.each([
  ' calculator\n',
  'functions.calculator',
  'default_api:calculator',
  'default_api.calculator',
  'tools.calculator',
  'tools/calculator',
  'functions::calculator',
  'functions. calculator ',
  'functions.calculator:0',
  '"calculator"',
  '`calculator`',
  'calculator()',
  'calculator<|channel|>commentary',
  'api.functions.calculator',
])('the tool calculator is called by the name %j', async (name) => {
  expect(await callsIn([call(name, input, { id: 'a' })])).toEqual([['calculator', input]]);
});

it('a name that is no tool’s stays, without the space around it', async () => {
  expect(await callsIn([call(' functions.other ', input, { id: 'a' })])).toEqual([['functions.other', input]]);
});

const expected: [string, string][] = [['calculator', input]];
const two: [string, string][] = [
  ['calculator', '{"a":1}'],
  ['find', '{"b":2}'],
];

it.each<[title: string, pieces: object[], calls: [string, string][]]>([
  ['arguments as an object', [call('calculator', { input: '2+2' })], expected],
  [
    'an empty object first',
    [call('calculator', {}), call(undefined, '{"input":'), call(undefined, '"2+2"}')],
    expected,
  ],
  [
    '“{}” first, then all of them',
    [call('calculator', '{}', { id: 'a' }), call(undefined, input, { id: 'a' })],
    expected,
  ],
  [
    'all of them a second time',
    [call('calculator', input, { id: 'a' }), call(undefined, input, { id: 'a' })],
    expected,
  ],
  ['null first', [call('calculator', null, { id: 'a' }), call(undefined, input)], expected],
  ['a name in pieces', [call('calc', '', { id: 'a' }), call('ulator', input)], expected],
  [
    'another id with each piece',
    [call('calculator', '{"input":', { id: 'a' }), call(undefined, '"2+2"}', { id: 'b' })],
    expected,
  ],
  [
    'another index with each piece',
    [call('calculator', '{"input":', { id: 'a' }), call(undefined, '"2+2"}', { index: 1 })],
    expected,
  ],
  [
    'pieces by id, without an index',
    [
      call('calculator', '{"a"', { id: 'a', index: undefined }),
      call('find', '{"b"', { id: 'b', index: undefined }),
      call(undefined, ':1}', { id: 'a', index: undefined }),
      call(undefined, ':2}', { id: 'b', index: undefined }),
    ],
    two,
  ],
  ['one index for all', [call('calculator', '{"a":1}', { id: 'a' }), call('find', '{"b":2}', { id: 'b' })], two],
  ['one id for all', [call('calculator', '{"a":1}', { id: 'x' }), call('find', '{"b":2}', { id: 'x', index: 1 })], two],
  [
    'one id and one index for all',
    [call('calculator', '{"a":1}', { id: 'x' }), call('find', '{"b":2}', { id: 'x' })],
    two,
  ],
  ['no ids', [call('calculator', '{"a":1}'), call('find', '{"b":2}', { index: 1 })], two],
  [
    'neither ids nor indexes',
    [call('calculator', '{"a":1}', { index: undefined }), call('find', '{"b":2}', { index: undefined })],
    two,
  ],
  ['name and arguments without “function”', [{ id: 'a', name: 'calculator', arguments: input }], expected],
])('calls are read from a server that sends %s', async (_, pieces, calls) => {
  expect(await callsIn(pieces)).toEqual(calls);
  expect(await callsIn(pieces, 'stop')).toEqual(calls);
});

it('the older field of a call is read', async () => {
  const pieces = [{ name: 'calculator', arguments: '' }, { arguments: input }];
  const chunks = pieces.map((piece) => ({ choices: [{ index: 0, delta: { function_call: piece } }] }));
  const told = await ask(eventStream(...chunks, ended('function_call')) + DONE, { tools });
  expect(told.calls.map(({ name, input: given }) => [name, given])).toEqual(expected);
});
