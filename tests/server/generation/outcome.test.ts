import type { MessagePart } from '@parley/schema/messages';
import { outcomeOf, type Ended } from '@parley/server/generation/outcome';
import { describe, expect, it } from 'vitest';
import { emptyReply } from '../../contracts/generation-events.ts';

const hello: MessagePart = { type: 'text', text: 'Hello' };
const thought: MessagePart = { type: 'reasoning', text: 'Hm' };

function outcome(over: Partial<Ended> & { parts?: MessagePart[] } = {}) {
  const { parts = [hello], ...ended } = over;
  return outcomeOf({
    reply: emptyReply({ parts }),
    ending: null,
    finish: 'stop',
    failure: null,
    patience: 60,
    ...ended,
  });
}

describe('a run', () => {
  it('that ended well says so', () => {
    expect(outcome()).toMatchObject({ unfinished: false, finishReason: 'stop', reason: null, parts: [hello] });
    expect(outcome({ finish: 'length' })).toMatchObject({ finishReason: 'length', reason: null });
  });

  it('that was stopped keeps what was said, and is no failure', () => {
    const stopped = outcome({ ending: 'stop', finish: null, failure: { type: 'provider_broke_off' } });
    expect(stopped).toMatchObject({ finishReason: 'incomplete', reason: null, parts: [hello] });
    expect(outcome({ ending: 'stop', finish: null, parts: [] }).reason).toBeNull();
  });

  it('whose provider fell silent says for how long', () => {
    const stalled = outcome({ ending: 'stall', finish: null, failure: { type: 'provider_broke_off' } });
    expect(stalled).toMatchObject({ finishReason: 'incomplete', reason: { type: 'provider_stalled', seconds: 60 } });
  });

  it('whose stream just ended was cut', () => {
    expect(outcome({ finish: null })).toMatchObject({
      finishReason: 'incomplete',
      reason: { type: 'provider_broke_off' },
      parts: [hello],
    });
  });

  it('that said nothing says why', () => {
    expect(outcome({ parts: [] }).reason).toEqual({ type: 'empty_answer' });
    expect(outcome({ parts: [thought] }).reason).toEqual({ type: 'empty_answer' });
    expect(outcome({ parts: [], finish: 'content_filter' }).reason).toEqual({ type: 'content_filtered' });
  });

  it('fails with a reason that can be stored', () => {
    const failure = { type: 'provider_refused' as const, status: 400, text: 'No\u0000 \ud83d' };
    expect(outcome({ failure, finish: null }).reason).toEqual({ ...failure, text: 'No \ufffd' });
  });
});
