// Creates the services of a server, without the HTTP server, for main.ts and tests alike.
import { randomUUID } from 'node:crypto';
import { openAssistants } from './assistants/open-assistants.ts';
import type { Secrets } from './config/parts/secrets.ts';
import type { Deps } from './deps.ts';
import { createEgress } from './platform/egress.ts';
import { createEncryption, type Encryption } from './keys/encryption.ts';
import { createOpenCalls } from './http/open-calls.ts';
import { createPresence } from './http/presence.ts';
import { createPubSub } from './platform/pubsub.ts';
import { logError } from './platform/log-error.ts';
import { noMetrics, type Metrics } from './platform/metrics.ts';
import { openEndpoints, tellAll, type EndpointParts } from './open-endpoints.ts';
import { openAccounts } from './open-accounts.ts';
import { openReplies } from './open-replies.ts';
import { openTools } from './open-tools.ts';
import { openToolSettings } from './plugins/tool-settings.ts';
import { startTasks } from './tasks.ts';
import type { ToolSource } from './tools/tool.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { openFiles } from './files/open-files.ts';
import type { Extractor } from './retrieval/extracted.ts';
import { closeServices, endRuns } from './close-services.ts';

export interface Services {
  deps: Deps;
  /** Waits for runs and calls for the grace, and hands over the rest. */
  endReplies(): Promise<void>;
  /** Ends answers, and all else. */
  close(): Promise<void>;
}

interface Parts extends Omit<
  EndpointParts,
  'egress' | 'encryption' | 'timings' | 'pubsub' | 'onFault' | 'toolSettings'
> {
  secrets: Secrets;
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
  const base = await openBase(from);
  const accounts = await openAccounts(base);
  const files = openFiles({ ...base, ...accounts });
  const tools = openTools({ ...base, ...files });
  const assistants = openAssistants({ ...base, ...tools });
  const replies = openReplies({ ...base, ...accounts, ...files, ...tools, ...assistants });
  const openCalls = createOpenCalls();
  const presence = createPresence({ ...base, ...accounts });
  const endTasks = startTasks({ ...base, ...accounts, ...files, ...replies });
  const closing = { ...base, ...accounts, ...files, ...replies, openCalls, closeTools: tools.close, endTasks };
  let repliesEnded: Promise<void> | undefined;
  const endReplies = () => (repliesEnded ??= endRuns(closing));
  return {
    deps: { ...base, ...accounts, ...files, ...tools, ...assistants, ...replies, openCalls, presence },
    endReplies,
    close: () => endReplies().then(() => closeServices(closing)),
  };
}

/** What all services use. */
async function openBase(from: Parts) {
  const { secrets, db, log, metrics = noMetrics } = from;
  const onFault = (error: unknown) => logError(log, error, { event: 'task.failed' });
  const common = { ...from, metrics, timings: { ...defaultTimings, ...from.timings }, owner: randomUUID(), onFault };
  const pubsub = await createPubSub(db);
  const egress = createEgress(from.config.server.egressAllowedHosts);
  const encryption = encryptionOf(secrets);
  const onChanged = () => tellAll(pubsub);
  const { config } = from;
  const live = await openToolSettings({ db, config, encryption, onChanged, onFault });
  const base = { ...common, ...live, pubsub, egress, encryption };
  return { ...base, ...(await openEndpoints(base)) };
}

function encryptionOf({ credsKey, former }: Secrets): Encryption {
  return createEncryption(
    credsKey,
    former.map((one) => one.credsKey),
  );
}
