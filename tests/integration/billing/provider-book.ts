// What Parley says that a call used is what its provider has in its own book, however the call ended and no matter who pays; and
// it costs what its price says.
import { randomUUID } from 'node:crypto';
import { transactions } from '@parley/db/tables/balances';
import { generations } from '@parley/db/tables/generations';
import { costInCredits, INCOMPLETE_FACTOR, ratesOfCall } from '@parley/schema/catalog/rates';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { addUsage, type ReportedRates, type Usage } from '@parley/schema/catalog/usage';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Message } from '@parley/schema/messages/messages';
import type { RecordedRequest } from '@parley/scripts/fake-provider';
import { addCredits } from '@parley/server/billing/balances';
import { and, eq, sql } from 'drizzle-orm';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectBooksToAgree } from '../../support/credits.ts';
import { followUp, question, readAll, untilText } from '../../support/exchange.ts';
import { openHttpClients, type HttpClients } from '../../support/http-clients.ts';
import type { Person } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

export interface BookedProvider {
  endpoint: string;
  endpointType: EndpointType;
  model: string;
  /** The prices that are given, by the provider or by the person who runs the server; absent where they follow from the name. */
  rates?: ReportedRates;
  /** False where its protocol has no tools here. */
  takesTools?: false;
}

/** The prices that are given, by the name of the endpoint. */
type Given = ReadonlyMap<string, ReportedRates | undefined>;

/** How an answer ends, by the scenario that ends so. */
const ENDS = {
  'is whole': 'plain',
  'is whole and has cached tokens and reasoning': 'usage-told:9000,700,8192,300',
  'has no usage': 'no-usage',
  'thinks first': 'reasoning',
  'is cut off': 'cut:9',
  'is refused': 'error-500',
  'is an error before its first word': 'error-midstream:0',
  'is an error in its midst': 'error-midstream:9',
  'is filtered': 'refusal',
  'ends at the limit': 'length',
  'calls a tool': 'call-tool:echo {"input":"a"}',
};

const PAYERS = ['nobody', 'a budget', 'a balance', 'a key'] as const;
type Payer = (typeof PAYERS)[number];

const PLENTY = 1_000_000_000;

let free: HttpClients;
let paid: HttpClients;
let given: Given;

/** The tests of these providers, on servers with this environment. */
export function describeBooks(
  env: Record<string, string>,
  providers: readonly BookedProvider[],
  payers: readonly Payer[] = PAYERS,
): void {
  beforeAll(() => openServers(env, providers));
  afterAll(() => Promise.all([free.close(), paid.close()]));
  describe.each(payers)('where %s pays, the usage of', (payer) => {
    describe.each(providers)('$endpoint is that of its book when the answer', (provider) => {
      answersOf(payer, provider);
    });
    besideAnswers(payer, providers);
  });
}

async function openServers(env: Record<string, string>, providers: readonly BookedProvider[]): Promise<void> {
  given = new Map(providers.map(({ endpoint, rates }) => [endpoint, rates]));
  // Another file of the same worker has had servers of its own.
  paying.clear();
  const toolSources = [sourceOf(createTool('echo'))];
  [free, paid] = await Promise.all([
    openHttpClients({ env, toolSources }),
    openHttpClients({ env: { ...env, CHECK_BALANCE: 'true' }, toolSources }),
  ]);
}

interface Paying {
  clients: HttpClients;
  person: Person;
  key: string;
  keyId: string;
}

const paying = new Map<Payer, Promise<Paying>>();

/** A person for each way to pay. */
function payerOf(payer: Payer): Promise<Paying> {
  const known = paying.get(payer) ?? open(payer);
  paying.set(payer, known);
  return known;
}

async function open(payer: Payer): Promise<Paying> {
  const clients = payer === 'a balance' ? paid : free;
  const { services } = clients;
  const names = { nobody: 'alice', 'a budget': 'bob', 'a balance': 'carol', 'a key': 'dave' } as const;
  const person = await services.as(names[payer]);
  if (payer === 'a balance') await addCredits(services.deps.db, person.id, PLENTY);
  if (payer === 'a budget') {
    const admin = await services.as('erin', 'ADMIN');
    const email = `${names[payer]}@example.com`;
    await admin.api.admin.usage.setBudget({ scope: 'person', email, credits: PLENTY, period: 'month', version: null });
  }
  const monthlyCredits = payer === 'a key' ? PLENTY : null;
  const { id, key } = await person.api.apiKeys.create({ name: 'Script', scopes: ['chat', 'rest'], monthlyCredits });
  return { clients, person, key, keyId: id };
}

