import { randomUUID } from 'node:crypto';
import { users } from '@parley/db/tables/users';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { linkIn, startMailServer, type MailServer } from '../../support/accounts/mail-server.ts';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const CHOSEN = { isOn: false, hasTitles: false, hasMail: true };

let server: MailServer;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  server = await startMailServer();
  services = await openTestServices({ TITLE_CONVO: 'false', ...server.env });
  alice = await services.as('alice');
});
afterEach(() => server.letters.splice(0));
afterAll(async () => {
  await services.close();
  await server.close();
});

/** Asks a schedule's question now, and waits for the end of its answer. */
async function run(): Promise<string> {
  const id = randomUUID();
  const target = { endpoint: 'openAI', model: 'gpt-4' };
  await alice.api.schedules.save({ id, title: 'Salaries', text: 'News?', target, timeZone: 'UTC', cron: '0 7 * * *' });
  const { conversationId } = await alice.api.schedules.runNow({ id });
  const ref = { conversationId: conversationId ?? '' };
  await expect.poll(async () => (await alice.api.convos.byId(ref)).running).toBeNull();
  await services.deps.notices.settled();
  return ref.conversationId;
}

describe('the mail about a schedule', () => {
  it('comes once for each run, with a link and without its title, where its person chose it', async () => {
    await alice.api.settings.set({ notices: CHOSEN });
    const conversationId = await run();
    await expect.poll(() => server.letters.length).toBe(1);
    const [letter] = server.letters;
    expect(letter?.to).toEqual(['alice@example.com']);
    expect(letter?.head.subject).toBe('A schedule has run at Parley');
    expect(`${letter?.text}${letter?.html}`).not.toContain('Salaries');
    expect(letter && linkIn(letter)).toBe(`http://localhost:3080/c/${conversationId}`);
    await exchange(services, alice.id, question('Asked by a person'));
    await services.deps.notices.settled();
    expect(server.letters).toHaveLength(1);
  });

  it('names the schedule where titles are allowed', async () => {
    await alice.api.settings.set({ notices: { ...CHOSEN, hasTitles: true } });
    await run();
    await expect.poll(() => server.letters.map(({ head }) => head.subject)).toEqual(['A schedule has run: Salaries']);
  });

  it('comes not where nobody chose it, nor to an account that may not sign in', async () => {
    await alice.api.settings.set({ notices: null });
    await run();
    await alice.api.settings.set({ notices: CHOSEN });
    const { query } = services.deps.db;
    await query.update(users).set({ state: 'disabled' }).where(eq(users.id, alice.id));
    services.deps.notices.answerEnded(await endOfRun());
    await services.deps.notices.settled();
    await services.deps.mail?.close();
    expect(server.letters).toHaveLength(0);
    await query.update(users).set({ state: 'active' }).where(eq(users.id, alice.id));
    services.deps.notices.answerEnded(await endOfRun());
    await expect.poll(() => server.letters.length).toBe(1);
  });
});

/** As the end of the last run of her schedules. */
async function endOfRun() {
  const [row] = await services.deps.db.sql<{ generation_id: string; convo_id: string }[]>`
    select generation_id, convo_id from schedule_runs where user_id = ${alice.id} order by at desc limit 1`;
  const ids = { generationId: row?.generation_id ?? '', conversationId: row?.convo_id ?? '' };
  return { userId: alice.id, ...ids, title: null, kind: 'ready' as const, settings: CHOSEN };
}
