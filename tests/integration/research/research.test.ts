// A report from its question to its end: the plan waits for its person, the steps read and pay, the report is checked.
import { researchNotes, researchRuns } from '@parley/db/tables/automation/research';
import { messageText } from '@parley/schema/messages/messages';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { addCredits } from '@parley/server/billing/balances';
import { exchange, followUp } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { listLoopCalls, readWaitingPlan, readReport, researchAsk, researched, started, listStepCalls } from './asks.ts';
import { startWeb, type FakeWeb } from '../../support/tools/fake-web.ts';

let services: TestServices;
let web: FakeWeb;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  web = await startWeb();
  services = await openTestServices(
    {
      OPENAI_MODELS: 'gpt-4',
      SEARXNG_URL: web.url,
      EGRESS_ALLOWED_HOSTS: '127.0.0.1',
      TITLE_CONVO: 'false',
      CHECK_BALANCE: 'true',
      TOOL_CALLS_PER_MINUTE: '10000',
    },
    { researchRetryMs: 5 },
  );
  [alice, bob] = await Promise.all([services.as('alice'), services.as('bob')]);
  for (const { id } of [alice, bob]) await addCredits(services.deps.db, id, 500_000_000);
});
afterAll(async () => {
  await services.close();
  await web.close();
});
beforeEach(() => {
  web.says = 'There are 42 of them.';
  web.opened.length = 0;
  web.searches.length = 0;
});

async function rowOf(replyId: string) {
  const [row] = await services.deps.db.query.select().from(researchRuns).where(eq(researchRuns.replyId, replyId));
  if (!row) throw new Error('There is no such research');
  return row;
}

function notesOf(replyId: string) {
  return services.deps.db.query.select().from(researchNotes).where(eq(researchNotes.replyId, replyId));
}

describe('a plan', () => {
  it('is made of the question and waits for its person, with a budget', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=4'));
    const plan = readWaitingPlan(planned);
    expect(plan.steps.map(({ question }) => question)).toEqual([1, 2, 3, 4].map((n) => `What of part ${n}?`));
    expect(plan.title).toBe('On the parts');
    expect(plan.budget).toBeGreaterThan(0);
    expect(planned.reply.finishReason).toBe('tool_calls');
    expect(listLoopCalls(planned.reply)).toMatchObject([{ id: 'plan', state: 'waiting', needs: 'approval' }]);
    expect(await rowOf(planned.reply.messageId)).toMatchObject({ state: 'waiting', version: 1, spent: 0 });
    expect(web.searches).toEqual([]);
  });

  it('has the question as its only step where the model writes none', async () => {
    const planned = await exchange(services, alice.id, researchAsk('prose'));
    const [step, ...others] = readWaitingPlan(planned).steps;
    expect(step?.question).toContain('What of the parts');
    expect(others).toEqual([]);
  });

  it('can be changed while it waits, by the device that saw its last version', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const { steps, budget } = readWaitingPlan(planned);
    const ref = { messageId: planned.reply.messageId };
    const fewer = [{ id: 'x1', question: 'Only this?', why: '' }];
    expect(await alice.api.research.edit({ ...ref, version: 1, steps: fewer, budget: 7 })).toEqual({ version: 2 });
    await expect(alice.api.research.edit({ ...ref, version: 1, steps, budget })).rejects.toThrow('conflict');
    const [, shown] = await alice.api.messages.list({ conversationId: planned.convo.conversationId });
    expect(shown && readWaitingPlan({ reply: shown })).toMatchObject({ version: 2, budget: 7, steps: fewer });
    await expect(exchange(services, alice.id, started(planned))).rejects.toMatchObject({
      reason: { type: 'conflict', text: expect.stringContaining('another device') },
    });
    const current = { ...planned, reply: shown ?? planned.reply };
    const final = await exchange(services, alice.id, started(current, { budget }));
    expect(web.searches).toEqual(['Only this?']);
    expect(final.reply.finishReason).toBe('stop');
    await expect(alice.api.research.edit({ ...ref, version: 3, steps, budget })).rejects.toThrow('conflict');
  });

  it('is denied by another question, and starts no more', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    await exchange(services, alice.id, followUp('Something else', planned, { model: 'gpt-4' }));
    await expect(exchange(services, alice.id, started(planned))).rejects.toMatchObject({
      reason: { type: 'conflict', text: expect.stringContaining('waits for a decision') },
    });
  });

  it('starts only as a research: a bare approval is refused', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const { research: _research, ...bare } = started(planned);
    await expect(exchange(services, alice.id, bare)).rejects.toMatchObject({
      reason: { type: 'conflict', text: expect.stringContaining('begins with its plan') },
    });
  });

  it('a plan can be declined, and the question is answered as any other', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const { research: _research, ...bare } = started(planned);
    const target = {
      kind: 'resume' as const,
      messageId: planned.reply.messageId,
      decisions: { plan: 'deny' as const },
    };
    const { reply } = await exchange(services, alice.id, { ...bare, target });
    expect(reply.finishReason).toBe('stop');
    expect(web.searches).toEqual([]);
  });

  it('of another person is unknown', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const ref = { messageId: planned.reply.messageId };
    const { steps, budget } = readWaitingPlan(planned);
    await expect(bob.api.research.edit({ ...ref, version: 1, steps, budget })).rejects.toThrow();
    expect(await bob.api.research.write(ref)).toBe(false);
    await expect(exchange(services, bob.id, started(planned))).rejects.toThrow();
    expect(await rowOf(ref.messageId)).toMatchObject({ state: 'waiting', version: 1 });
  });
});

