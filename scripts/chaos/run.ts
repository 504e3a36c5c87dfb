// A chaos run: people talk, servers die, and afterwards everything is held against the rules.
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance, type Chance } from './chance.ts';
import { gatherFacts } from './facts.ts';
import { findViolations, listLosses, type Violation } from './oracle.ts';
import { gatherPeople, sendOnce, talkAll, type Villager } from './people.ts';
import { makeWeather } from './weather.ts';
import { openWorld, type Outage } from './world.ts';

export interface Report {
  violations: Violation[];
  /** Of each reply that an outage cut: how many milliseconds of what the provider had said are missing. */
  losses: number[];
  outages: Outage[];
}

export interface Wishes {
  /** The same seed plans the same exchanges and outages; the clock of the machine is not its own. */
  seed: string;
  generations: number;
  /** How many servers share the database. */
  servers: number;
  /** In the order in which they come. */
  signals: Outage['signal'][];
}

/** Until the last titles have come. */
const QUIET_MS = 500;

/** Runs servers, their database and their provider from their start to their end. */
export async function runChaos({ seed, generations, servers, signals }: Wishes): Promise<Report> {
  const chance = createChance(seed);
  const world = await openWorld(servers);
  let people: Villager[] = [];
  try {
    people = await gatherPeople(world);
    const devices = people.flatMap((person) => person.devices);
    const weather = makeWeather(world, devices, chance.part('weather'), { signals, generations });
    await talkAll(people, generations, chance.part('talk'), weather.asked);
    await weather.end();
    await sendOnce(people, generations, chance.part('after'));
    await sleep(QUIET_MS);
    const facts = await gatherFacts(world, people);
    return { violations: findViolations(facts), losses: listLosses(facts), outages: world.outages };
  } finally {
    await Promise.all(people.map((person) => person.leave()));
    await world.close();
  }
}

/** As many outages as a run of so many generations should have. */
export function drawSignals(seed: string, count: number): Outage['signal'][] {
  const chance: Chance = createChance(seed).part('signals');
  return Array.from({ length: count }, () => (chance.odds(0.75) ? 'SIGKILL' : 'SIGTERM'));
}
