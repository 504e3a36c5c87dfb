import type { EndpointType } from '@parley/schema/endpoints';
import type { EndpointConfig } from '@parley/schema/startup';
import type { UpstreamIds } from '@parley/schema/upstream';
import type { Summaries } from '../config/summaries.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import type { Titles } from '../config/titles.ts';
import type { Egress } from '../egress.ts';
import type { ModelList } from './models.ts';
import type { Provider, Upstream } from './provider.ts';
import type { UserKey } from './user-key.ts';

/** One entry of the endpoint menu, ready to be asked. */
export interface Endpoint extends ModelList {
  name: string;
  type: EndpointType;
  /** As the wire describes it. */
  config: EndpointConfig;
  titles: DeepReadonly<Titles>;
  /** Whether what no longer fits is summed up; absent where it never is. */
  summaries?: DeepReadonly<Summaries>;
  provider: Provider;
  /** Where one of its models is reached for this user. Refuses when a key is missing. */
  upstream(userId: string, model: string): Promise<Upstream>;
  /** Where the provider titles its conversations itself: what it calls this one. Else it is asked as for any answer. */
  title?(call: TitleCall, signal: AbortSignal): Promise<string>;
}

/** A conversation that a provider is to name. */
export interface TitleCall {
  userId: string;
  model: string;
  ids: UpstreamIds;
}

export interface Endpoints {
  /** In the order of the menu. */
  list(): readonly Endpoint[];
  /** Refuses with `not_found` what is not offered. */
  assert(name: string): Endpoint;
}

/** What endpoints need of the server around them. */
export interface Surroundings {
  /** The site's address and name, for providers that want to know who asks. */
  site: { url: string; title: string };
  userKey: UserKey;
  egress: Egress;
  onNotice(text: string): void;
}