describe('a research that was started', () => {
  it('looks up each step, and writes a report with its sources', async () => {
    const { final } = await researched(services, alice.id, 'steps=3');
    const { reply } = final;
    expect(reply.finishReason).toBe('stop');
    expect(web.searches.toSorted()).toEqual([1, 2, 3].map((n) => `What of part ${n}?`));
    expect(listStepCalls(reply).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(await notesOf(reply.messageId)).toHaveLength(3);
    const report = readReport(reply);
    expect(report).toContain('# On the parts');
    expect(report).toContain('42 of them [1]');
    expect(report).toContain(`(<${web.url}/1/1>)`);
    expect(await rowOf(reply.messageId)).toMatchObject({ state: 'ended' });
  });

  it('marks what has no source', async () => {
    const { final } = await researched(services, alice.id, 'steps=3');
    expect(readReport(final.reply)).toContain('comes from. ⚠ *no source*');
    expect(messageText(final.reply)).toContain('Paragraphs without a source: 1.');
  });

  it('marks it in the language of the page that has started it', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const ask = started(planned);
    const start = ask.research?.start && { ...ask.research.start, language: 'de-DE' };
    const { reply } = await exchange(services, alice.id, { ...ask, research: { start } });
    expect(readReport(reply)).toContain('comes from. ⚠ *ohne Quelle*');
    expect(messageText(reply)).toContain('Absätze ohne Quelle: 1.');
  });

  it('asks once what else is to be found out', async () => {
    const { final } = await researched(services, alice.id, 'steps=3,more');
    expect(web.searches).toHaveLength(4);
    expect(web.searches).toContain('What else of the parts?');
    expect(listStepCalls(final.reply)).toHaveLength(4);
  });

  it('says of a step that it found nothing, and pays for it', async () => {
    const { final } = await researched(services, alice.id, 'steps=3,nothing');
    expect(listStepCalls(final.reply).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(readReport(final.reply)).toContain('*Nothing was found out.*');
    expect(await notesOf(final.reply.messageId)).toEqual([]);
    expect((await rowOf(final.reply.messageId)).spent).toBeGreaterThan(0);
  });

  it('waits for a provider that has no room', async () => {
    const { final } = await researched(services, alice.id, 'steps=3,busy=3');
    expect(final.reply.reason).toBeNull();
    expect(listStepCalls(final.reply).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(readReport(final.reply)).toContain('42 of them');
  });
});

describe('the money of a research', () => {
  it('is set aside as a whole, paid by the steps, and given back', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const before = await balanceOf(services.deps.db, alice.id);
    const { reply } = await exchange(services, alice.id, started(planned));
    const row = await rowOf(reply.messageId);
    const paid = await spendingOf(services.deps.db, alice.id, reply.generationId ?? '');
    const credits = paid.reduce((sum, { tokenValue }) => sum - tokenValue, 0);
    const after = await balanceOf(services.deps.db, alice.id);
    expect(after).toEqual({ credits: before.credits - credits, reserved: 0 });
    expect(credits).toBeGreaterThan(row.spent);
    expect(row.spent).toBeGreaterThan(0);
    const shown = await services.deps.db.sql<{ credits: number }[]>`
      select credits::int from generations where id = ${reply.generationId}`;
    // Prices of each step are rounded up by themselves.
    expect(Math.abs((shown[0]?.credits ?? 0) - credits)).toBeLessThan(20);
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('is refused where the balance does not have it', async () => {
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    await expect(exchange(services, alice.id, started(planned, { budget: 900_000_000 }))).rejects.toThrow();
    expect(await rowOf(planned.reply.messageId)).toMatchObject({ state: 'waiting' });
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('that is one credit ends with a report that says so', async () => {
    const { final } = await researched(services, alice.id, 'steps=3', { budget: 1 });
    expect(final.reply.finishReason).toBe('stop');
    expect(listStepCalls(final.reply).map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
    expect(readReport(final.reply)).toContain('*Nothing was found out.*');
    expect((await rowOf(final.reply.messageId)).spent).toBe(0);
    await expectBooksToAgree(services.deps.db, alice.id);
  });

  it('never ends above its budget by more than an answer', async () => {
    const { final } = await researched(services, alice.id, 'steps=8', { budget: 60_000 });
    expect((await rowOf(final.reply.messageId)).spent).toBeLessThan(70_000);
    expect(final.reply.finishReason).toBe('stop');
    await expectBooksToAgree(services.deps.db, alice.id);
  });
});
