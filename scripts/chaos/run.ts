// A chaos run: users chat, servers die, and afterwards all invariants are checked.
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from './random.ts';
import { readFinalState } from './final-state.ts';
import { findViolations, listLosses, type Violation } from './invariants.ts';
import { createClients, sendOnce, talkAll, type ChaosClient } from './clients.ts';
import { continueCut } from './continue-cut.ts';
import { allowTools } from './tools.ts';
import { injectFaults } from './faults.ts';
import { startEnvironment, type Outage } from './environment.ts';

export interface Report {
  violations: Violation[];
  /** For each reply cut by an outage: how many milliseconds of the provider's output are missing. */
  losses: number[];
  outages: Outage[];
}

export interface ChaosOptions {
  /** The same seed plans the same exchanges and outages; timing still varies. */
  seed: string;
  generations: number;
  /** How many servers share the database. */
  servers: number;
  /** In the order in which they come. */
  signals: Outage['signal'][];
  /** The share of exchanges in which the model calls tools. */
  tools: number;
  /** Checks also how much a kill loses and how soon a stop acts; needs a machine that is not busy. */
  timed: boolean;
}

/** Time for the last titles. */
const QUIET_MS = 500;

/** Runs the servers, their database and the provider from start to end. */
export async function runChaos({ seed, generations, servers, signals, tools, timed }: ChaosOptions): Promise<Report> {
  const chance = createRandom(seed);
  const world = await startEnvironment(servers);
  let people: ChaosClient[] = [];
  try {
    people = await createClients(world);
    await Promise.all(people.flatMap(({ devices: [first] }) => (first ? [allowTools(first)] : [])));
    const devices = people.flatMap((person) => person.devices);
    const weather = injectFaults(world, devices, chance.part('weather'), { signals, generations });
    await talkAll(people, { generations, tools }, chance.part('talk'), weather.asked);
    await weather.end();
    await sendOnce(people, generations, chance.part('after'));
    await sleep(QUIET_MS);
    const facts = await readFinalState(world, people);
    const violations = [...findViolations(facts, { timed }), ...(await continueCut(people, facts))];
    return { violations, losses: listLosses(facts), outages: world.outages };
  } finally {
    await Promise.all(people.map((person) => person.leave()));
    await world.close();
  }
}

/** Draws the outages for a run of this size. */
export function drawSignals(seed: string, count: number): Outage['signal'][] {
  const chance: Random = createRandom(seed).part('signals');
  return Array.from({ length: count }, () => (chance.odds(0.75) ? 'SIGKILL' : 'SIGTERM'));
}
