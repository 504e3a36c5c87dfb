// Global faults: servers die and restart, sockets are cut.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '../api-client.ts';
import type { Random } from './random.ts';
import type { Outage, Environment } from './environment.ts';

export interface Faults {
  /** Call when an exchange begins; some trigger an outage. */
  asked(index: number): void;
  /** Stops the faults; resolves when the last outage is over. */
  end(): Promise<void>;
}

/** `signals` are spread over the run of `generations`; sockets are cut at any time. */
export function injectFaults(
  world: Environment,
  devices: Device[],
  chance: Random,
  { signals, generations }: { signals: Outage['signal'][]; generations: number },
): Faults {
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
