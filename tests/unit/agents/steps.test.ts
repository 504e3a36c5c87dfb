// How earlier calls are shown to a model, and what becomes of those that were interrupted.
import type { MessagePart } from '@parley/schema/messages/messages';
import { isFailure } from '@parley/schema/messages/messages';
import { denyCalls, hasPendingCalls, settleCalls } from '@parley/server/agents/settle-calls';
import { namesOnly } from '@parley/server/chat/context/files/attachments';
import { historyMessageOf } from '@parley/server/chat/context/history';
import { callTokens, splitSteps, withoutSteps, type StepRules } from '@parley/server/chat/context/steps';
import { nextStepNumber, findOpenStep } from '@parley/server/chat/answer/open-step';
import { describe, expect, it } from 'vitest';
import { callFromFacts, type CallFacts } from '../../support/tools/call-facts.ts';

const rules: StepRules = { endpointType: 'google', model: 'gemini-3', showsImages: false };
const shown = { ...namesOnly, steps: rules };
const text = (words: string): MessagePart => ({ type: 'text', text: words });
const signature = (data: string, model = 'gemini-3') => ({ endpointType: 'google' as const, model, data });

function call(id: string, over: CallFacts = {}): Extract<MessagePart, { type: 'tool_call' }> {
  const step = Number(id.split(':')[0]);
  const begun = { id, step, kind: 'function' as const, name: 'echo', input: '{}', progress: 1 };
  return { type: 'tool_call', call: callFromFacts({ ...begun, state: 'done', output: `result of ${id}`, ...over }) };
}

const answer = (parts: MessagePart[], id = 'reply') => ({ id, parts, reason: null, isCreatedByUser: false });

describe('the history of a reply with calls', () => {
  const parts = [
    text('First.'),
    call('0:0'),
    call('0:1', { state: 'failed' }),
    text('Then.'),
    call('1:0'),
    text('Done.'),
  ];

  it('is a message for each step, and one for its last words', async () => {
    const message = await historyMessageOf(answer(parts), shown, false);
    expect(message).toMatchObject({
      content: 'Done.',
      steps: [
        { content: 'First.', calls: [{ call: { isError: false } }, { call: { isError: true } }] },
        { content: 'Then.', calls: [{ call: { output: 'result of 1:0' } }] },
      ],
    });
  });

  it('is its text alone where no tools are offered', async () => {
    const message = await historyMessageOf(answer(parts), namesOnly, false);
    expect(message).toEqual({ role: 'assistant', content: 'First.Then.Done.' });
  });

  it('gives calls ids that are unique in a conversation and that every provider accepts', async () => {
    const ids = await Promise.all(
      ['one', 'two'].map(async (id) => {
        const message = await historyMessageOf(answer([call('0:0'), call('0:1')], id), shown, false);
        return (message?.steps ?? []).flatMap((step) => step.calls.map((one) => one.call.id));
      }),
    );
    expect(new Set(ids.flat()).size).toBe(4);
    for (const id of ids.flat()) expect(id).toMatch(/^[a-z0-9]{9}$/);
  });

  it('gives signatures back to their own model only', async () => {
    const sealed: MessagePart[] = [
      { type: 'reasoning', text: '', seal: signature('thought') },
      { type: 'reasoning', text: '', seal: signature('other', 'gemini-2') },
      call('0:0', { seal: signature('mine') }),
      call('0:1', { seal: signature('theirs', 'gemini-2') }),
    ];
    const [step] = (await historyMessageOf(answer(sealed), shown, false))?.steps ?? [];
    expect(step?.signatures).toEqual(['thought']);
    expect(step?.calls.map((one) => one.call.signature)).toEqual(['mine', undefined]);
  });

  it('shortens results that are older than the last two replies', async () => {
    const long = answer([call('0:0', { output: 'x'.repeat(9000) })]);
    const lengths = await Promise.all(
      [0, 1, 2].map(async (age) => {
        const message = await historyMessageOf(long, shown, false, age);
        return message?.steps?.[0]?.calls[0]?.call.output.length ?? 0;
      }),
    );
    expect(lengths.slice(0, 2)).toEqual([9000, 9000]);
    expect(lengths[2]).toBeLessThan(2100);
  });

  it('shows arguments that are no object as none', async () => {
    const message = await historyMessageOf(answer([call('0:0', { input: '{"a' })]), shown, false);
    expect(message?.steps?.[0]?.calls[0]?.call.input).toBe('{}');
  });

  it('counts what its calls hold', () => {
    const finished = { id: 'x', name: 'echo', input: '{}', output: 'x'.repeat(4000), isError: false };
    const messages = [{ role: 'assistant' as const, content: '', calls: [finished] }];
    expect(callTokens(messages)).toBeGreaterThan(1000);
    expect(withoutSteps([...messages, { role: 'user', content: 'Hello' }])).toEqual([
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('does not count searches that only preceded the reply as steps', () => {
    const search: MessagePart = {
      type: 'tool_call',
      call: { id: 'files', kind: 'retrieval', name: 'file_search', input: '', output: '', progress: 1 },
    };
    expect(splitSteps([search, text('Found.')]).steps).toEqual([]);
  });
});

describe('calls whose run has ended', () => {
  const parts = [
    call('0:0'),
    call('1:0', { state: 'running', output: null, isRepeatable: true }),
    call('1:1', { state: 'running', output: null }),
    call('1:2', { state: 'writing', output: null, isRepeatable: true }),
    call('1:3', { state: 'waiting', output: null }),
  ];
  const outcome = (settled: MessagePart[]) =>
    settled.flatMap((part) => (part.type === 'tool_call' ? [[part.call.state, part.call.output]] : []));

  it('are stopped when a person ended it', () => {
    const stopped = ['stopped', 'The user stopped this.'];
    expect(outcome(settleCalls(parts, 'stopped'))).toEqual([
      ['done', 'result of 0:0'],
      stopped,
      stopped,
      stopped,
      ['waiting', null],
    ]);
  });

  it('are unknown when the process ended, unless they may be repeated: those are pending', () => {
    const lost = settleCalls(parts, 'lost');
    expect(outcome(lost).map(([state]) => state)).toEqual(['done', 'stopped', 'unknown', 'stopped', 'waiting']);
    const open = findOpenStep({ parts: lost }, { kind: 'continue', messageId: 'reply' }, rules);
    expect(open).toMatchObject({ from: 1, step: { decisions: { '1:3': 'deny' } } });
    expect(open?.step.calls.map(({ id }) => id)).toEqual(['1:0', '1:1', '1:2', '1:3']);
    expect(hasPendingCalls(denyCalls(parts))).toBe(false);
  });

  it('are only resumed by decisions about calls that wait', () => {
    const decisions = { '0:0': 'allow', '1:1': 'allow', '1:3': 'always' } as const;
    const open = findOpenStep({ parts }, { kind: 'resume', messageId: 'reply', decisions }, rules);
    expect(open?.step.decisions).toEqual({ '1:3': 'always' });
    expect(nextStepNumber({ parts })).toBe(2);
    expect(
      findOpenStep({ parts: [call('0:0'), text('Done.')] }, { kind: 'continue', messageId: 'r' }, rules),
    ).toBeNull();
  });
});

describe('a reply that failed', () => {
  it('is worth keeping when one of its tools has done something', () => {
    const reason = { type: 'provider_broke_off' as const };
    expect(isFailure({ parts: [call('0:0')], reason })).toBe(false);
    expect(isFailure({ parts: [call('0:0', { state: 'failed' })], reason })).toBe(true);
    expect(isFailure({ parts: [], reason })).toBe(true);
  });
});
