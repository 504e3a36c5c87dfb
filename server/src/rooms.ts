// The rooms of a server put together, without its doors: what HTTP and the tests call is the same.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { createAuthenticator } from './auth/authenticator.ts';
import { sweepResets } from './auth/resets.ts';
import { sweepExpired } from './auth/sessions.ts';
import type { Config } from './config.ts';
import type { Secrets } from './config/secrets.ts';
import { sweepBin } from './convos/sweep-bin.ts';
import { createTitles } from './convos/titles.ts';
import type { Deps } from './deps.ts';
import type { Demo } from './endpoints/offered/demo.ts';
import type { Ollama } from './endpoints/offered/ollama.ts';
import { createEndpoints } from './endpoints/registry.ts';
import { createEgress } from './egress.ts';
import { createLog } from './generation/log.ts';
import { createRuns } from './generation/runs.ts';
import { sweepKeys } from './keys/keys.ts';
import { createUserKey } from './keys/read-key.ts';
import { createSeal } from './keys/seal.ts';
import { createAskLimits } from './limits/ask-limits.ts';
import { sweepLimits } from './limits.ts';
import { createMail } from './mail.ts';
import { createExchanges } from './messages/exchanges.ts';
import { createLogStore } from './messages/log-store.ts';
import { createModeration } from './messages/moderation.ts';
import { createRecentBranches } from './messages/recent-branches.ts';
import { settleOrphans, sweepGenerations } from './messages/settle.ts';
import { createMoney } from './money/money.ts';
import { createSummaries } from './messages/summaries.ts';
import { listenToNotices } from './notices.ts';
import { tunnelTo } from './outbound.ts';
import { reportFault } from './report.ts';
import { sweepWords } from './search/sweep.ts';
import { sweepNetworkBans } from './violations/network-bans.ts';
import { createViolations } from './violations/violations.ts';

export interface Rooms {
  deps: Deps;
  /** Lets runs finish for a moment and hands over the rest. */
  close(): Promise<void>;
}

/** Orphans of other processes are looked for this often: a reply is settled well within 30 s of its process's death. */
const SETTLE_EVERY_MS = 3000;
const SWEEP_EVERY_MS = 10 * 60_000;
/** How long a shutdown waits for answers that are being written. */
const GRACE_MS = 8000;
/** How long an answer waits at most for the summary of what it cannot be shown. */
const SUMMARY_MS = 30_000;

export async function openRooms(from: {
  config: Config;
  secrets: Secrets;
  db: Db;
  log: Logger;
  demo: Demo | null;
  ollama?: Ollama | null;
}): Promise<Rooms> {
  const { config, secrets, db, log, demo, ollama = null } = from;
  const owner = randomUUID();
  const onFault = (error: unknown) =>
    reportFault(log, error instanceof Error ? error : new Error(String(error)), 'generation');
  const notices = await listenToNotices(db);
  const olderKeys = secrets.former.map(({ credsKey }) => credsKey);
  const endpoints = createEndpoints(
    config,
    { demo, ollama },
    {
      site: { url: config.server.domainClient, title: config.startup.appTitle },
      userKey: createUserKey(db, createSeal(secrets.credsKey, olderKeys), config.endpoints.pluginsUseAzure),
      egress: createEgress(config.server.egressAllowedHosts),
      tunnelTo: (address) => tunnelTo(address, config.server.outboundProxy),
      onNotice: (notice) => log.warn(notice),
    },
  );
  const generationLog = createLog(createLogStore(db, owner), onFault);
  const runs = createRuns(generationLog, config.endpoints.patience, onFault);
  const auth = createAuthenticator(db, secrets);
  notices.on('sign-ins:', (userId) => auth.forgetUser(userId));
  const mail = createMail(config, log);
  const money = createMoney(db, config.startup.checkBalance);
  const titles = createTitles(db, log, money);
  const moderate = createModeration(db, config.moderation);
  const summaries = createSummaries({
    db,
    log,
    // It is part of the silence before the first word.
    patienceMs: Math.min(SUMMARY_MS, config.endpoints.patience.firstMs / 2),
    money,
  });
  const exchanges = createExchanges({
    db,
    owner,
    endpoints,
    runs,
    generationLog,
    notices,
    titles,
    summaries,
    moderate,
    limits: createAskLimits(db, config),
    violations: createViolations({ db, log, auth, bans: config.bans }),
    money,
    log,
  });
  const recentBranches = createRecentBranches(db.query);
  const endSettling = every(SETTLE_EVERY_MS, () => settleOrphans(db, owner, generationLog.living()), onFault);
  const endSweeping = every(SWEEP_EVERY_MS, () => sweep(db, config), onFault);
  return {
    deps: { config, secrets, db, log, auth, mail, endpoints, exchanges, notices, recentBranches },
    async close() {
      await Promise.all([endSettling(), endSweeping()]);
      recentBranches.close();
      await runs.close(GRACE_MS);
      await Promise.all([titles.close(), mail?.close()]);
      await generationLog.close();
      await releaseRuns(db, owner);
      await notices.close();
    },
  };
}

/** What this process leaves unfinished need not wait for its lease to end. */
async function releaseRuns({ sql }: Db, owner: string): Promise<void> {
  await sql`update generations set lease_until = now() where owner = ${owner} and ended_at is null`;
}

async function sweep(db: Db, { bans }: Config): Promise<void> {
  await sweepExpired(db);
  await sweepResets(db);
  await sweepLimits(db);
  await sweepKeys(db);
  await sweepNetworkBans(db, bans.durationMs);
  await sweepGenerations(db);
  await sweepBin(db);
  await sweepWords(db);
}

/** Calls `task` at once and again and again, one at a time; the function returned ends that. */
function every(ms: number, task: () => Promise<unknown>, onFault: (error: unknown) => void): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const look = () => {
    running ??= task()
      .catch(onFault)
      .finally(() => (running = null));
  };
  const timer = setInterval(look, ms);
  look();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