async function begin({ clients, person, key }: Paying, payer: Payer, input: AskInput): Promise<void> {
  const { askService, keyHolders } = clients.services.deps;
  const program = payer === 'a key' ? ((await keyHolders.find(key)) ?? undefined) : undefined;
  await askService.ask(person.id, input, { program });
}

async function endOf({ clients, person }: Paying, generationId: string): Promise<FinalEvent> {
  const last = (await readAll(clients.services, person.id, generationId)).at(-1)?.event;
  if (last?.type !== 'final') throw new Error(`It ended with ${last?.type ?? 'nothing'}`);
  return last;
}

function requestsAbout({ clients }: Paying, mark: string): RecordedRequest[] {
  const isAnswer = ({ body, scenario }: RecordedRequest) =>
    scenario !== 'title' && scenario !== 'refused' && JSON.stringify(body ?? null).includes(mark);
  return clients.services.provider.requests.filter(isAnswer);
}

/** Of the book, and of our own count where a provider told nothing, or only its prompt. */
function expectedUsage(requests: readonly RecordedRequest[], reply: Message): Usage {
  const written = reply.parts.map((part) => ('text' in part ? part.text : '')).join('');
  const output = Math.ceil(Buffer.byteLength(written) / 4);
  const sum = requests.reduce<Usage | null>((before, { used, scenario }) => {
    if (used && used.output > 0) return addUsage(before, withoutZeros(used));
    if (scenario?.startsWith('error-500') || (!used && output === 0)) return before;
    const prompt = used ? withoutZeros(used) : { input: reply.context?.tokens ?? 0 };
    return addUsage(before, { ...prompt, output, estimated: true });
  }, null);
  return sum && !(reply.reason && written === '') ? sum : { input: 0, output: 0, estimated: true };
}

function withoutZeros({ input, output, ...parts }: NonNullable<RecordedRequest['used']>): Usage {
  return { input, output, ...Object.fromEntries(Object.entries(parts).filter(([, count]) => count > 0)) };
}

async function expectTold(by: Paying, payer: Payer, { reply }: FinalEvent, counted: Usage): Promise<void> {
  const { db } = by.clients.services.deps;
  const usage = pricedUsage(reply.endpoint, counted);
  const { tookMs: _took, ...told } = reply.usage ?? { input: -1, output: -1 };
  expect(told).toEqual(usage);
  const { rates, credits } = costOf(reply.endpointType, reply.model, usage, reply.finishReason === 'incomplete');
  const [row] = await db.query
    .select()
    .from(generations)
    .where(eq(generations.id, reply.generationId ?? ''));
  expect(row).toMatchObject({ usage, credits });
  if (payer !== 'a balance') return;
  const entries = await db.query
    .select()
    .from(transactions)
    .where(and(eq(transactions.userId, by.person.id), eq(transactions.generationId, reply.generationId ?? '')));
  const isCharged = reply.endpointType !== 'google' && usage.input > 0;
  const tokensOf = (type: string) =>
    entries.reduce((sum, { tokenType, rawAmount }) => sum - (tokenType === type ? rawAmount : 0), 0);
  const { input, cachedRead = 0, cachedWrite = 0, output } = isCharged ? usage : { input: 0, output: 0 };
  expect(['prompt', 'cached_read', 'cached_write', 'completion'].map(tokensOf)).toEqual([
    input - cachedRead - cachedWrite,
    cachedRead,
    cachedWrite,
    output,
  ]);
  expect(entries.reduce((sum, { tokenValue }) => sum - tokenValue, 0)).toBe(isCharged ? credits : 0);
  expect(rates.prompt > 0).toBe(usage.rates?.prompt !== 0);
  await expectBooksToAgree(db, by.person.id);
}

/** With the prices that are given: they are kept with what was used, where something was. */
function pricedUsage(endpoint: string, usage: Usage): Usage {
  const rates = given.get(endpoint);
  return rates && usage.input + usage.output > 0 ? { ...usage, rates } : usage;
}

