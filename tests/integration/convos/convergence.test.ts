import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Convo } from '@parley/schema/convos/convos';
import type { Message } from '@parley/schema/messages/messages';
import { errorReason } from '@parley/server/http/trpc';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { edition } from '../chat/asks.ts';
import { openBrowser, type Browser } from './browser.ts';

let services: TestServices;

beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

/** What one of three browsers does. `n` picks the conversation and the message, among those that it knows. */
const aStep = fc.record({
  who: fc.nat({ max: 2 }),
  n: fc.nat({ max: 1000 }),
  deed: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('ask', 'follow up', 'regenerate', 'go on') },
    { weight: 3, arbitrary: fc.constantFrom('edit', 'remove', 'prune', 'fork', 'undo') },
    { weight: 3, arbitrary: fc.constantFrom('rename', 'pin', 'archive', 'delete', 'draft') },
    { weight: 3, arbitrary: fc.constantFrom('leave', 'come back') },
    { weight: 1, arbitrary: fc.constant('stop') },
  ),
});
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

describe('three browsers with random actions and reconnects', () => {
  it('converge on one list, one tree in each conversation and the same drafts', async () => {
    let users = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 20, maxLength: 45 }), async (steps) => {
        const person = await createPerson((users += 1));
        const browsers = await Promise.all([0, 1, 2].map(() => openBrowser(services, person)));
        const doing: Promise<void>[] = [];
        for (const [at, step] of steps.entries()) {
          const browser = browsers[step.who];
          if (browser) doing.push(act(browser, person, step));
          // Some overlap, some do not.
          if (at % 3 === step.n % 3) await Promise.all(doing);
        }
        await Promise.all(doing);
        await settled(person);
        await Promise.all(browsers.map((browser) => browser.comeBack()));
        // A title may still come, so the truth is read again as long as somebody knows another.
        await expect.poll(async () => differences(await readTruth(person), browsers), { interval: 200 }).toEqual([]);
        await Promise.all(browsers.map((browser) => browser.close()));
      }),
      { numRuns: 12, interruptAfterTimeLimit: 60_000, endOnFailure: true },
    );
  }, 180_000);
});

/** What each browser knows otherwise than the database does. */
function differences(truth: Awaited<ReturnType<typeof readTruth>>, browsers: readonly Browser[]) {
  return browsers.flatMap((browser, n) => {
    const known = { convos: browser.convos(), trees: browser.trees(), drafts: browser.drafts() };
    return isDeepStrictEqual(known, truth) ? [] : [{ n, known, truth }];
  });
}

/** What is refused here is what somebody else's deed made impossible meanwhile. */
async function act(browser: Browser, person: Person, step: Step): Promise<void> {
  try {
    await perform(browser, person, step);
  } catch (error) {
    const reason = error instanceof Error ? errorReason(error) : null;
    if (!reason || !['not_found', 'conflict', 'concurrent'].includes(reason.type)) throw error;
  }
}

async function perform(browser: Browser, { api }: Person, { n, deed }: Step): Promise<void> {
  const convo = pick(browser.convos(), n);
  const convoRef = { conversationId: convo?.conversationId ?? randomUUID() };
  const thread = browser.trees()[convoRef.conversationId] ?? [];
  const message = pick(thread, n);
  const ref = { ...convoRef, messageId: message?.messageId ?? randomUUID() };
  const model = n % 4 === 0 ? 'fake:length' : n % 7 === 0 ? 'fake:never-ending' : 'fake:echo';
  switch (deed) {
    case 'ask':
      await api.messages.ask(question(`Question ${n}`, { model }));
      return;
    case 'follow up': {
      const target = {
        kind: 'send' as const,
        messageId: randomUUID(),
        parentMessageId: ref.messageId,
        text: `More ${n}`,
      };
      await api.messages.ask(question('', { ...convoRef, model, target }));
      return;
    }
    case 'regenerate':
      await api.messages.ask(
        question('', { ...convoRef, model, target: { kind: 'regenerate', parentMessageId: ref.messageId } }),
      );
      return;
    case 'go on': {
      const target = { kind: 'continue' as const, messageId: ref.messageId };
      if (n % 2 === 0 && convo && message) await api.messages.ask(edition('Edited, ', { convo, reply: message }));
      else await api.messages.ask(question('', { ...convoRef, model, replyId: ref.messageId, target }));
      return;
    }
    case 'edit':
      await api.messages.edit({ ...ref, text: `Other words ${n}` });
      return;
    case 'remove':
      await api.messages.remove(ref);
      return;
    case 'prune':
      await api.messages.prune(ref);
      return;
    case 'fork':
      await api.convos.fork({ ...ref, forkId: randomUUID() });
      return;
    case 'undo': {
      const { deletions } = await api.convos.trash({});
      const deletion = pick(deletions, n);
      if (deletion) await api.convos.restore({ deletionId: deletion.deletionId });
      return;
    }
    case 'rename':
      await api.convos.rename({ ...convoRef, title: `Title ${n}` });
      return;
    case 'pin':
      await api.convos.update({ ...convoRef, isPinned: n % 2 === 0 });
      return;
    case 'archive':
      await api.convos.archiveMany({ conversationIds: [convoRef.conversationId], isArchived: n % 2 === 0 });
      return;
    case 'delete':
      await (n % 10 === 0 ? api.convos.clear() : api.convos.remove(convoRef));
      return;
    case 'draft': {
      const text = n % 3 === 0 ? '' : `Typed ${n}`;
      await api.drafts.save({ key: convoRef.conversationId, text, editedAt: new Date().toISOString(), basedOn: 0 });
      return;
    }
    case 'leave':
      return browser.leave();
    case 'come back':
      return browser.comeBack();
    case 'stop':
      if (convo?.running) await api.messages.abort({ generationId: convo.running });
      return;
    default:
      throw new Error(`Nobody knows how to ${deed}`);
  }
}

function pick<T>(among: readonly T[], n: number): T | undefined {
  return among[n % Math.max(1, among.length)];
}

/** Stops what would go on for ever, and waits until nothing is being written or named. */
async function settled({ api }: Person): Promise<void> {
  const running = async () => (await listAll(api)).flatMap((convo) => convo.running ?? []);
  await expect
    .poll(
      async () => {
        for (const generationId of await running()) await api.messages.abort({ generationId }).catch(() => null);
        return running();
      },
      { timeout: 30_000 },
    )
    .toEqual([]);
}

async function readTruth({ api }: Person) {
  const convos = sorted(await listAll(api));
  const threads = convos.map(async ({ conversationId }): Promise<[string, Message[]]> => [
    conversationId,
    await api.messages.list({ conversationId }),
  ]);
  const trees = Object.fromEntries(await Promise.all(threads));
  const drafts = Object.fromEntries((await api.drafts.list()).map(({ key, text }) => [key, text]));
  return { convos, trees, drafts };
}

async function listAll(api: Person['api']): Promise<Convo[]> {
  const lists = [await api.convos.list({ limit: 100 }), await api.convos.list({ limit: 100, archived: true })];
  return lists.flatMap(({ convos }) => convos);
}

function sorted(convos: readonly Convo[]): Convo[] {
  return convos.toSorted((a, b) => a.conversationId.localeCompare(b.conversationId));
}

async function createPerson(n: number): Promise<Person> {
  return services.as(`person ${n}` as 'alice');
}
