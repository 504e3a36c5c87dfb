// Each sentence of the fixture that the server itself says is said where it belongs.
import { errorReason } from '@parley/server/http/trpc';
import { expect, test } from 'vitest';
import specified from '../../fixtures/specified-sentences.json' with { type: 'json' };
import { withServices } from '../../support/services.ts';

const given = withServices();

const rows: Record<string, () => Promise<unknown>> = {
  'conversationId is required': () =>
    given.alice.api.messages.edit({ conversationId: '', messageId: crypto.randomUUID(), text: 'Changed' }),
};

test.each(Object.entries(rows))('“%s” is said in its situation', async (sentence, situation) => {
  const reason = await situation().catch((error: Error) => errorReason(error));
  expect(reason).toEqual({ type: 'invalid_input', text: sentence });
});

test('every sentence has its situation', () => {
  expect(Object.keys(rows)).toEqual(specified.router);
});