function costOf(endpointType: EndpointType, model: string | null, usage: Usage, isIncomplete: boolean) {
  const rates = ratesOfCall({ endpointType, model, rates: usage.rates });
  const completion = isIncomplete ? Number((rates.completion * INCOMPLETE_FACTOR).toFixed(6)) : rates.completion;
  return { rates, credits: costInCredits(usage, { ...rates, completion }) };
}

function answersOf(payer: Payer, { endpoint, endpointType, model, takesTools }: BookedProvider): void {
  const ends = Object.entries(ENDS).filter(([, scenario]) => takesTools !== false || !scenario.startsWith('call-tool'));
  it.each(ends)('%s', async (_how, scenario) => {
    const by = await payerOf(payer);
    const mark = randomUUID();
    const settings = scenario.startsWith('call-tool') ? { tools: ['echo'] } : {};
    const asked = question(`Said ${mark}. [[${scenario}]]`, { endpoint, model, settings });
    await begin(by, payer, asked);
    const final = await endOf(by, asked.generationId);
    const requests = requestsAbout(by, mark);
    expect(requests).toHaveLength(scenario.startsWith('call-tool') ? 2 : 1);
    await expectTold(by, payer, final, expectedUsage(requests, final.reply));
  });

  it('is stopped', async () => {
    const by = await payerOf(payer);
    const mark = randomUUID();
    const asked = question(`${'Much is asked. '.repeat(500)}${mark} [[never-ending]]`, { endpoint, model });
    await begin(by, payer, asked);
    await untilText(by.clients.services, by.person.id, asked.generationId);
    await by.person.api.messages.abort({ generationId: asked.generationId });
    const final = await endOf(by, asked.generationId);
    const usage = expectedUsage(requestsAbout(by, mark), final.reply);
    expect(usage).toMatchObject({ estimated: true });
    expect(usage.input).toBeGreaterThan(1500);
    await expectTold(by, payer, final, usage);
  });

  it('goes on with a long chat, which its provider may cache', async () => {
    const by = await payerOf(payer);
    const mark = randomUUID();
    const first = question(`${'A long story. '.repeat(800)}${mark}`, { endpoint, model });
    await begin(by, payer, first);
    const told = await endOf(by, first.generationId);
    const second = followUp('And then?', told, { endpoint, model });
    await begin(by, payer, second);
    const final = await endOf(by, second.generationId);
    const [, request] = requestsAbout(by, mark);
    await expectTold(by, payer, final, expectedUsage(request ? [request] : [], final.reply));
    if (endpoint !== 'anthropic') return;
    expect(told.reply.usage?.cachedWrite).toBeGreaterThan(1024);
    expect(final.reply.usage?.cachedRead).toBe(told.reply.usage?.cachedWrite);
  });

  it.each([false, true])('is given to a program (streamed: %s)', async (stream) => {
    const by = await payerOf(payer);
    const mark = randomUUID();
    const scenario = endpoint === 'anthropic' ? 'plain' : 'usage-told:5000,400,4096,64';
    const client = new OpenAI({ baseURL: `http://${by.clients.host}/v1`, apiKey: by.key, maxRetries: 0 });
    const body = {
      model: `${endpoint}/${model}`,
      messages: [{ role: 'user' as const, content: `Said ${mark}. [[${scenario}]]` }],
    };
    const said = stream ? await lastUsage(client, body) : (await client.chat.completions.create(body)).usage;
    const [request] = requestsAbout(by, mark);
    const { input = 0, cachedRead = 0, output = 0, reasoning = 0 } = request?.used ?? {};
    expect(output).toBeGreaterThan(0);
    expect(said).toMatchObject({
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cachedRead },
      completion_tokens_details: { reasoning_tokens: reasoning },
    });
    const { db } = by.clients.services.deps;
    const rows = await db.query
      .select()
      .from(generations)
      .where(and(eq(generations.userId, by.person.id), sql`usage ->> 'input' = ${String(input)} and kind = 'api'`));
    const { credits } = costOf(endpointType, model, pricedUsage(endpoint, withoutZeros(request?.used ?? NONE)), false);
    expect(rows.map((row) => row.credits)).toContain(credits);
  });
}

