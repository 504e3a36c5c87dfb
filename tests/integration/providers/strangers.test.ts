// One conversation with each server that speaks OpenAI's protocol in its own way: whatever the server refuses and however
// it says things, the person sees the same.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { strangers, type StrangerName } from '@parley/scripts/fake-provider/protocols/strangers/profiles';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { continuation } from '../chat/asks.ts';
import { answerRequests, exchange, followUp, question, readAll, untilText } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const names = Object.keys(strangers) as StrangerName[];
const endpointOf = (name: StrangerName) => `Ours, ${name}`;
/** Spends a few tokens on thoughts before any answer. */
const THINKING = 'qwen3-8b-thinking';

let services: TestServices;
let alice: Person;
let admin: Person;
let picture: string;

beforeAll(async () => {
  const CONFIG_PATH = join(createFolder(), 'parley.yaml');
  const entries = names.map(
    (name) =>
      `    - { name: '${endpointOf(name)}', apiKey: k, baseURL: '\${FAKE}/strangers/${encodeURIComponent(name)}/v1', models: { default: [one, qwen2.5-vl, ${THINKING}] } }`,
  );
  writeFileSync(CONFIG_PATH, ['version: 1.0.7', 'endpoints:', '  custom:', ...entries, ''].join('\n'));
  services = await openTestServices({ CONFIG_PATH, FAKE: '${FAKE_PROVIDER}' });
  alice = await services.as('alice');
  admin = await services.as('bob', 'ADMIN');
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#c00' } });
  const kept = { name: 'flag.png', mime: 'image/png', width: 40, height: 30, text: await image.png().toBuffer() };
  picture = (await keepTestFile(services.deps, alice.id, kept)).id;
});
beforeEach(() => services.provider.clear());
afterAll(() => services.close());

const SETTINGS = {
  promptPrefix: 'Be brief.',
  chatGptLabel: 'Al',
  temperature: 0.5,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  stop: ['END'],
};

const partsOf = ({ parts }: Message, type: 'reasoning' | 'text') =>
  parts.flatMap((part) => (part.type === type ? part.text : [])).join('');
const lastBody = () => JSON.stringify(answerRequests(services.provider).at(-1)?.body);

