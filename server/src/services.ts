// Creates the services of a server, without the HTTP server, for main.ts and tests alike.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { createActions, type Actions } from './actions/actions.ts';
import { openAssistants, type AssistantServices } from './assistants/open-assistants.ts';
import { createAuthenticator } from './auth/session/authenticator.ts';
import { createSessionWatch } from './auth/session/session-watch.ts';
import type { Config } from './config.ts';
import type { Secrets } from './config/parts/secrets.ts';
import { createTitles } from './convos/titles.ts';
import type { Deps } from './deps.ts';
import type { Demo } from './providers/demo/demo.ts';
import type { Ollama } from './providers/ollama/ollama.ts';
import type { Endpoints } from './catalog/endpoint.ts';
import { createEndpoints } from './catalog/registry.ts';
import { createEgress, type Egress } from './platform/egress.ts';
import { createLog } from './generation/log.ts';
import { createRuns } from './generation/runs.ts';
import { createUserKey } from './keys/read-key.ts';
import { createSeal, type Seal } from './keys/seal.ts';
import { createAskLimits } from './abuse/ask-limits.ts';
import { createMail } from './platform/mail.ts';
import { createAskService } from './chat/ask-service.ts';
import { createLogStore, LEASE_SECONDS } from './chat/log-store.ts';
import { createModeration } from './chat/checks/moderation.ts';
import { createRecentBranches } from './chat/context/recent-branches.ts';
import { releaseRuns, recoverGuarded } from './chat/recovery.ts';
import { createTakeoverGuard } from './chat/takeover-guard.ts';
import { createBilling } from './billing/billing.ts';
import { createSummaries } from './chat/context/summaries.ts';
import { createPubSub } from './platform/pubsub.ts';
import { tunnelTo } from './platform/outbound-proxy.ts';
import { logError } from './platform/log-error.ts';
import { noMetrics, type Metrics } from './platform/metrics.ts';
import { startTasks } from './tasks.ts';
import { createToolSources } from './tool-sources.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { openFiles } from './files/open-files.ts';
import type { Extractor } from './retrieval/extracted.ts';
import { createViolations } from './abuse/violations.ts';

export interface Services {
  deps: Deps;
  /** Waits briefly for runs and hands over the rest. */
  close(): Promise<void>;
}

interface Parts {
  config: Config;
  secrets: Secrets;
  db: Db;
  log: Logger;
  demo: Demo | null;
  ollama?: Ollama | null;
  metrics?: Metrics;
  /** Reads the text of uploaded files; the real one when absent. */
  extractor?: Extractor;
  /** Lease: how long after a database outage no run is taken over, in milliseconds. */
  takeoverWaitMs?: number;
  timings?: Partial<Timings>;
}

export async function createServices(from: Parts): Promise<Services> {
  const { config, secrets, db, log, metrics = noMetrics } = from;
  const timings = { ...defaultTimings, ...from.timings };
  const owner = randomUUID();
  const onFault = (error: unknown) => logError(log, error, { event: 'task.failed' });
  const pubsub = await createPubSub(db);
  const egress = createEgress(config.server.egressAllowedHosts);
  const seal = sealOf(secrets);
  const endpoints = openEndpoints(from, { egress, seal, timings });
  const generationLog = createLog(createLogStore(db, owner, metrics), onFault);
  const runs = createRuns(generationLog, { ...config.endpoints.timeouts, ...timings }, onFault);
  const guard = createTakeoverGuard(db, from.takeoverWaitMs ?? LEASE_SECONDS * 1000);
  const settle = () => recoverGuarded(db, guard, owner, generationLog.runningIds(), { log, metrics });
  const auth = createAuthenticator(db, secrets);
  pubsub.on('sessions-ended:', (userId) => auth.invalidateUser(userId));
  const mail = createMail(config, log, timings);
  const billing = createBilling(db, config.startup.checkBalance);
  const titles = createTitles(db, log, billing);
  const moderate = createModeration(db, config.moderation);
  const summaries = createSummaries({ db, log, timeoutMs: summaryMs(config, timings), billing });
  const limits = createAskLimits(db, config);
  const violations = createViolations({ db, log, auth, bans: config.bans });
  const { readFile, ...files } = openFiles({ ...from, endpoints, egress, violations, limits, owner, timings, onFault });
  const actions = createActions({ config, db, log, egress, seal });
  const assistants = assistantsOver({ config, db, log, egress, seal, endpoints, actions });
  const askService = createAskService({
    db,
    owner,
    endpoints,
    findAnswering: assistants.findAnswering,
    runs,
    generationLog,
    settle,
    pubsub,
    titles,
    summaries,
    moderate,
    limits,
    violations,
    billing,
    fileLimits: config.files.limits,
    readFile,
    retrieval: files.retrieval,
    log,
    metrics,
    timings,
  });
  const recentBranches = createRecentBranches(db.query);
  const { stores, retrieval } = files;
  const tasks = { db, config, stores, retrieval, settle, settleEveryMs: timings.recoveryEveryMs };
  const endTasks = startTasks({ ...tasks, onFault });
  return {
    deps: {
      config,
      secrets,
      db,
      log,
      metrics,
      auth,
      sessions: createSessionWatch(auth),
      mail,
      endpoints,
      askService,
      pubsub,
      recentBranches,
      timings,
      ...assistants,
      actions,
      ...files,
    },
    async close() {
      await endTasks();
      recentBranches.close();
      await files.socialAvatars.close();
      await runs.close(timings.shutdownGraceMs);
      await files.retrieval.close();
      await Promise.all([titles.close(), mail?.close()]);
      await generationLog.close();
      await releaseRuns(db, owner);
      await pubsub.close();
    },
  };
}

/** How long a summary may take: it counts towards the timeout of the first token. */
function summaryMs({ endpoints }: Config, { summaryTimeoutMs }: Timings): number {
  return Math.min(summaryTimeoutMs, endpoints.timeouts.firstTokenMs / 2);
}

/** Assistants with the tools that this server has. */
function assistantsOver(
  from: Pick<Parts, 'config' | 'db' | 'log'> & { egress: Egress; seal: Seal; endpoints: Endpoints; actions: Actions },
): AssistantServices {
  return openAssistants({ ...from, toolSources: createToolSources(from) });
}

function sealOf({ credsKey, former }: Secrets): Seal {
  const olderKeys = former.map((older) => older.credsKey);
  return createSeal(credsKey, olderKeys);
}

/** All that settings, users and servers on this machine offer, with their keys. */
function openEndpoints(
  from: Pick<Parts, 'config' | 'db' | 'log' | 'demo' | 'ollama'>,
  { egress, seal, timings }: { egress: Egress; seal: Seal; timings: Timings },
): Endpoints {
  const { config, db, log, demo, ollama = null } = from;
  return createEndpoints(
    config,
    { demo, ollama },
    {
      site: { url: config.server.domainClient, title: config.startup.appTitle },
      userKey: createUserKey(db, seal, config.endpoints.pluginsUseAzure),
      egress,
      tunnelTo: (address) => tunnelTo(address, config.server.outboundProxy),
      onNotice: (notice) => log.warn(notice),
      timings,
    },
  );
}
