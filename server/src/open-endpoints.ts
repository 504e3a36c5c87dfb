// Opens all that settings, users and servers on this machine offer, with their keys.
import type { Db } from '@parley/db/client';
import type { Logger } from 'pino';
import { keyNameOf } from '@parley/schema/accounts/key-name';
import { readSaved } from './admin/providers/saved-rows.ts';
import { ACCESS_TOPIC, createModelAccess, MEMBER } from './catalog/access/model-access.ts';
import { createModelPrices, PRICES_TOPIC } from './catalog/prices/model-prices.ts';
import { createSavedEgress } from './catalog/live/exempt-hosts.ts';
import { followTopic, PROVIDERS_TOPIC, type LiveSettings } from './catalog/live/follow-saved.ts';
import { createLiveEndpoints, type OfferServices } from './catalog/live/live-endpoints.ts';
import type { Config } from './config/config.ts';
import type { Encryption } from './keys/encryption.ts';
import { createUserKey } from './keys/read-key.ts';
import { CHANGE, changeTopic } from './convos/changes.ts';
import type { Egress } from './platform/egress.ts';
import type { PubSub } from './platform/pubsub.ts';
import { tunnelTo } from './platform/outbound-proxy.ts';
import { createKnownRefusals } from './providers/compatible/refusals.ts';
import type { Demo } from './providers/demo/demo.ts';
import type { Ollama } from './providers/ollama/ollama.ts';
import type { Timings } from './config/timings.ts';
import { TOOLS_TOPIC } from './tools/saved/saved-tools.ts';

/** What a process has learned of a provider's server. */
const REFUSED = 'refused:';

export interface EndpointParts {
  config: Config;
  db: Db;
  log: Logger;
  /** Opens the demo; null where something is configured. */
  demo: (() => Promise<Demo>) | null;
  ollama?: Ollama | null;
  pubsub: PubSub;
  egress: Egress;
  encryption: Encryption;
  toolSettings: LiveSettings;
  timings: Timings;
  onFault: (error: unknown) => void;
}

/** Anyone who follows changes is told that something else is offered. */
export function tellAll(pubsub: PubSub): void {
  for (const userId of pubsub.subscribed(CHANGE)) tell(pubsub, userId);
}

function tell(pubsub: PubSub, userId: string): void {
  pubsub.notifyLost(changeTopic(userId));
}

/** The providers that the yaml file gives prices and that are not there. */
function unknownNames({ endpoints: { prices } }: Config, { list }: OfferServices['endpoints']): string[] {
  const known = new Set(list().map(({ name }) => name.toLowerCase()));
  return Object.keys(prices).filter((name) => !known.has(name.toLowerCase()));
}

export async function openEndpoints(parts: EndpointParts): Promise<OfferServices & { endFollowing: () => void }> {
  const { config, db, log, pubsub, demo, ollama = null, egress, encryption, toolSettings, timings, onFault } = parts;
  const ruleOf = (endpoint: string) => keyNameOf(endpoint, config.endpoints.pluginsUseAzure);
  const access = await createModelAccess({
    db,
    ruleOf,
    onChanged: (userId) => (userId === null ? tellAll(pubsub) : tell(pubsub, userId)),
    onFault,
  });
  const prices = await createModelPrices({ db, ofFile: config.endpoints.prices, priceOf: ruleOf, onFault });
  pubsub.on(MEMBER, access.forget);
  const onNotice = (notice: string) => log.warn(notice);
  const refusals = createKnownRefusals({ onLearned: onNotice, tell: (told) => db.tell(`${REFUSED}${told}`) });
  pubsub.on(REFUSED, refusals.hear);
  const endpoints = await createLiveEndpoints({
    config,
    openDemo: demo,
    ollama,
    read: () => readSaved(db, encryption),
    switches: toolSettings,
    onChanged: () => tellAll(pubsub),
    onFault,
    deps: {
      site: { url: config.server.domainClient, title: config.startup.appTitle },
      userKey: createUserKey(db, encryption, config.endpoints.pluginsUseAzure),
      egress,
      savedEgress: createSavedEgress(config),
      tunnelTo: (address) => tunnelTo(address, config.server.outboundProxy),
      access,
      prices,
      refusals,
      onNotice,
      ...(log.isLevelEnabled('debug') && {
        onCalled: (facts) => log.debug({ event: 'provider.called', ...facts }, 'A provider was called'),
      }),
      timings,
    },
  });
  for (const name of unknownNames(config, endpoints))
    log.warn(`The configuration file has prices of ${name}: they have no effect while no provider has this name.`);
  const ends = [
    followTopic(pubsub, PROVIDERS_TOPIC, endpoints.reload),
    followTopic(pubsub, ACCESS_TOPIC, access.reload),
    followTopic(pubsub, PRICES_TOPIC, prices.reload),
    followTopic(pubsub, TOOLS_TOPIC, toolSettings.reload),
  ];
  return { endpoints, access, prices, egress, toolSettings, refusals, endFollowing: () => endAll(ends) };
}

function endAll(ends: readonly (() => void)[]): void {
  for (const end of ends) end();
}
