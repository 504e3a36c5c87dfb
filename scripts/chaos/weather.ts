// What happens to everybody: servers that die and come back, sockets that are cut.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '../person.ts';
import type { Chance } from './chance.ts';
import type { Outage, World } from './world.ts';

export interface Weather {
  /** An exchange has begun; some of them bring an outage with them. */
  asked(index: number): void;
  /** No more of it; resolves when the last outage is over. */
  end(): Promise<void>;
}

/** `signals` are spread over the run of `generations`; cuts come at any time. */
export function makeWeather(
  world: World,
  devices: Device[],
  chance: Chance,
  { signals, generations }: { signals: Outage['signal'][]; generations: number },
): Weather {
  const due = new Map(
    signals.map((signal, n) => [
      Math.floor(((n + 0.4 + chance.between(0, 4) / 10) * generations) / signals.length),
      signal,
    ]),
  );
  let last: Promise<void> = Promise.resolve();
  let failure: unknown = null;
  let timer = setTimeout(cutSome, 100);
  return {
    asked(index) {
      const signal = due.get(index);
      if (signal) last = last.then(() => strike(signal)).catch((error: unknown) => void (failure ??= error));
    },
    async end() {
      clearTimeout(timer);
      await last;
      if (failure) throw failure;
    },
  };

  async function strike(signal: Outage['signal']): Promise<void> {
    await sleep(chance.between(0, 1200));
    await world.restart(chance.between(0, world.urls.length - 1), signal, chance.between(0, 600));
  }

  function cutSome(): void {
    const [first, ...rest] = devices;
    if (first)
      chance
        .pick([first, ...rest])
        .socket()
        ?.terminate();
    timer = setTimeout(cutSome, chance.between(100, 900));
  }
}