describe.each(names)('%s', (name) => {
  const endpoint = endpointOf(name);
  const ask = (text: string, settings: object = {}) =>
    exchange(services, alice.id, question(text, { endpoint, model: 'one', settings: { ...SETTINGS, ...settings } }));
  const goOn = (text: string, after: FinalEvent, settings: object = {}) =>
    exchange(
      services,
      alice.id,
      followUp(text, after, { endpoint, model: 'one', settings: { ...SETTINGS, ...settings } }),
    );
  const show = (text: string, after?: FinalEvent) => {
    const messageId = randomUUID();
    const parentMessageId = after?.reply.messageId ?? null;
    const target = { kind: 'send' as const, messageId, parentMessageId, text, files: [picture] };
    const over = { endpoint, model: 'qwen2.5-vl', settings: SETTINGS, target };
    return exchange(services, alice.id, after ? followUp(text, after, over) : question(text, over));
  };
  const failure = (event: FinalEvent) => event.reply.reason as { type: string; text?: string } | null;

  it('answers a question with instructions, and the next ones', async () => {
    const first = await ask('Hello there [[echo]]');
    expect(first.reply).toMatchObject({ reason: null, finishReason: 'stop' });
    expect(messageText(first.reply)).toContain('Hello there [[echo]]');
    services.provider.clear();
    const second = await goOn('And now [[echo]]', first);
    expect(second.reply.reason).toBeNull();
    expect(lastBody()).toContain('Be brief.');
    // What it has refused is not tried again.
    expect(answerRequests(services.provider)).toHaveLength(1);
    const third = await goOn('Third [[echo]]', second);
    expect(third.reply.reason).toBeNull();
  });

  it('says why it fails, and answers what is asked then', async () => {
    const failed = await ask('Fail now [[error-500]]');
    expect(failure(failed)).toMatchObject({ type: 'provider_unavailable', status: 500 });
    expect(failure(failed)?.text).toContain('The server had an error while processing your request.');
    const refused = await goOn('Fail again [[error-403]]', failed);
    expect(failure(refused)).toMatchObject({ type: 'provider_refused' });
    expect(failure(refused)?.text).toContain('not have access to this model');
    const answered = await goOn('Now then [[echo]]', refused);
    expect(answered.reply.reason).toBeNull();
    expect(messageText(answered.reply)).toContain('Now then');
  });

  it('says why it breaks off, behind what it has said', async () => {
    const broken = await ask('Break [[error-midstream:9]]');
    expect(messageText(broken.reply)).not.toBe('');
    expect(failure(broken)?.text).toContain('The server had an error while processing your request.');
    expect((await goOn('Go on [[echo]]', broken)).reply.reason).toBeNull();
  });

  it('has its thoughts apart from its words, and is not given them again', async () => {
    const thought = await ask('Think [[reasoning]]');
    expect(partsOf(thought.reply, 'reasoning')).toContain('think about it first');
    expect(messageText(thought.reply)).not.toMatch(/think about it first|think>/);
    expect(messageText(thought.reply)).toContain('Think');
    expect((await goOn('And [[echo]]', thought)).reply.reason).toBeNull();
    expect(lastBody()).not.toContain('think about it first');
  });

  it('is stopped, and goes on with another question', async () => {
    const input = question('Say much [[never-ending:5]]', { endpoint, model: 'one', settings: SETTINGS });
    await services.deps.askService.ask(alice.id, input);
    await untilText(services, alice.id, input.generationId);
    await services.deps.askService.stop(alice.id, input.generationId);
    const stopped = (await readAll(services, alice.id, input.generationId)).at(-1)?.event as FinalEvent;
    expect(stopped.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
    expect((await goOn('Enough [[echo]]', stopped)).reply.reason).toBeNull();
  });

  it('says that its answer ends at the limit, and goes on with it', async () => {
    const cut = await ask('Too long [[length]]');
    expect(cut.reply).toMatchObject({ finishReason: 'length', reason: null });
    const more = await exchange(services, alice.id, continuation(cut, { endpoint, model: 'one' }));
    expect(more.reply.reason).toBeNull();
    expect(messageText(more.reply).length).toBeGreaterThan(messageText(cut.reply).length);
  });

  it('calls tools, or answers without them, and is asked again with what they said', async () => {
    const { tools: refusesTools } = strangers[name].refuses as { tools?: object };
    const answered = await ask('Compute [[calculate:6 * 7]]', { tools: ['calculator'] });
    expect(answered.reply.reason).toBeNull();
    const calls = answered.reply.parts.filter(isLoopCall).map(({ call }) => call);
    if (refusesTools) expect(JSON.stringify(answered.reply.parts)).toContain('takes no tools');
    else expect(calls).toMatchObject([{ name: 'calculator', state: 'done', output: '42' }]);
    expect((await goOn('And then [[echo]]', answered, { tools: ['calculator'] })).reply.reason).toBeNull();
    expect((await goOn('Without [[echo]]', answered)).reply.reason).toBeNull();
  });

  it('sees a picture, or is told of it, also in a later question', async () => {
    const { parts: refusesParts } = strangers[name].refuses as { parts?: object };
    const seen = await show('What is it? [[echo]]');
    expect(seen.reply.reason).toBeNull();
    expect(messageText(seen.reply)).toContain('What is it?');
    expect(messageText(seen.reply)).toContain(refusesParts ? 'you cannot see' : '[saw image/png of');
    const asked = { endpoint, model: 'qwen2.5-vl', settings: SETTINGS };
    const later = await exchange(services, alice.id, followUp('And now? [[echo]]', seen, asked));
    expect(later.reply.reason).toBeNull();
    expect((await show('And this one? [[echo]]', later)).reply.reason).toBeNull();
  });

  it('gives a title, also by a model that thinks first', async () => {
    const asked = question('How do lighthouses work at night? [[reasoning]]', {
      endpoint,
      model: THINKING,
    });
    const { convo, reply } = await exchange(services, alice.id, asked);
    expect(reply.reason).toBeNull();
    const { conversationId } = convo;
    await expect
      .poll(async () => (await alice.api.convos.byId({ conversationId })).title)
      .toBe('Lighthouses Work at Night');
  });

  it('has the usage that its server tells, or our own count', async () => {
    const counted = await ask('Count [[usage-told:5000,400,4096,64]]');
    const { fields } = strangers[name] as { fields: readonly string[] };
    const told = { input: 5000, output: 400, cachedRead: 4096, reasoning: 64 };
    const ours = { input: expect.any(Number), output: expect.any(Number), estimated: true };
    // A server tells of it only where it may be asked for it.
    expect(counted.reply.usage).toMatchObject(fields.includes('stream_options') ? ours : told);
    expect(answerRequests(services.provider).at(-1)?.body).not.toHaveProperty('user');
  });

  it('is shown with what it refuses to its administrator', async () => {
    await ask('Once more [[echo]]', { tools: ['calculator'] });
    const row = (await admin.api.admin.providers.list()).find((one) => one.name === endpoint);
    const { refuses, fields } = strangers[name];
    const leftOut = new Set(row?.leftOut.map((one) => one.name));
    const asked = new Set(['stream_options', ...Object.keys(SETTINGS)]);
    for (const field of fields as readonly string[]) if (asked.has(field)) expect(leftOut).toContain(field);
    if ('system' in refuses) expect(leftOut).toContain('role: system');
    if ('tools' in refuses) expect(leftOut).toContain('tools');
  });
});
