import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { replyText, presentReply, presentReplyPart } from '@parley/server/rest/present/assistant-content';
import { createIndexes } from '@parley/server/rest/present/assistant-frames';
import { describe, expect, it } from 'vitest';
import { callFromFacts, type CallFacts } from '../../support/tools/call-facts.ts';

const updatedAt = '2026-01-01T00:00:00.000Z';
const call: ToolCall = { id: '0:0', kind: 'function', name: 'look', input: '{"a":1}', output: null, progress: 0 };

describe('the content of an answer', () => {
  it('has notes for citations, one for each file, and the files at the end', () => {
    const cited = (at: number, fileId: string) => ({ at, fileId, name: `${fileId}.pdf`, page: 1, n: 0, quote: '' });
    const text = 'Old [2] and young [1], yes [2]. a[3]';
    const part: MessagePart = { type: 'text', text, citations: [cited(4, 'b'), cited(18, 'a'), cited(27, 'b')] };
    const shown = 'Old ^1^ and young ^2^, yes ^1^. a[3]\n\n^1.^ b.pdf\n^2.^ a.pdf';
    expect(presentReplyPart(part)).toEqual([{ type: 'text', text: { value: shown } }]);
    expect(replyText([part])).toBe(shown);
    expect(replyText([{ type: 'text', text }])).toBe(text);
  });

  it('shows calls with their progress, begun, stopped or called by an action', () => {
    const one = (over: CallFacts) => presentReplyPart({ type: 'tool_call', call: callFromFacts({ ...call, ...over }) });
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
    const [shown] = presentReplyPart({
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

  it('ends a failed run with the reason, and marks its open calls', () => {
    const parts: MessagePart[] = [
      { type: 'text', text: 'Let me look' },
      { type: 'tool_call', call },
    ];
    expect(presentReply({ parts, reason: { type: 'invalid_input', text: 'No' }, updatedAt })).toMatchObject([
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
    const indexOf = createIndexes(parts);
    expect([indexOf(1, 0), indexOf(3, 0), indexOf(4, 0)]).toEqual([0, 1, 2]);
  });

  it('has the image of a tool that paints in place of its call, and that of any other tool behind it', () => {
    const image = { type: 'image' as const, fileId: 'f', path: '/images/u/f__kite.png', width: 4, height: 3 };
    const made = (name: string) => presentReplyPart({ type: 'tool_call', call: { ...call, name, outputs: [image] } });
    const shown = { type: 'image_file', image_file: expect.objectContaining({ file_id: 'f', width: 4, height: 3 }) };
    for (const name of ['dalle', 'dall-e', 'stable-diffusion']) expect(made(name)).toEqual([shown]);
    expect(made('look')).toEqual([expect.objectContaining({ type: 'tool_call' }), shown]);
  });

  it('no part moves when an image comes after a later call has begun', () => {
    const indexOf = createIndexes([]);
    expect([indexOf(0, 0), indexOf(1, 0), indexOf(0, 1), indexOf(1, 0), indexOf(2, 0)]).toEqual([0, 1, 2, 1, 3]);
  });
});
