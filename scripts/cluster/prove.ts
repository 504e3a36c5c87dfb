// Kills a part of a running cluster under load, and counts what was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { messageText } from '@parley/schema/messages/messages';
import { inArray, isNull } from 'drizzle-orm';
import { scenarioText } from '../fake-provider.ts';
import { scenarioArgument, readRenameNumber, startLoad, type Asked, type Load, type LoadOptions } from './load.ts';
import { countErrors } from './log.ts';
import { findPrimary, type Database } from './patroni.ts';
import type { Cluster, Kill } from './supervisor.ts';

export interface Proof {
  what: Kill | 'upgrade';
  /** Seconds from the kill until another database took writes; null where none had to. */
  promoted: number | null;
  answers: number;
  /** How many are in the database with every character. */
  savedWhole: number;
  /** How many a killed node left unfinished: what its readers had is saved, and says so. */
  cut: number;
  /** Of each that was cut: how many milliseconds of what its reader had seen are not saved. */
  losses: number[];
  /** How many generations have no end. */
  running: number;
  /** How many readers have what is saved. */
  readWhole: number;
  /** The longest time in seconds in which a reader got nothing. */
  late: number;
  /** Seconds from the promotion until the last reader went on; null where nothing was promoted. */
  wentOn: number | null;
  /** Confirmed writes: questions, conversations that were renamed, files. */
  confirmed: number;
  /** Those of them that are not there afterwards. */
  lost: string[];
  /** Requests that were not answered or refused, by kind, and what readers were told. */
  refused: Map<string, number>;
  /** The errors in the logs of the nodes, by event. */
  errors: Map<string, number>;
}

export interface ProveOptions {
  answers: number;
  tokens: number;
  every: number;
  /** Seconds. */
  backAfter: number;
}

const LOOK_EVERY_MS = 50;

export async function prove(cluster: Cluster, what: Kill, options: ProveOptions): Promise<Proof> {
  const former = await findPrimary(cluster.databases);
  return proveWith(cluster, what, options, async () => {
    const { back } = await cluster.kill(what, options.backAfter);
    const promotedAt = what === 'primary' ? await untilPromoted(cluster, former) : null;
    return { promotedAt, back };
  });
}

/** Replaces the nodes one after another by the server of `checkout`. */
export function proveUpgrade(cluster: Cluster, checkout: string, options: ProveOptions): Promise<Proof> {
  const nodes = cluster.parts.filter(({ role }) => role === 'node');
  return proveWith(cluster, 'upgrade', options, async () => {
    const back = (async () => {
      for (const node of nodes) await cluster.replaceNode(node, checkout);
    })();
    return { promotedAt: null, back };
  });
}

type Disturb = () => Promise<{ promotedAt: number | null; back: Promise<void> }>;

async function proveWith(
  cluster: Cluster,
  what: Proof['what'],
  options: ProveOptions,
  disturb: Disturb,
): Promise<Proof> {
  const logged = countErrors(cluster);
  const load = await startLoad({ ...options, url: cluster.url });
  try {
    await load.begun;
    const killedAt = performance.now();
    const { promotedAt, back } = await disturb();
    await Promise.all([load.ended, back]);
    return {
      what,
      ...timesOf(load, killedAt, promotedAt),
      ...(await compare(cluster, load, options)),
      refused: refusalsOf(load),
      errors: countErrors(cluster, logged),
    };
  } finally {
    await load.leave();
  }
}

/** @param former the database that was killed: it may seem to be there for a moment */
async function untilPromoted({ databases }: Cluster, former: Database | null): Promise<number> {
  for (;;) {
    const primary = await findPrimary(databases);
    if (primary && primary !== former) return performance.now();
    await sleep(LOOK_EVERY_MS);
  }
}

function timesOf({ asked }: Load, killedAt: number, promotedAt: number | null) {
  const longest = Math.max(...asked.map(({ heardAt }) => longestGap(heardAt, killedAt)));
  const firsts = asked.map(({ heardAt }) => heardAt.find((at) => at >= (promotedAt ?? 0)) ?? promotedAt ?? 0);
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return {
    late: seconds(longest),
    promoted: promotedAt === null ? null : seconds(promotedAt - killedAt),
    wentOn: promotedAt === null ? null : seconds(Math.max(...firsts) - promotedAt),
  };
}

/** In milliseconds, of the gaps that end after `from`. */
function longestGap(heardAt: readonly number[], from: number): number {
  const gaps = heardAt.map((at, n) => (at > from ? at - (heardAt[n - 1] ?? at) : 0));
  return Math.max(0, ...gaps);
}