/** With their names, for the titles of tests. */
function columnsOf(providers: readonly BookedProvider[]): [names: string, columns: readonly BookedProvider[]][] {
  const chats = Array.from({ length: Math.ceil(providers.length / 3) }, (_, n) => providers.slice(3 * n, 3 * n + 3));
  return chats.map((columns) => [columns.map(({ endpoint }) => endpoint).join(', '), columns]);
}

function besideAnswers(payer: Payer, providers: readonly BookedProvider[]): void {
  it.each(columnsOf(providers))('answers side by side is that of the books of %s', async (_names, columns) => {
    const by = await payerOf(payer);
    const mark = randomUUID();
    const send = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: `Said ${mark}.` } as const;
    const asks = columns.map(({ endpoint, model }) => ({
      generationId: randomUUID(),
      replyId: randomUUID(),
      endpoint,
      model,
      settings: {},
      target: send,
    }));
    await by.person.api.messages.askMany({ conversationId: randomUUID(), asks });
    const finals = await Promise.all(asks.map(({ generationId }) => endOf(by, generationId)));
    for (const final of finals) {
      const isOfModel = ({ path, body }: RecordedRequest) =>
        path.includes(final.reply.model ?? '') || JSON.stringify(body).includes(`"${final.reply.model}"`);
      const requests = requestsAbout(by, mark).filter(isOfModel);
      expect(requests).toHaveLength(1);
      await expectTold(by, payer, final, expectedUsage(requests, final.reply));
    }
  });

  it('titles is that of the books, and all of it adds up where it is shown', async () => {
    const by = await payerOf(payer);
    const { db, provider } = { ...by.clients.services.deps, ...by.clients.services };
    const rows = () => db.query.select().from(generations).where(eq(generations.userId, by.person.id));
    const untitled = sql<number>`(select count(*) from convos where user_id = ${by.person.id} and titled_by is null
      and not exists (select from messages where convo_id = convos.id and (reason is not null or finish_reason = 'incomplete')))`;
    await expect.poll(async () => Number((await db.query.execute<{ count: string }>(untitled))[0]?.count)).toBe(0);
    // Rows that are being written while usage is gathered are for the next time.
    const uncounted = async () => {
      await by.person.api.usage.mine({});
      return (await rows()).filter(({ isUncounted }) => isUncounted);
    };
    await expect.poll(uncounted).toEqual([]);
    const all = await rows();
    const titles = all.filter(({ kind }) => kind === 'title');
    expect(titles.length).toBeGreaterThan(0);
    for (const { usage } of titles) {
      const inBook = provider.requests.some(
        ({ scenario, used }) => scenario === 'title' && used?.input === usage?.input && used?.output === usage?.output,
      );
      expect(inBook).toBe(true);
    }
    const sum = (name: 'input' | 'cachedRead' | 'cachedWrite' | 'output' | 'reasoning') =>
      all.reduce((before, { usage }) => before + (usage?.[name] ?? 0), 0);
    const credits = all.reduce((before, row) => before + (row.credits ?? 0), 0);
    const { models, budgets } = await by.person.api.usage.mine({});
    for (const name of ['input', 'cachedRead', 'cachedWrite', 'output', 'reasoning'] as const)
      expect([name, models.reduce((before, row) => before + row[name], 0)]).toEqual([name, sum(name)]);
    expect(models.reduce((before, row) => before + row.credits, 0)).toBe(credits);
    if (payer === 'a budget') expect(budgets).toMatchObject([{ spent: credits, left: PLENTY - credits }]);
    const ofKey = all.reduce((before, row) => before + (row.apiKeyId === by.keyId ? (row.credits ?? 0) : 0), 0);
    const listed = (await by.person.api.apiKeys.list()).find(({ id }) => id === by.keyId);
    expect(listed?.spentCredits).toBe(ofKey);
  });
}

const NONE = { input: 0, cachedRead: 0, cachedWrite: 0, output: 0, reasoning: 0 };

async function lastUsage(
  client: OpenAI,
  body: { model: string; messages: { role: 'user'; content: string }[] },
): Promise<OpenAI.CompletionUsage | undefined> {
  const chunks = await client.chat.completions.create({
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  });
  let usage: OpenAI.CompletionUsage | undefined;
  for await (const chunk of chunks) usage = chunk.usage ?? usage;
  return usage;
}
