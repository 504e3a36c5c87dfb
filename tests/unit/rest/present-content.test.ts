import type { ToolCall } from '@parley/schema/messages/messages';
import { presentContent } from '@parley/server/rest/present/present-content';
import { describe, expect, it } from 'vitest';

const call: ToolCall = {
  id: '0:0',
  kind: 'code_interpreter',
  name: 'execute_python',
  input: '{"code":"print(1)"}',
  output: '1\n[Saved: chart.png]',
  progress: 1,
  from: { source: 'builtin', id: 'code_interpreter', label: 'Code interpreter' },
};
const image = { fileId: 'f', path: '/images/u/f__chart.png', width: 3, height: 2 };
const file = { fileId: 'g', path: '/api/files/download/u/g', name: 'a.csv', mime: 'text/csv', bytes: 4 };

function present(given: ToolCall) {
  return presentContent([{ type: 'tool_call', call: given }]);
}

describe('an image of an answer', () => {
  it.each([
    ['/images/u/f__chart.png', { filename: 'chart.png', type: 'image/png', object: 'file' }],
    ['/images/u/f__sea.jpg?manual=true', { filename: 'sea.jpg', type: 'image/jpeg', object: 'file' }],
    ['/images/u/f', {}],
  ])('at %s has what its document says', (path, named) => {
    const image_file = { file_id: 'f', filepath: path, width: 3, height: 2, prompt: 'a chart', ...named };
    expect(presentContent([{ type: 'image', ...image, path, prompt: 'a chart' }])).toEqual([
      { type: 'image_file', image_file },
    ]);
  });
});

describe('a call of a function', () => {
  it.each([
    ['action', true],
    ['builtin', false],
  ] as const)('of source %s says whether it is an action', (source, action) => {
    const from = { source, id: 'x', label: 'X' };
    const given: ToolCall = { ...call, kind: 'function', name: 'x', input: '{}', output: null, from };
    expect(present(given)).toEqual([
      {
        type: 'tool_call',
        tool_call: { id: '0:0', type: 'function', progress: 1, function: { name: 'x', arguments: '{}' }, action },
      },
    ]);
  });
});

it('a call that changed an artifact says what it said, and then all of the version as a block of code', () => {
  const info = 'markdown id="notes" title="Notes"';
  const given: ToolCall = {
    ...call,
    kind: 'function',
    name: 'artifact',
    input: '{"id":"notes","edits":[{"find":"1","replace":"2"}]}',
    output: 'The person sees this version.',
    from: { source: 'builtin', id: 'artifact', label: 'Artifacts' },
    outputs: [{ type: 'artifact', info, source: '# Notes\n```js\n2\n```' }],
  };
  const output = `The person sees this version.\n\n~~~${info}\n# Notes\n\`\`\`js\n2\n\`\`\`\n~~~`;
  expect(present(given)).toMatchObject([{ tool_call: { function: { name: 'artifact', output } } }]);
});

describe('a call of the code interpreter', () => {
  it('has its code, what it printed and its images', () => {
    const outputs: ToolCall['outputs'] = [
      { type: 'logs', text: '1\n' },
      { type: 'image', ...image },
      { type: 'file', ...file },
    ];
    const ownImage = { file_id: 'f', filepath: image.path, width: 3, height: 2 };
    const code = {
      input: 'print(1)',
      outputs: [
        { type: 'logs', logs: '1\n' },
        { type: 'image', image: ownImage },
      ],
    };
    expect(present({ ...call, outputs })).toEqual([
      { type: 'tool_call', tool_call: { id: '0:0', type: 'code_interpreter', progress: 1, code_interpreter: code } },
    ]);
  });

  it.each(['{"code":"pri', 'null', '{"code":1}'])('has its arguments where they hold no code: %s', (input) => {
    const code = { input, outputs: [{ type: 'logs', logs: call.output }] };
    expect(present({ ...call, input })).toMatchObject([{ tool_call: { code_interpreter: code } }]);
  });

  it("keeps a provider's words as they are", () => {
    const { from: _, ...made } = call;
    const code = { input: call.input, outputs: [{ type: 'logs', logs: call.output }] };
    expect(present(made)).toMatchObject([{ tool_call: { code_interpreter: code } }]);
  });
});
