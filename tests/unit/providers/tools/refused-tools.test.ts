// The words are those of the services, as their users report them (docs/tool-schemas.md).
import { Refusal } from '@parley/server/platform/errors';
import { reasonOfStatus } from '@parley/server/providers/status';
import { refusedTools } from '@parley/server/providers/tools/refused-tools';
import { describe, expect, it } from 'vitest';

const offered = ['search', 'list', 'tools', 'update-event'].map((name) => ({ name }));

function refused(text: string, status = 400) {
  return refusedTools(new Refusal({ type: 'provider_refused', status, text }), offered);
}

describe('a provider that refuses one tool', () => {
  it.each([
    ['update-event', "Invalid schema for function 'update-event': schema must have type 'object'"],
    ['list', "Invalid 'tools[1].function.description': string too long. Expected a string with maximum length 1024"],
    ['search', 'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level'],
    ['list', '* GenerateContentRequest.tools[0].function_declarations[1].parameters.items: missing field.'],
    ['search', 'Duplicate function declaration found: search'],
    [
      'list',
      "Unable to submit request because list functionDeclaration parameters.a schema didn't specify the type field.",
    ],
    ['list', 'Unable to submit request because `list` functionDeclaration specified other fields alongside any_of.'],
  ])('names it: %s', (name, text) => {
    expect(refused(text)).toEqual([name]);
  });

  it.each([
    [
      ['search', 'tools', 'update-event'],
      [0, 2, 3].map((n) => `* GenerateContentRequest.tools[0].function_declarations[${n}].parameters: x`).join('\n'),
    ],
    [['search', 'list'], 'tools.0.custom.input_schema: is wrong; tools.1.custom.input_schema: is wrong'],
    [['search', 'list'], "Invalid schema for function 'search': x. Invalid schema for function 'list': y."],
    [['search', 'list', 'update-event'], "The tools 'search', 'list' and 'update-event' are invalid."],
    [['search', 'list', 'update-event'], 'Invalid tools: search, list and update-event.'],
    [['search', 'update-event'], 'Wrong functions: ["update-event","search"]'],
  ])('or several names %j', (names, text) => {
    expect(refused(text)).toEqual(names);
  });

  it('names those that stand behind what a person is shown of its sentence', () => {
    const line = (n: number) =>
      `* GenerateContentRequest.tools[0].function_declarations[${n}].parameters: ${'x'.repeat(400)}`;
    const text = [0, 1, 3].map(line).join('\n');
    const reason = reasonOfStatus({ status: 400, text }, 'google');
    expect('text' in reason && reason.text).toHaveLength(500);
    expect(refusedTools(new Refusal(reason), offered)).toEqual(['search', 'list', 'update-event']);
  });

  it('or too many of them names the ones it refuses', () => {
    const text = "Invalid 'tools': array too long. Expected an array with maximum length 2, but got 4 instead.";
    expect(refused(text)).toEqual(['tools', 'update-event']);
    expect(refused('* tools[0].function_declarations: At most 3 function declarations can be specified.')).toEqual([
      'update-event',
    ]);
  });
});

describe('a model that takes no tools', () => {
  it.each([
    ['registry.ollama.ai/library/gemma3:4b does not support tools', 400],
    ['No endpoints found that support tool use. To learn more about provider routing, visit: https://a.example', 404],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ['`tool calling` is not supported with this model', 400],
    ['Function calling is not enabled for models/gemma-3-27b-it', 400],
    ['tools is not supported in this model. For a list of supported models, refer to the guide', 400],
    ["'claude-2.1' does not support tool use.", 400],
    ['tools param requires --jinja flag', 500],
    ['Unsupported param: tools', 500],
    ["deepseek-reasoner doesn't support Function Calling", 400],
  ])('says so: %s', (text, status) => {
    expect(refused(text, status)).toBe('all');
  });
});

describe('another failure', () => {
  it.each([
    ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."],
    ['messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call1'],
    ['Unsupported value: temperature does not support 0.5 with this model.'],
    ['Your search was not permitted.'],
  ])('names no tool: %s', (text) => {
    expect(refused(text)).toEqual([]);
  });

  it('names no tool, either', () => {
    expect(refused('search does not support tools', 503)).toEqual([]);
    expect(refusedTools(new Error('tools.0 is wrong'), offered)).toEqual([]);
    expect(refusedTools(new Refusal({ type: 'unavailable' }), offered)).toEqual([]);
  });
});
