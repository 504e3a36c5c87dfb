// Models and tools that the account keeps, saved as soon as they are chosen.
import type { AppRouter } from '@parley/server/router';
import type { inferRouterInputs } from '@trpc/server';
import { api } from './trpc.ts';

let underWay = 0;
let ended = 0;

export async function saveAccountSettings(changes: inferRouterInputs<AppRouter>['settings']['set']): Promise<void> {
  underWay += 1;
  try {
    await api.settings.set.mutate(changes);
  } finally {
    underWay -= 1;
    ended += 1;
  }
}

/** Call it before a read of the settings. What it returns tells after the read whether nothing was saved meanwhile. */
export function watchSaves(): () => boolean {
  const [wasUnderWay, before] = [underWay, ended];
  return () => wasUnderWay === 0 && underWay === 0 && ended === before;
}
