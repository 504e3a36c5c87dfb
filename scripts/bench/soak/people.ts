// The people of a soak: each asks in a few chats, looks around between two questions, and now and then leaves and comes
// back.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '@parley/schema/chat/ask';
import { createDevice, type Account, type Device } from '../../api-client.ts';
import type { Random } from '../../chaos/random.ts';
import { timed } from '../figures.ts';
import type { Tally } from './tally.ts';

/** Of 120 tokens, 20 a second: with the pauses below, a quarter of the people are reading one. */
const SCENARIO = '[[natural:120@50]]';
const ANSWER_MAX_MS = 120_000;
const DEEDS = 3;
const PAUSE_MS = [3000, 9000] as const;
const AWAY_MS = 2000;
/** The oldest chat beyond them is deleted. */
const TALKS_MAX = 30;
const QUESTIONS_MAX = 6;
const WORDS = ['soup', 'garden', 'river', 'question', 'letter', 'winter'] as const;

interface Talk {
  conversationId: string;
  questionIds: string[];
  /** What the next question follows. */
  replyId: string | null;
}

interface Person {
  device: Device;
  talks: Talk[];
  chance: Random;
  tally: Tally;
  signal: AbortSignal;
}

/** Resolves when told to stop and the answer that is being read has ended. */
export async function live(
  url: string,
  account: Account,
  { chance, tally, signal }: { chance: Random; tally: Tally; signal: AbortSignal },
): Promise<void> {
  const person: Person = { device: arrive(url, account), talks: [], chance, tally, signal };
  await pause(person);
  while (!signal.aborted) {
    await attempt(person, 'an exchange', () => exchange(person));
    for (let n = 0; n < DEEDS && !signal.aborted; n++) {
      await pause(person);
      const name = chance.pick(DEED_NAMES);
      if (!signal.aborted) await attempt(person, name, () => deeds[name](person));
    }
    if (chance.odds(0.2)) {
      await person.device.close();
      person.device = arrive(url, account);
    }
  }
  await person.device.close();
}

/** With the list of chats and the change feed, as a page that opens. */
function arrive(url: string, account: Account): Device {
  const device = createDevice(url, account);
  device.api.convos.changes.subscribe(undefined, { onError: () => undefined });
  return device;
}

async function attempt({ tally, signal }: Person, what: string, act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => signal.aborted || tally.failed(what, error));
}

function pause({ chance, signal }: Person): Promise<void> {
  return sleep(chance.between(...PAUSE_MS), undefined, { signal }).catch(() => undefined);
}

async function exchange(person: Person): Promise<void> {
  const { device, chance, tally } = person;
  const talk = currentTalk(person);
  const target = nextTarget(talk, chance);
  const [generationId, replyId] = [randomUUID(), randomUUID()];
  const sentAt = performance.now();
  const { conversationId } = talk;
  await device.api.messages.ask.mutate({
    generationId,
    conversationId,
    replyId,
    endpoint: 'openAI',
    model: 'gpt-4',
    target,
  });
  const firstTextAt = await readAnswer(device, generationId, chance.odds(0.2));
  tally.exchanged(firstTextAt - sentAt);
  if (target.kind === 'send') talk.questionIds.push(target.messageId);
  talk.replyId = replyId;
}

/** The chat that was asked in last, or a new one when it is long or the person wants to. */
function currentTalk({ talks, chance }: Person): Talk {
  const last = talks.at(-1);
  if (last && last.questionIds.length < QUESTIONS_MAX && !chance.odds(0.1)) return last;
  const talk: Talk = { conversationId: randomUUID(), questionIds: [], replyId: null };
  talks.push(talk);
  return talk;
}

function nextTarget({ questionIds, replyId }: Talk, chance: Random): Target {
  const asked = questionIds.at(-1);
  if (asked && chance.odds(0.15)) return { kind: 'regenerate', parentMessageId: asked };
  const text = `${SCENARIO} About the ${chance.pick(WORDS)}, number ${chance.between(1, 1_000_000)}`;
  return { kind: 'send', messageId: randomUUID(), parentMessageId: replyId, text };
}

/** Reads to the end over the websocket, and returns when the first text came. Who leaves comes back for the rest. */
async function readAnswer(device: Device, generationId: string, leaves: boolean): Promise<number> {
  const { firstTextAt, lastEventId } = await readEvents(device, { generationId }, leaves);
  if (leaves && lastEventId !== null) {
    await sleep(AWAY_MS);
    await readEvents(device, { generationId, lastEventId }, false);
  }
  return firstTextAt;
}

/** `lastEventId` is null after the last event. */
function readEvents(
  { api }: Device,
  from: { generationId: string; lastEventId?: string },
  leavesAtText: boolean,
): Promise<{ firstTextAt: number; lastEventId: string | null }> {
  return new Promise((resolve, reject) => {
    let firstTextAt = 0;
    const end = (lastEventId: string | null) => {
      clearTimeout(late);
      stream.unsubscribe();
      resolve({ firstTextAt, lastEventId });
    };
    const fail = (error: Error) => {
      clearTimeout(late);
      stream.unsubscribe();
      reject(error);
    };
    const late = setTimeout(() => fail(new Error('The answer has no end')), ANSWER_MAX_MS);
    const stream = api.messages.attach.subscribe(from, {
      onData({ id, data }) {
        if (data.type === 'text') firstTextAt ||= performance.now();
        if (data.type === 'final') end(null);
        else if (data.type === 'text' && leavesAtText) end(id);
      },
      onError: fail,
    });
  });
}

const deeds = {
  'listing chats': list,
  'opening a chat': open,
  searching: ({ device, chance }: Person) => device.api.convos.search.query({ query: chance.pick(WORDS) }),
  editing: edit,
  deleting: remove,
};
const DEED_NAMES = ['listing chats', 'opening a chat', 'searching', 'editing', 'deleting'] as const;

async function list({ device, tally }: Person): Promise<void> {
  tally.listed(await timed(() => device.api.convos.list.query({})));
}

async function open({ device, talks, chance }: Person): Promise<void> {
  const talk = talks[chance.between(0, talks.length - 1)];
  if (talk?.replyId) await device.api.messages.list.query({ conversationId: talk.conversationId });
}

async function edit({ device, talks, chance }: Person): Promise<void> {
  const { conversationId = '', questionIds = [] } = talks[chance.between(0, talks.length - 1)] ?? {};
  const messageId = questionIds.at(-1);
  const text = `${SCENARIO} Rather about the ${chance.pick(WORDS)}`;
  if (messageId) await device.api.messages.edit.mutate({ conversationId, messageId, text });
}

/** Half of the deleted chats come back. Those beyond what one keeps don't. */
async function remove(person: Person): Promise<void> {
  const { device, talks, chance } = person;
  const place = talks.length > TALKS_MAX ? 0 : chance.between(0, talks.length - 1);
  const talk = talks[place];
  if (!talk?.replyId) return;
  const { conversationId } = talk;
  const { deletionId } = await device.api.convos.remove.mutate({ conversationId });
  const isBack = talks.length <= TALKS_MAX && chance.odds(0.5);
  if (!isBack || deletionId === null) return void talks.splice(place, 1);
  await pause(person);
  await device.api.convos.restore.mutate({ deletionId });
}
