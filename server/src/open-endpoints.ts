// Opens all that settings, users and servers on this machine offer, with their keys.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { PROVIDER_KINDS } from '@parley/schema/catalog/provider-kinds';
import { readSaved } from './admin/providers/saved-rows.ts';
import { exemptHosts } from './catalog/live/exempt-hosts.ts';
import { createLiveEndpoints, type LiveEndpoints } from './catalog/live/live-endpoints.ts';
import type { Config } from './config.ts';
import type { Encryption } from './keys/encryption.ts';
import { createUserKey } from './keys/read-key.ts';
import { CHANGE, changeTopic } from './convos/changes.ts';
import { createEgress, type Egress } from './platform/egress.ts';
import type { PubSub } from './platform/pubsub.ts';
import { tunnelTo } from './platform/outbound-proxy.ts';
import type { Demo } from './providers/demo/demo.ts';
import type { Ollama } from './providers/ollama/ollama.ts';
import type { Timings } from './timings.ts';

/** What the providers of administrators answer at addresses of their own, which the page offers: not for a guess. */
const KNOWN_HOSTS = PROVIDER_KINDS.flatMap(({ baseURL }) => (baseURL ? [new URL(baseURL).host] : []));

export interface EndpointParts {
  config: Config;
  db: Db;
  log: Logger;
  /** Starts the demo; null where something is configured. */
  demo: (() => Promise<Demo>) | null;
  ollama?: Ollama | null;
  pubsub: PubSub;
  egress: Egress;
  encryption: Encryption;
  timings: Timings;
  onFault: (error: unknown) => void;
}

export function openEndpoints(parts: EndpointParts): Promise<LiveEndpoints> {
  const { config, db, log, pubsub, demo, ollama = null, egress, encryption, timings, onFault } = parts;
  return createLiveEndpoints({
    config,
    openDemo: demo,
    ollama,
    read: () => readSaved(db, encryption),
    // Whoever follows changes is told that other models are offered.
    onChanged: () => {
      for (const userId of pubsub.subscribed(CHANGE)) pubsub.notifyLost(changeTopic(userId));
    },
    onFault,
    deps: {
      site: { url: config.server.domainClient, title: config.startup.appTitle },
      userKey: createUserKey(db, encryption, config.endpoints.pluginsUseAzure),
      egress,
      savedEgress: createEgress(exemptHosts(config), undefined, KNOWN_HOSTS),
      tunnelTo: (address) => tunnelTo(address, config.server.outboundProxy),
      onNotice: (notice) => log.warn(notice),
      ...(log.isLevelEnabled('debug') && {
        onCalled: (facts) => log.debug({ event: 'provider.called', ...facts }, 'A provider was called'),
      }),
      timings,
    },
  });
}
