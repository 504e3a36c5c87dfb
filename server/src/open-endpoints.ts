// Opens all that settings, users and servers on this machine offer, with their keys.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import type { Endpoints } from './catalog/endpoint.ts';
import { createEndpoints } from './catalog/registry.ts';
import type { Config } from './config.ts';
import type { Encryption } from './keys/encryption.ts';
import { createUserKey } from './keys/read-key.ts';
import type { Egress } from './platform/egress.ts';
import { tunnelTo } from './platform/outbound-proxy.ts';
import type { Demo } from './providers/demo/demo.ts';
import type { Ollama } from './providers/ollama/ollama.ts';
import type { Timings } from './timings.ts';

export interface EndpointParts {
  config: Config;
  db: Db;
  log: Logger;
  demo: Demo | null;
  ollama?: Ollama | null;
  egress: Egress;
  encryption: Encryption;
  timings: Timings;
}

export function openEndpoints(parts: EndpointParts): Endpoints {
  const { config, db, log, demo, ollama = null, egress, encryption, timings } = parts;
  return createEndpoints(
    config,
    { demo, ollama },
    {
      site: { url: config.server.domainClient, title: config.startup.appTitle },
      userKey: createUserKey(db, encryption, config.endpoints.pluginsUseAzure),
      egress,
      tunnelTo: (address) => tunnelTo(address, config.server.outboundProxy),
      onNotice: (notice) => log.warn(notice),
      ...(log.isLevelEnabled('debug') && {
        onCalled: (facts) => log.debug({ event: 'provider.called', ...facts }, 'A provider was called'),
      }),
      timings,
    },
  );
}