async function compare({ databaseUrl }: Cluster, { asked, uploaded }: Load, options: LoadTimes) {
  const db = connect({ kind: 'url', url: databaseUrl }, { max: 2 });
  try {
    const ids = asked.map(({ input }) => input.replyId);
    const rows = await db.query.select().from(messages).where(inArray(messages.id, ids));
    const titles = await db.query
      .select({ id: convos.id, title: convos.title })
      .from(convos)
      .where(
        inArray(
          convos.id,
          asked.map(({ input }) => input.conversationId),
        ),
      );
    const replies = asked.map((one) => ({ one, row: rows.find(({ id }) => id === one.input.replyId) }));
    const states = replies.map(({ one, row }) => (row ? stateOf(one, row, options) : 'missing'));
    const unread = replies.filter(({ one, row }) => !row || !hasRead(one, row));
    const renames = asked.filter(
      ({ input, renamed }) =>
        readRenameNumber(titles.find(({ id }) => id === input.conversationId)?.title ?? null) < renamed,
    );
    const files = await Promise.all(uploaded.map(async ({ text, read }) => (await read().catch(String)) === text));
    return {
      answers: asked.length,
      savedWhole: states.filter((state) => state === 'whole').length,
      cut: states.filter((state) => state === 'cut').length,
      losses: replies.flatMap(({ one, row }, n) => (row && states[n] === 'cut' ? [lossOf(one, row, options)] : [])),
      running: await db.query.$count(generations, isNull(generations.endedAt)),
      readWhole: asked.length - unread.length,
      confirmed: asked.length + asked.filter(({ renamed }) => renamed > 0).length + uploaded.length,
      lost: [
        ...replies.flatMap(({ one }, n) => (states[n] === 'missing' ? [`the answer to ${one.question}`] : [])),
        ...uploaded.filter((_, n) => !files[n]).map(({ text }) => text),
        ...renames.map(({ input, renamed }) => `rename ${renamed} of ${input.conversationId}`),
      ],
    };
  } finally {
    await db.end();
  }
}

type LoadTimes = Pick<LoadOptions, 'tokens' | 'every'>;
type Row = typeof messages.$inferSelect;

/** `cut`: a beginning, of which the row says that it is one. Anything else is missing. */
function stateOf({ question }: Asked, row: Row, options: LoadTimes): 'whole' | 'cut' | 'missing' {
  const said = scenarioText('natural', scenarioArgument(options), question);
  const saved = messageText(row);
  if (saved === said) return row.reason === null ? 'whole' : 'missing';
  return row.reason?.type === 'interrupted' && said.startsWith(saved) && saved !== '' ? 'cut' : 'missing';
}

/** By the pace of the provider. What its reader had seen is not behind what the killed node had by more than a moment. */
function lossOf({ question, viewer }: Asked, row: Row, options: LoadTimes): number {
  const said = scenarioText('natural', scenarioArgument(options), question).length;
  const missing = Math.max(0, viewer.textSeen.length - messageText(row).length);
  return Math.round((missing / said) * options.tokens * options.every);
}

function hasRead({ viewer }: Asked, row: Row): boolean {
  const isSame = viewer.final !== null && messageText(viewer.final.reply) === messageText(row);
  // What a killed node had told and not yet saved is less than its readers know.
  return isSame && (row.reason !== null || messageText(row).startsWith(viewer.textSeen));
}

function refusalsOf({ refusals, asked }: Load): Map<string, number> {
  const all = new Map(refusals);
  for (const { viewer } of asked)
    for (const fault of viewer.faults) all.set(`reader ${fault}`, (all.get(`reader ${fault}`) ?? 0) + 1);
  return all;
}

/** Whether nothing was lost. A killed node may leave beginnings; an upgrade may refuse nothing either. */
export function isProven({ what, answers, savedWhole, cut, readWhole, lost, refused }: Proof): boolean {
  const isSaved = savedWhole + (what === 'node' ? cut : 0) === answers;
  return isSaved && readWhole === answers && lost.length === 0 && (what !== 'upgrade' || refused.size === 0);
}

export function proofRow(proof: Proof): string[] {
  const { what, promoted, answers, savedWhole, cut, readWhole, late, wentOn, confirmed, lost, refused } = proof;
  return [
    what,
    promoted === null ? '–' : `${promoted} s`,
    `${savedWhole} of ${answers}${cut > 0 ? `, ${cut} cut` : ''}`,
    `${readWhole} of ${answers}`,
    `${late} s`,
    wentOn === null ? '–' : `${wentOn} s`,
    `${lost.length} of ${confirmed}`,
    String([...refused.values()].reduce((sum, one) => sum + one, 0)),
    isProven(proof) ? 'held' : 'NOT HELD',
  ];
}

export const TITLES = [
  'killed',
  'promoted after',
  'whole in the database',
  'whole at readers',
  'readers late',
  'went on after promotion',
  'lost writes',
  'refused requests',
  '',
];
