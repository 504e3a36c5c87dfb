import type { MessagePart } from '@parley/schema/messages/messages';
import { endedReply, type RunEnd } from '@parley/server/generation/runs';
import { describe, expect, it } from 'vitest';
import { emptyReply } from '../../contracts/generation-events.ts';

const hello: MessagePart = { type: 'text', text: 'Hello' };
const reasoning: MessagePart = { type: 'reasoning', text: 'Hm' };

function outcome(over: Partial<RunEnd> & { parts?: MessagePart[] } = {}) {
  const { parts = [hello], ...ended } = over;
  return endedReply({
    reply: emptyReply({ parts }),
    cause: null,
    finish: 'stop',
    failure: null,
    ...ended,
  });
}

describe('the result of a run', () => {
  it('is complete when it ends normally', () => {
    expect(outcome()).toMatchObject({ unfinished: false, finishReason: 'stop', reason: null, parts: [hello] });
    expect(outcome({ finish: 'length' })).toMatchObject({ finishReason: 'length', reason: null });
  });

  it('keeps the text of a stopped run, which is no failure', () => {
    const stopped = outcome({ cause: 'stop', finish: null, failure: { type: 'provider_broke_off' } });
    expect(stopped).toMatchObject({ finishReason: 'incomplete', reason: null, parts: [hello] });
    expect(outcome({ cause: 'stop', finish: null, parts: [] }).reason).toBeNull();
  });

  it('says how long a silent provider was silent', () => {
    const failure = { type: 'provider_stalled' as const, seconds: 60 };
    expect(outcome({ cause: 'stall', failure })).toMatchObject({ finishReason: 'incomplete', reason: failure });
  });

  it('is a cut answer when the stream just ends', () => {
    expect(outcome({ finish: null })).toMatchObject({
      finishReason: 'incomplete',
      reason: { type: 'provider_broke_off' },
      parts: [hello],
    });
  });

  it('has a reason when there is no text', () => {
    expect(outcome({ parts: [] }).reason).toEqual({ type: 'empty_answer' });
    expect(outcome({ parts: [reasoning] }).reason).toEqual({ type: 'empty_answer' });
    expect(outcome({ parts: [], finish: 'content_filter' }).reason).toEqual({ type: 'content_filtered' });
  });

  it('has a reason that can be stored', () => {
    const failure = { type: 'provider_refused' as const, status: 400, text: 'No\u0000 \ud83d' };
    expect(outcome({ failure, finish: null }).reason).toEqual({ ...failure, text: 'No \ufffd' });
  });
});
