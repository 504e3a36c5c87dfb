// What a provider defines for one entry of the endpoint menu. The catalog turns it into an `Endpoint`.
import type { ThreadIds } from '@parley/schema/chat/provider-thread';
import type { EndpointConfig } from '@parley/schema/catalog/startup';
import type { DeepReadonly } from '../config/freeze.ts';
import type { Summaries } from '../config/summaries.ts';
import type { Titles } from '../config/titles.ts';
import type { Egress } from '../platform/egress.ts';
import type { KnownRefusals, LeftOut } from './compatible/refusals.ts';
import type { ModelSource, UserModelSource } from './model-source.ts';
import type { Provider, ProviderTarget } from './provider.ts';
import type { UserKey } from './user-key.ts';

export interface EndpointDefinition {
  name: string;
  /** As REST clients and the web app see it. */
  config: EndpointConfig;
  titles: DeepReadonly<Titles>;
  /** Settings for summaries of omitted messages; absent where there are none. */
  summaries?: DeepReadonly<Summaries>;
  models: ModelOffer;
  /** It runs on a server of the operator's own, so that its models are free until they have a price. */
  isLocal?: boolean;
  /** Overrides the provider's own `stream`. */
  stream?: Provider;
  /** What its server has refused, and is not sent at the moment; absent where it is not looked for. */
  leftOut?(): LeftOut[];
  /** Its provider does not speak the protocol of its type. */
  hasOwnProtocol?: true;
  /** The target for one of its models and this user. Refuses when a key is missing. */
  target(userId: string, model: string): Promise<ProviderTarget>;
  /** For providers that title conversations themselves; the others are asked with a title prompt. */
  title?(call: TitleCall, signal: AbortSignal): Promise<string>;
}

export interface ModelOffer {
  /** Offered when there is no source or the source fails. */
  known: readonly string[];
  source: ModelSource | UserModelSource | null;
  /** The models of the list that this user's key can ask; all of them when absent. */
  usable?(userId: string, models: readonly string[]): Promise<readonly string[]>;
  /** False for known models that may be used only if they are listed. */
  acceptsUnlisted?(model: string): boolean;
}

/** A conversation that its provider titles. */
export interface TitleCall {
  userId: string;
  model: string;
  ids: ThreadIds;
}

/** What endpoints need from the server. */
export interface EndpointDeps {
  /** The site's address and name, for providers that expect them. */
  site: { url: string; title: string };
  userKey: UserKey;
  egress: Egress;
  /** For the addresses that administrators give. */
  savedEgress: Egress;
  tunnelTo: ProviderTarget['tunnelTo'];
  refusals: KnownRefusals;
  onNotice(text: string): void;
}
