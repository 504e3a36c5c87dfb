// Collects the state after a chaos run: the database, and what the server lists for its users.
import { isDeepStrictEqual } from 'node:util';
import type { Convo } from '@parley/schema/convos/convos';
import type { Message } from '@parley/schema/messages/messages';
import { connect } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { retryUntilReached, type Exchange, type Talk } from './exchange.ts';
import type { ChaosClient } from './clients.ts';
import type { Environment } from './environment.ts';

type Rows = Awaited<ReturnType<typeof readRows>>;

export interface FinalState {
  world: Environment;
  people: ChaosClient[];
  talks: Talk[];
  exchanges: Exchange[];
  rows: Rows;
  /** The conversations of each person as the server lists them. */
  lists: Map<ChaosClient, Convo[]>;
  /** Their sidebars at the same moment: a title may still come afterwards. */
  sidebars: Map<ChaosClient, ReadonlyMap<string, Convo>>;
  /** The messages of each existing conversation, as the server lists them. */
  threads: Map<Talk, Message[] | null>;
  /** Whether everything ended in time. */
  settled: boolean;
}

/** How long after the last restart every reply must be final. */
const SETTLE_MS = 90_000;
/** How long a change may take to reach the sidebars: a browser that lost its socket waits before it comes back. */
const LISTS_MS = 60_000;
const LOOK_EVERY_MS = 200;

export async function readFinalState(world: Environment, people: ChaosClient[]): Promise<FinalState> {
  const database = await world.openDatabase();
  const db = connect(database.connection, { max: 2 });
  try {
    const settled = await waitUntil(async () => isSettled(await readRows(db)), SETTLE_MS, LOOK_EVERY_MS);
    const talks = people.flatMap((person) => person.talks);
    let listed = await listAll(people);
    await waitUntil(async () => listsAreCurrent((listed = await listAll(people))), LISTS_MS, LOOK_EVERY_MS);
    const threads = await Promise.all(talks.map(async (talk) => [talk, await listMessages(talk)] as const));
    return {
      world,
      people,
      talks,
      exchanges: talks.flatMap((talk) => talk.exchanges),
      rows: await readRows(db),
      ...listed,
      threads: new Map(threads),
      settled,
    };
  } finally {
    await db.end();
    await database.stop();
  }
}

async function readRows({ query }: ReturnType<typeof connect>) {
  return {
    messages: await query.select().from(messages),
    convos: await query.select().from(convos),
    generations: await query.select().from(generations),
    events: await query.select({ generationId: generationEvents.generationId }).from(generationEvents),
  };
}

function isSettled(rows: Rows): boolean {
  return rows.generations.every(({ endedAt }) => endedAt !== null) && rows.convos.every(({ running }) => !running);
}

/** Whether `holds` became true within `ms`. */
export async function waitUntil(holds: () => Promise<boolean>, ms: number, every: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  return true;
}

async function listAll(people: ChaosClient[]): Promise<Pick<FinalState, 'lists' | 'sidebars'>> {
  const lists = await Promise.all(people.map(async (person) => [person, await listConvos(person)] as const));
  return {
    lists: new Map(lists),
    sidebars: new Map(people.map((person) => [person, new Map(person.sidebar)])),
  };
}

/** Whether every user's sidebar matches the server's list. */
function listsAreCurrent({ lists, sidebars }: Pick<FinalState, 'lists' | 'sidebars'>): boolean {
  return [...lists].every(([person, listed]) => {
    const sidebar = sidebars.get(person);
    const same = listed.every((convo) => isDeepStrictEqual(convo, sidebar?.get(convo.conversationId)));
    return same && listed.length === sidebar?.size;
  });
}

async function listConvos(person: ChaosClient, cursor: string | null = null): Promise<Convo[]> {
  const page = await retryUntilReached(async () => person.devices[0]?.api.convos.list.query({ limit: 100, cursor }));
  if (!page?.nextCursor) return page?.convos ?? [];
  return [...page.convos, ...(await listConvos(person, page.nextCursor))];
}

async function listMessages({ person, conversationId }: Talk): Promise<Message[] | null> {
  return (await retryUntilReached(async () => person.devices[0]?.api.messages.list.query({ conversationId }))) ?? null;
}
