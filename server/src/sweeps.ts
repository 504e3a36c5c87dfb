// What a server deletes from time to time because it has expired.
import { sweepConnections } from './actions/rows.ts';
import { sweepNetworkBans } from './auth/network-bans.ts';
import { sweepInvitations } from './auth/registration/invitations.ts';
import { sweepTickets } from './auth/factors/sign-in-tickets.ts';
import { sweepResets } from './auth/reset/reset-links.ts';
import { sweepExpired } from './auth/session/sessions.ts';
import { sweepGenerations } from './chat/recovery.ts';
import { sweepArrivals, sweepFiles } from './files/sweep.ts';
import { sweepKeys } from './keys/keys.ts';
import { sweepPendingSignIns } from './mcp/tokens.ts';
import { sweepTargets } from './notices/push/targets.ts';
import { sweepRateLimits } from './platform/rate-limiter.ts';
import { sweepWords } from './search/sweep.ts';
import { sweepShares } from './shares/shares.ts';
import { sweepSpoken } from './speech/spoken-cache.ts';
import { arrivalsFolder, readingFolder } from './storage/arrivals.ts';
import { RETENTION } from './trash/retention.ts';
import { sweepAccounts } from './trash/sweep-accounts.ts';
import { sweepTemporary, sweepTrash } from './trash/sweep.ts';
import type { FileSaverDeps } from './files/save-file.ts';

export interface SweepDeps extends FileSaverDeps {
  onFault: (error: unknown) => void;
}

interface Sweep {
  everyMs: number;
  sweep(): Promise<unknown>;
}

const SWEEP_EVERY_MS = 10 * 60_000;
/** Of expired keys, and of temporary conversations that have ended. */
const SWEEP_SOON_EVERY_MS = 60_000;

/** No further one of the list begins once `ending` is aborted. */
export function listSweeps({ db, config, log, stores, onFault }: SweepDeps, ending: AbortSignal): Sweep[] {
  const ofRows = [
    () => sweepExpired(db),
    () => sweepResets(db),
    () => sweepTickets(db),
    () => sweepInvitations(db),
    () => sweepRateLimits(db),
    () => sweepNetworkBans(db, config.bans.durationMs),
    () => sweepGenerations(db),
    () => sweepTrash(db),
    () => sweepShares({ db }),
    () => sweepWords(db),
    () => sweepConnections(db),
    () => sweepPendingSignIns(db),
    ...(config.push.enabled ? [() => sweepTargets(db)] : []),
    () => sweepArrivals(readingFolder(config)),
    () => sweepSpoken(config),
  ];
  const sweepRows = async () => {
    for (const next of ofRows) if (!ending.aborted) await next();
  };
  const sweepUnused = async () => {
    const { filesDays } = await RETENTION.current({ db, config });
    await sweepFiles({ db, stores, arrivals: arrivalsFolder(config), unusedDays: filesDays ?? 0, onFault });
  };
  return [
    { everyMs: SWEEP_EVERY_MS, sweep: sweepRows },
    { everyMs: SWEEP_EVERY_MS, sweep: sweepUnused },
    { everyMs: SWEEP_EVERY_MS, sweep: () => sweepAccounts({ db, log }) },
    { everyMs: SWEEP_SOON_EVERY_MS, sweep: () => sweepKeys(db) },
    { everyMs: SWEEP_SOON_EVERY_MS, sweep: () => sweepTemporary(db) },
  ];
}
