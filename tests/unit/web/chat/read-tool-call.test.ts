import { expect, test } from 'vitest';
import { readToolCall } from '../../../../web/src/chat/message/read-tool-call.ts';

const call = { id: 'call', kind: 'function', name: 'weather', input: '{}', output: null, progress: 0.3 } as const;

test('a tool call that its answer leaves open was stopped', () => {
  expect(readToolCall(call, true).state).toBe('working');
  expect(readToolCall(call, false).state).toBe('stopped');
  expect(readToolCall({ ...call, output: 'Sunny' }, false).state).toBe('finished');
  expect(readToolCall({ ...call, progress: 1 }, false).state).toBe('finished');
  expect(readToolCall({ ...call, output: 'error processing tool' }, true).state).toBe('failed');
});
