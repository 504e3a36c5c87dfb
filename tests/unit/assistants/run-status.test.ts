import { runStatusOf } from '@parley/server/assistants/run-status';
import type { ToolCall } from '@parley/schema/messages/messages';
import { describe, expect, it } from 'vitest';

const ENDED = '2026-01-01T00:00:00Z';
const answered = { parts: [], finishReason: 'stop' as const };
const waiting: ToolCall = {
  id: '0:0',
  kind: 'function',
  name: 'send_mail',
  input: '{}',
  output: null,
  progress: 0.1,
  step: 0,
  state: 'waiting',
  needs: 'approval',
};

describe('the status of a run', () => {
  it('follows its generation and its reply', () => {
    const running = { endedAt: null, stopRequested: false, reason: null };
    const ended = { ...running, endedAt: ENDED };
    expect(runStatusOf(running, answered)).toBe('in_progress');
    expect(runStatusOf({ ...running, stopRequested: true }, answered)).toBe('cancelling');
    expect(runStatusOf(ended, answered)).toBe('completed');
    expect(runStatusOf({ ...ended, stopRequested: true }, { ...answered, finishReason: 'incomplete' })).toBe(
      'cancelled',
    );
    expect(runStatusOf({ ...ended, reason: { type: 'empty_answer' } }, answered)).toBe('failed');
    expect(runStatusOf({ ...ended, reason: { type: 'answer_too_slow' } }, answered)).toBe('expired');
    const asks = { parts: [{ type: 'tool_call' as const, call: waiting }], finishReason: 'tool_calls' as const };
    expect(runStatusOf(ended, asks)).toBe('requires_action');
  });
});
