// (n) Answers side by side: four at a quarter of the pace beside one, and how much later the first word of each comes.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import { asFields } from '@parley/schema/json';
import type { CDPSession, Page } from 'playwright-core';
import { createDevice, registerAccount, type Device } from '../../api-client.ts';
import { launchBrowser } from '../../browser.ts';
import { startFakeProvider } from '../../fake-provider.ts';
import { scriptedStream } from '../../fake-provider/scenario.ts';
import { atMost, median, ms, printFigures, type Figure } from '../figures.ts';
import { openParley } from '../parley-server.ts';
import { COMPOSER, SEND, signInAs } from './browser-visit.ts';
import { deltas, taskTime } from './growing-reply.ts';

const COLUMNS = 4;
/** 100 tokens a second in all. */
const PACE_MS = 10;
const MEASURED_MS = 10_000;
const ROUNDS = 5;
/** The first word, which is quicker to measure. */
const ASKS = 40;
/** Between two rounds of these. */
const REST_MS = 500;
/** What answers at full pace, and at a quarter of it. */
const MODELS = { alone: 'whole', column: 'quarter', quick: 'fake:plain' } as const;

/** Prints the table and returns how many targets were missed. */
export async function benchColumns(): Promise<number> {
  const provider = await startFakeProvider();
  provider.script('paced', {
    about: 'markdown of many kinds, by one model at a hundred tokens a second and by the other at a quarter of that',
    script({ body }) {
      const isAlone = asFields(body).model === MODELS.alone;
      return scriptedStream(deltas(), { pace: { every: isAlone ? PACE_MS : PACE_MS * COLUMNS, count: 1 } });
    },
  });
  const parley = await openParley(provider.url, { OPENAI_MODELS: Object.values(MODELS).join(), TITLE_CONVO: 'false' });
  const browser = await launchBrowser();
  const { url } = parley.server;
  const account = await registerAccount(url, 'reader');
  const device = createDevice(url, account);
  try {
    const context = await signInAs(account.email, browser, url);
    const figures = [await measureReading(await context.newPage(), device), await measureFirstWords(device)];
    return printFigures(`(n) ${COLUMNS} answers side by side`, figures);
  } finally {
    await browser.close();
    await device.close();
    await parley.close();
    await provider.close();
  }
}

/** The main thread's work while as many tokens arrive, in turns. */
async function measureReading(page: Page, device: Device): Promise<Figure> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await read(page, devtools, await begin(device, [MODELS.alone]));
    const four = await read(page, devtools, await begin(device, Array(COLUMNS).fill(MODELS.column)));
    // The first round fills the browser's cache.
    if (round > 0) alone.push(one);
    if (round > 0) beside.push(four);
  }
  const ratio = median(beside) / median(alone);
  return {
    name: `main thread, ${COLUMNS} at 25 tokens a second`,
    cells: { alone: ms(median(alone)), beside: ms(median(beside)), ratio: ratio.toFixed(2) },
    target: atMost(ratio, 1.3, 'x'),
  };
}

/** A conversation with these models, which have answered once. */
async function begin(device: Device, models: readonly string[]): Promise<string> {
  const input = asking(models);
  await Promise.all([askOf(device, input), ...input.asks.map(({ generationId }) => following(device, generationId))]);
  return input.conversationId;
}

/** Milliseconds of the main thread while the answers to a question in a conversation are written. */
async function read(page: Page, devtools: CDPSession, conversationId: string): Promise<number> {
  await page.goto(`/c/${conversationId}`);
  await page.fill(COMPOSER, '[[paced]] Tell me everything.');
  await page.waitForSelector(`${SEND}:not(:disabled)`);
  await page.click(SEND);
  await page.getByText('Part 1 of the answer').first().waitFor();
  const before = await taskTime(devtools);
  await sleep(MEASURED_MS);
  const taken = (await taskTime(devtools)) - before;
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid="stop-button"]', { state: 'detached' });
  return taken;
}

/** How long the first word of each column takes, and that of one which is asked alone; in turns. */
async function measureFirstWords(device: Device): Promise<Figure> {
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round <= ASKS; round++) {
    const one = await firstWords(device, [MODELS.quick]);
    const four = await firstWords(device, Array(COLUMNS).fill(MODELS.quick));
    // A socket that sends more at once is closed.
    await sleep(REST_MS);
    // The first round warms both up.
    if (round > 0) alone.push(...one);
    if (round > 0) beside.push(...four);
  }
  const later = median(beside) - median(alone);
  return {
    name: `first word of each of ${COLUMNS}`,
    cells: { alone: ms(median(alone)), beside: ms(median(beside)), ratio: (median(beside) / median(alone)).toFixed(2) },
    target: { ...atMost(later, 10, ' ms'), words: 'at most 10 ms later' },
  };
}

async function firstWords(device: Device, models: readonly string[]): Promise<number[]> {
  const input = asking(models);
  const began = performance.now();
  const asked = askOf(device, input);
  const answers = await Promise.all(input.asks.map(({ generationId }) => following(device, generationId)));
  await asked;
  return answers.map((spokeAt) => spokeAt - began);
}

function askOf({ api }: Device, input: AskManyInput): Promise<unknown> {
  const { conversationId, asks } = input;
  const [first] = asks;
  return first && asks.length === 1
    ? api.messages.ask.mutate({ ...first, conversationId })
    : api.messages.askMany.mutate(input);
}

/** At its end, when an answer said its first word. It has been asked for by then. */
function following({ api }: Device, generationId: string): Promise<number> {
  let spokeAt = NaN;
  return new Promise((resolve, onError) => {
    const onData = ({ data: { type } }: { data: { type: string } }) => {
      if (type === 'text' && Number.isNaN(spokeAt)) spokeAt = performance.now();
      if (type === 'final') resolve(spokeAt);
    };
    api.messages.attach.subscribe({ generationId }, { onData, onError });
  });
}

function asking(models: readonly string[]): AskManyInput {
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Are you there?' } as const;
  const asks = models.map((model) => ({
    generationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model,
    settings: {},
    target,
  }));
  return { conversationId: randomUUID(), asks };
}
