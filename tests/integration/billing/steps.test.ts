// An answer with tools asks its model several times, and each time costs.
import { addCredits } from '@parley/server/billing/balances';
import { isLoopCall, type ImagePart } from '@parley/schema/messages/messages';
import type { FileRow } from '@parley/server/files/present';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { exchange, isAskedAbout, question } from '../../support/exchange.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;

const long = createTool('long', {
  limits: { timeoutMs: 10_000, outputChars: 40_000 },
  run: async () => ({ type: 'done', text: 'word '.repeat(8000) }),
});

/** In `pictures` when it is called. */
const draw = createTool('draw', { run: async () => ({ type: 'done', text: 'Drawn', outputs: [...images] }) });
const images: ImagePart[] = [];

beforeAll(async () => {
  const env = { CHECK_BALANCE: 'true', TITLE_CONVO: 'false', OPENAI_MODELS: 'gpt-4-turbo' };
  services = await openTestServices(env, {}, undefined, [sourceOf(long, draw, createTool('echo'))]);
});
afterAll(() => services.close());

function asking(scenario: string) {
  return question(`Steps [[${scenario}]]`, { model: 'gpt-4-turbo', settings: { tools: ['echo', 'long', 'draw'] } });
}

describe('a reply of several steps', () => {
  it('is charged for the sum of them, and releases what it reserved', async () => {
    const { db } = services.deps;
    const { id } = await services.as('alice');
    await addCredits(db, id, 1_000_000);
    const { reply } = await exchange(services, id, asking('call-tool:echo {"input":"a"}'));
    expect(reply.reason).toBeNull();
    const spent = await spendingOf(db, id);
    expect(spent.length).toBeGreaterThan(0);
    expect((await balanceOf(db, id)).reserved).toBe(0);
    expect((await balanceOf(db, id)).credits).toBeLessThan(1_000_000);
    await expectBooksToAgree(db, id);
  });

  it('ends before a step whose prompt the balance does not cover, and keeps what its tools did', async () => {
    const { db } = services.deps;
    const { id } = await services.as('bob');
    // Enough for the question, not for the 8,000 words of the tool.
    await addCredits(db, id, 20_000);
    const { reply } = await exchange(services, id, asking('call-tool:long {"input":"b"}'));
    expect(reply.reason).toMatchObject({ type: 'token_balance' });
    expect(reply.parts.filter(isLoopCall).map(({ call }) => call.state)).toEqual(['done']);
    const asked = services.provider.requests.filter(({ body }) => JSON.stringify(body).includes('call-tool:long'));
    expect(asked).toHaveLength(1);
    expect((await balanceOf(db, id)).reserved).toBe(0);
    await expectBooksToAgree(db, id);
  });

  it('ends before a step whose images the balance does not cover', async () => {
    const { db } = services.deps;
    const { id } = await services.as('carol');
    await addCredits(db, id, 20_000);
    const file = await keepTestFile(services.deps, id, {
      name: 'sea.png',
      mime: 'image/png',
      width: 2048,
      height: 2048,
    });
    images.push(...Array.from({ length: 10 }, () => pictureOf(file)));
    const { reply } = await exchange(services, id, asking('call-tool:draw {"input":"c"}'));
    expect(reply.reason).toMatchObject({ type: 'token_balance' });
    expect(services.provider.requests.filter(isAskedAbout('call-tool:draw'))).toHaveLength(1);
    await expectBooksToAgree(db, id);
  });
});

function pictureOf({ id, name, mime }: FileRow): ImagePart {
  return { type: 'image', fileId: id, path: `/images/${id}__${name}`, width: 2048, height: 2048, name, mime };
}
