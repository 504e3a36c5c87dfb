// The users of a chaos run: each has a few conversations at once, from two devices, and follows the change feed. With
// several servers, each device uses a different one.
import { randomUUID } from 'node:crypto';
import type { Convo } from '@parley/schema/convos/convos';
import { createDevice, registerAccount } from '../api-client.ts';
import type { Random } from './random.ts';
import { perform, questionFor, type Exchange, type Person, type Talk } from './exchange.ts';
import { drawPlan, type Plan } from './plan.ts';
import type { Environment } from './environment.ts';
import { TOOLS } from './tools.ts';

export interface ChaosClient extends Person {
  talks: Talk[];
  /** The sidebar built from the change feed, by conversation id. */
  sidebar: Map<string, Convo>;
  leave(): Promise<void>;
}

const NAMES = ['alice', 'bob', 'carol', 'dave', 'erin'];
const FROM_THE_FIRST = { lastEventId: '0' };
const LANES = 3;
const DEVICES = 2;

export function createClients(world: Environment): Promise<ChaosClient[]> {
  return Promise.all(NAMES.map((name) => invite(world, name)));
}

async function invite({ urls }: Environment, name: string): Promise<ChaosClient> {
  const [first = ''] = urls;
  const account = await registerAccount(first, name);
  const devices = Array.from({ length: DEVICES }, (_, n) => createDevice(urls[n % urls.length] ?? first, account));
  const sidebar = new Map<string, Convo>();
  const subscription = await new Promise<{ unsubscribe(): void }>((resolve) => {
    // From the first change on: without a number, a socket that is cut before the first one would miss what came
    // meanwhile.
    const following = devices[0]?.api.convos.changes.subscribe(FROM_THE_FIRST, {
      onStarted: () => following && resolve(following),
      onData({ data: change }) {
        if (change.type === 'convo') sidebar.set(change.convo.conversationId, change.convo);
        else if (change.type === 'removed') sidebar.delete(change.conversationId);
      },
    });
  });
  return {
    account,
    devices,
    talks: [],
    sidebar,
    async leave() {
      subscription.unsubscribe();
      await Promise.all(devices.map((device) => device.close()));
    },
  };
}

/** Runs `generations` exchanges to their end. Calls `onAsk` at the start of each. */
export async function talkAll(
  people: ChaosClient[],
  { generations, tools }: { generations: number; tools: number },
  chance: Random,
  onAsk: (index: number) => void,
): Promise<void> {
  let next = 0;
  const lanes = people.flatMap((person) => Array.from({ length: LANES }, () => keepTalking(person)));
  await Promise.all(lanes);

  async function keepTalking(person: ChaosClient): Promise<void> {
    let talk: Talk | null = null;
    while (next < generations) {
      const index = next++;
      const own = chance.part(index);
      const plan = drawPlan(own, tools);
      talk = talk && talk.removed === 'no' && plan.kind !== 'first' ? talk : newTalk(person);
      onAsk(index);
      await perform(createExchange(index, plan, talk, own), own);
    }
  }
}

/** Sends one more plain question per user, undisturbed, in the last conversation. */
export async function sendOnce(people: ChaosClient[], index: number, chance: Random): Promise<void> {
  await Promise.all(
    people.map(async (person, n) => {
      const talk = person.talks.findLast(({ removed }) => removed === 'no') ?? newTalk(person);
      await perform(createExchange(index + n, calmPlan, talk, chance), chance);
    }),
  );
}

const calmPlan: Plan = {
  scenario: 'plain',
  arg: undefined,
  course: 'whole',
  kind: 'follow',
  copies: 1,
  loseResponseAfter: null,
  viewers: [[]],
  stopAt: null,
  removeAt: null,
  renameAt: null,
};

function newTalk(person: ChaosClient): Talk {
  const talk: Talk = { conversationId: randomUUID(), person, exchanges: [], title: null, removed: 'no' };
  person.talks.push(talk);
  return talk;
}

/** The same question again, whose answer goes the same way; one that has no end is stopped this time, too. */
function asAgain(plan: Plan, { scenario, arg, course, stopAt }: Plan): Plan {
  return { ...plan, scenario, arg, course, stopAt: plan.stopAt ?? (course === 'endless' ? stopAt : null) };
}

function createExchange(index: number, plan: Plan, talk: Talk, chance: Random): Exchange {
  const { question, mark } = questionFor(index, plan);
  const earlier = talk.exchanges.filter((exchange) => exchange.acknowledged);
  const ids = { generationId: randomUUID(), conversationId: talk.conversationId, replyId: randomUUID() };
  const last = earlier.at(-1);
  // Calls of tools are counted by their question, so that is asked once.
  const again = plan.kind === 'regenerate' && last?.plan.course !== 'tools' ? last : undefined;
  const before = plan.kind === 'branch' && earlier[0] ? chance.pick([earlier[0], ...earlier]) : last;
  const parentMessageId = before?.input.replyId ?? null;
  return {
    index,
    plan: again ? asAgain(plan, again.plan) : plan,
    talk,
    question: again?.question ?? question,
    mark: again?.mark ?? mark,
    input: {
      ...ids,
      endpoint: 'openAI',
      model: null,
      settings: plan.course === 'tools' ? { tools: TOOLS } : {},
      target: again
        ? { kind: 'regenerate', parentMessageId: requestIdOf(again) }
        : { kind: 'send', messageId: randomUUID(), parentMessageId, text: question },
    },
    acknowledged: false,
    refused: null,
    askedAt: 0,
    stopped: null,
    viewers: [],
    unanswered: false,
  };
}

/** The id of the question that an exchange answers. */
export function requestIdOf({ input: { target } }: Exchange): string {
  return target.kind === 'send' ? target.messageId : target.kind === 'regenerate' ? target.parentMessageId : '';
}
