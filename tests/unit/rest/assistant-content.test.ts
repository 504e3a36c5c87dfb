import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import {
  answerText,
  presentAnswer,
  presentAnswerPart,
  shownIndex,
} from '@parley/server/rest/present/assistant-content';
import { describe, expect, it } from 'vitest';

const updatedAt = '2026-01-01T00:00:00.000Z';
const call: ToolCall = { id: '0:0', kind: 'function', name: 'look', input: '{"a":1}', output: null, progress: 0 };

describe('the content of an answer', () => {
  it('has notes for citations, one for each file, and the files at the end', () => {
    const cited = (at: number, fileId: string) => ({ at, fileId, name: `${fileId}.pdf`, page: 1, n: 0, quote: '' });
    const text = 'Old [2] and young [1], yes [2]. a[3]';
    const part: MessagePart = { type: 'text', text, citations: [cited(4, 'b'), cited(18, 'a'), cited(27, 'b')] };
    const shown = 'Old ^1^ and young ^2^, yes ^1^. a[3]\n\n^1.^ b.pdf\n^2.^ a.pdf';
    expect(presentAnswerPart(part)).toEqual([{ type: 'text', text: { value: shown } }]);
    expect(answerText([part])).toBe(shown);
    expect(answerText([{ type: 'text', text }])).toBe(text);
  });

  it('shows calls with their progress, begun, stopped or called by an action', () => {
    const one = (over: Partial<ToolCall>) => presentAnswerPart({ type: 'tool_call', call: { ...call, ...over } });
    const base = { id: '0:0', type: 'function', function: { name: 'look', arguments: '{"a":1}' }, action: false };
    expect(one({})).toEqual([{ type: 'tool_call', tool_call: { ...base, progress: 0.01 } }]);
    expect(one({ state: 'stopped', progress: 1 })).toEqual([
      { type: 'tool_call', tool_call: { ...base, progress: 2 } },
    ]);
    const from = { source: 'action' as const, id: 'x', label: 'a.example' };
    expect(one({ from, output: 'Done', progress: 1 })).toEqual([
      {
        type: 'tool_call',
        tool_call: { ...base, progress: 1, function: { ...base.function, output: 'Done' }, action: true },
      },
    ]);
  });

  it('shows what code printed and drew', () => {
    const outputs: ToolCall['outputs'] = [
      { type: 'logs', text: '4' },
      { type: 'image', fileId: 'f', path: '/images/f.png', width: 4, height: 3 },
    ];
    const [shown] = presentAnswerPart({
      type: 'tool_call',
      call: { ...call, kind: 'code_interpreter', name: 'code_interpreter', input: '2+2', outputs, progress: 1 },
    });
    expect(shown).toMatchObject({
      tool_call: {
        type: 'code_interpreter',
        code_interpreter: {
          input: '2+2',
          outputs: [
            { type: 'logs', logs: '4' },
            { type: 'image', image: { file_id: 'f' } },
          ],
        },
      },
    });
  });

  it('of a failed run ends with the reason, its open calls with a mark', () => {
    const parts: MessagePart[] = [
      { type: 'text', text: 'Let me look' },
      { type: 'tool_call', call },
    ];
    expect(presentAnswer({ parts, reason: { type: 'invalid_input', text: 'No' }, updatedAt })).toMatchObject([
      { type: 'text' },
      { type: 'tool_call', tool_call: { function: { output: 'error processing tool' } } },
      { type: 'error', text: { value: 'No' } },
    ]);
  });

  it('is counted without the parts that the protocol does not know', () => {
    const parts: MessagePart[] = [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'A' },
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'B' },
    ];
    expect([shownIndex(parts, 1), shownIndex(parts, 3)]).toEqual([0, 1]);
  });
});
