// Creates the services of a server, without the HTTP server, for main.ts and tests alike.
import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { createActions } from './actions/actions.ts';
import { openAssistants } from './assistants/open-assistants.ts';
import { createAuthenticator } from './auth/session/authenticator.ts';
import { createSessionWatch } from './auth/session/session-watch.ts';
import type { Config } from './config.ts';
import type { Secrets } from './config/parts/secrets.ts';
import { createTitles } from './convos/titles.ts';
import { createWrittenConvos } from './convos/written-convos.ts';
import type { Deps } from './deps.ts';
import type { Demo } from './providers/demo/demo.ts';
import type { Ollama } from './providers/ollama/ollama.ts';
import type { Endpoints } from './catalog/endpoint.ts';
import { createEndpoints } from './catalog/registry.ts';
import { createEgress, type Egress } from './platform/egress.ts';
import { createLog } from './generation/log.ts';
import { createRuns } from './generation/runs.ts';
import { createUserKey } from './keys/read-key.ts';
import { createEncryption, type Encryption } from './keys/encryption.ts';
import { createAskLimits } from './abuse/ask-limits.ts';
import { createBrowsersOnly } from './abuse/browsers-only.ts';
import { createMcp } from './mcp/mcp.ts';
import { createMail } from './platform/mail.ts';
import { createAskService } from './chat/ask-service.ts';
import { createLogStore, LEASE_SECONDS } from './chat/log-store.ts';
import { createModeration } from './chat/checks/moderation.ts';
import { createRecentBranches } from './chat/context/recent-branches.ts';
import { releaseRuns, recoverGuarded } from './chat/recovery.ts';
import { createToollessModels } from './chat/answer/toolless-models.ts';
import { createTakeoverGuard } from './chat/takeover-guard.ts';
import { createBilling, type Billing } from './billing/billing.ts';
import { createSummaries } from './chat/context/summaries.ts';
import { createOpenCalls } from './http/open-calls.ts';
import { createPubSub } from './platform/pubsub.ts';
import { tunnelTo } from './platform/outbound-proxy.ts';
import { logError } from './platform/log-error.ts';
import { noMetrics, type Metrics } from './platform/metrics.ts';
import { createEndedIndexer } from './search/index-ended.ts';
import { startTasks } from './tasks.ts';
import { createToolSources, type ToolSourceDeps } from './tool-sources.ts';
import { createBuiltinSource } from './tools/builtin/builtin-source.ts';
import { createToolRegistry } from './tools/registry.ts';
import type { ToolSource } from './tools/tool.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { openFiles } from './files/open-files.ts';
import type { Extractor } from './retrieval/extracted.ts';
import { defaultAgentLimits, type AgentLimits } from './agents/agent.ts';
import { closeServices, endRuns } from './close-services.ts';
import { createViolations } from './abuse/violations.ts';

