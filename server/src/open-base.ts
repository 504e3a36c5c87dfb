// Opens what all services use: settings, users' keys, endpoints, and the way to tell other processes.
import { randomUUID } from 'node:crypto';
import type { Secrets } from './config/parts/secrets.ts';
import { createEncryption } from './keys/encryption.ts';
import { openEndpoints, tellAll, type EndpointParts } from './open-endpoints.ts';
import { createEgress } from './platform/egress.ts';
import { logError } from './platform/log-error.ts';
import type { Metrics } from './platform/metrics.ts';
import { createPubSub } from './platform/pubsub.ts';
import type { Extractor } from './retrieval/extracted.ts';
import { defaultTimings, type Timings } from './config/timings.ts';
import type { ToolSource } from './tools/tool.ts';
import { createLiveTools } from './tools/saved/live-tools.ts';
import type { FieldsOf } from './tools/saved/with-saved.ts';
import { findPlugin } from './plugins/manifest.ts';

/** What a server is made of. */
export interface ServiceParts extends Omit<
  EndpointParts,
  'egress' | 'encryption' | 'timings' | 'pubsub' | 'onFault' | 'toolSettings'
> {
  secrets: Secrets;
  metrics?: Metrics | null;
  /** Reads the text of uploaded files; the real one when absent. */
  extractor?: Extractor;
  /** Tools beside those of the server. */
  toolSources?: readonly ToolSource[];
  /** Lease: how long after a database outage no run is taken over, in milliseconds. */
  takeoverWaitMs?: number;
  timings?: Partial<Timings>;
}

/** What `openBase` opens. */
export type Base = Awaited<ReturnType<typeof openBase>>;

export async function openBase(from: ServiceParts) {
  const { secrets, db, log, metrics = null } = from;
  const onFault = (error: unknown) => logError(log, error, { event: 'task.failed' });
  const common = { ...from, metrics, timings: { ...defaultTimings, ...from.timings }, owner: randomUUID(), onFault };
  const pubsub = await createPubSub(db);
  const egress = createEgress(from.config.server.egressAllowedHosts);
  const encryption = createEncryption(
    secrets.credsKey,
    secrets.former.map((one) => one.credsKey),
  );
  const onChanged = () => tellAll(pubsub);
  const { config } = from;
  const live = await openToolSettings({ db, config, encryption, onChanged, onFault });
  const base = { ...common, ...live, pubsub, egress, encryption };
  return { ...base, ...(await openEndpoints(base)) };
}

/** Of services that only the search of the web asks. */
const SEARCHES: Readonly<Record<string, ReturnType<FieldsOf>>> = {
  brave: [['BRAVE_API_KEY']],
  searxng: [['SEARXNG_URL']],
};

const fieldsOf: FieldsOf = (key) => SEARCHES[key] ?? findPlugin(key)?.fields.map(({ names }) => names) ?? [];

/** What administrators set of tools, under what the environment and the yaml file set. */
function openToolSettings(parts: Omit<Parameters<typeof createLiveTools>[0], 'fieldsOf'>) {
  return createLiveTools({ ...parts, fieldsOf });
}
