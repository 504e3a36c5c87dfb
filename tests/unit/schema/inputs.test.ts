import { randomUUID } from 'node:crypto';
import { AskInput, TEXT_MAX } from '@parley/schema/chat/ask';
import { ConvoPage, RenameConvo } from '@parley/schema/convos/convos';
import { Id } from '@parley/schema/ids';
import { describe, expect, it } from 'vitest';

describe('an id', () => {
  it('is a UUID in lower case', () => {
    const id = randomUUID();
    expect(Id.parse(id.toUpperCase())).toBe(id);
  });

  it.each(['', 'new', `${randomUUID()}_`, "'; drop table users; --", '00000000'])('cannot be %s', (id) => {
    expect(Id.safeParse(id).success).toBe(false);
  });
});

describe('an ask', () => {
  const ask = (text: string) => ({
    generationId: randomUUID(),
    conversationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text },
  });

  it('needs a text', () => {
    expect(AskInput.safeParse(ask('Hello')).success).toBe(true);
    expect(AskInput.safeParse(ask(' \n ')).success).toBe(false);
  });

  it('has no text when its text is empty after cleaning', () => {
    expect(AskInput.safeParse(ask('\u0000')).success).toBe(false);
    expect(AskInput.safeParse(ask(' \u0000 ')).success).toBe(false);
  });

  it('accepts a long text up to a limit', () => {
    expect(AskInput.safeParse(ask('x'.repeat(TEXT_MAX))).success).toBe(true);
    expect(AskInput.safeParse(ask('x'.repeat(TEXT_MAX + 1))).success).toBe(false);
  });

  it('rejects unknown fields', () => {
    expect(AskInput.safeParse({ ...ask('Hello'), userId: randomUUID() }).success).toBe(false);
  });
});

describe('a title', () => {
  const rename = (title: string) => RenameConvo.safeParse({ conversationId: randomUUID(), title });

  it('is trimmed, and not empty', () => {
    expect(rename('  Boats ').data?.title).toBe('Boats');
    expect(rename('   ').success).toBe(false);
    expect(rename('\u0000').success).toBe(false);
  });

  it('is at most 255 characters', () => {
    expect(rename('x'.repeat(255)).success).toBe(true);
    expect(rename('x'.repeat(256)).success).toBe(false);
  });
});

describe('a page of conversations', () => {
  it('has 25 by default and at most 100', () => {
    expect(ConvoPage.parse({}).limit).toBe(25);
    expect(ConvoPage.safeParse({ limit: 101 }).success).toBe(false);
    expect(ConvoPage.safeParse({ limit: 0 }).success).toBe(false);
  });
});