export interface Services {
  deps: Deps;
  /** Waits for runs and calls for the grace, and hands over the rest. */
  endAnswers(): Promise<void>;
  /** Ends answers, and all else. */
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
  /** Tools beside those of the server. */
  toolSources?: readonly ToolSource[];
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
  const encryption = encryptionOf(secrets);
  const endpoints = openEndpoints(from, { egress, encryption, timings });
  const generationLog = createLog(createLogStore(db, owner, metrics), onFault);
  const runs = createRuns(generationLog, { ...config.endpoints.timeouts, ...timings }, onFault);
  const guard = createTakeoverGuard(db, from.takeoverWaitMs ?? LEASE_SECONDS * 1000);
  const settle = (ending?: AbortSignal) =>
    recoverGuarded(db, guard, owner, generationLog.runningIds(), { log, metrics, ending });
  const auth = createAuthenticator(db, secrets);
  pubsub.on('sessions-ended:', (userId) => auth.invalidateUser(userId));
  const mail = createMail(config, log, timings);
  const billing = createBilling(db, config.startup.checkBalance);
  const writtenConvos = createWrittenConvos();
  const openCalls = createOpenCalls();
  const titles = createTitles({ db, log, billing, writtenConvos, running: runs.size });
  const endedIndexer = createEndedIndexer(db, onFault);
  const limits = createAskLimits(db, config);
  const violations = createViolations({ db, log, auth, bans: config.bans });
  const { readFile, ...files } = openFiles({ ...from, endpoints, egress, violations, owner, timings, onFault });
  const { stores, retrieval } = files;
  const { closeTools, actions, mcp, ...agent } = openTools({ ...from, egress, encryption, stores }, timings, onFault);
  const assistants = openAssistants({ config, db, endpoints, toolSources: agent.toolSources, actions });
  const shared = { config, db, log, metrics, endpoints, pubsub, writtenConvos, titles, timings };
  const askService = createAskService({
    ...shared,
    ...agent,
    findAnswering: assistants.findAnswering,
    owner,
    runs,
    endedIndexer,
    generationLog,
    settle,
    summaries: openSummaries(from, billing, timings),
    moderate: createModeration(db, config.moderation),
    limits,
    violations,
    billing,
    readFile,
    retrieval,
  });
  const recentBranches = createRecentBranches(db.query);
  const { ask } = askService;
  const endTasks = startTasks({ ...from, stores, endpoints, pubsub, settle, ask, endedIndexer, timings, onFault });
  const releaseLeases = () => releaseRuns(db, owner);
  const running = { runs, endedIndexer, openCalls, retrieval, titles, mail, closeTools, generationLog, pubsub };
  const own = { log, timings, endTasks, recentBranches, socialAvatars: files.socialAvatars, releaseLeases };
  let answersEnded: Promise<void> | undefined;
  const endAnswers = () => (answersEnded ??= endRuns({ ...own, ...running }));
  return {
    deps: {
      ...shared,
      ...files,
      ...assistants,
      secrets,
      auth,
      sessions: createSessionWatch(auth),
      mail,
      openCalls,
      browsersOnly: createBrowsersOnly(limits, violations),
      askService,
      recentBranches,
      actions,
      mcp,
      tools: agent.tools,
    },
    endAnswers,
    close: () => endAnswers().then(() => closeServices({ ...own, ...running })),
  };
}

function encryptionOf({ credsKey, former }: Secrets): Encryption {
  return createEncryption(
    credsKey,
    former.map((one) => one.credsKey),
  );
}

function openSummaries({ config, db, log }: Pick<Parts, 'config' | 'db' | 'log'>, billing: Billing, timings: Timings) {
  // The summary counts towards the timeout of the first token.
  const timeoutMs = Math.min(timings.summaryTimeoutMs, config.endpoints.timeouts.firstTokenMs / 2);
  return createSummaries({ db, log, timeoutMs, billing });
}

/** The tools of all sources, none where the operator switched them off, and how much they may do. */
function openTools(
  from: Pick<Parts, 'toolSources'> & Omit<ToolSourceDeps, 'actions' | 'mcp'>,
  timings: Timings,
  onFault: (error: unknown) => void,
) {
  const { config } = from;
  const { enabled, maxSteps, maxMinutes, callsPerMinute } = config.tools;
  const [actions, mcp] = [createActions(from), createMcp({ ...from, timings })];
  const { sources: ofDomains, close } = createToolSources({ ...from, actions, mcp });
  const builtin = createBuiltinSource(timings);
  const sources = [builtin, ...ofDomains, ...(from.toolSources ?? [])];
  const agentLimits: AgentLimits = {
    ...defaultAgentLimits,
    steps: maxSteps,
    runMs: maxMinutes * 60_000,
    // A run that waits for tools must send something before it counts as silent.
    heartbeatMs: Math.min(timings.toolHeartbeatMs, config.endpoints.timeouts.idleMs / 3),
    stopMs: timings.toolStopMs,
  };
  return {
    actions,
    mcp,
    toolSources: enabled ? sources : [],
    tools: createToolRegistry(enabled ? sources : [], onFault),
    agentLimits,
    restActionsAsk: config.actions.restAsks,
    toolCallsPerMinute: callsPerMinute,
    toolless: createToollessModels(),
    closeTools: () => Promise.all([builtin.close(), close()]),
  };
}

/** All that settings, users and servers on this machine offer, with their keys. */
function openEndpoints(
  from: Pick<Parts, 'config' | 'db' | 'log' | 'demo' | 'ollama'>,
  { egress, encryption, timings }: { egress: Egress; encryption: Encryption; timings: Timings },
): Endpoints {
  const { config, db, log, demo, ollama = null } = from;
  return createEndpoints(
    config,
    { demo, ollama },
    {
      site: { url: config.server.domainClient, title: config.startup.appTitle },
      userKey: createUserKey(db, encryption, config.endpoints.pluginsUseAzure),
      egress,
      tunnelTo: (address) => tunnelTo(address, config.server.outboundProxy),
      onNotice: (notice) => log.warn(notice),
      timings,
    },
  );
}
