import type { EndpointType } from '@parley/schema/endpoints';
import type { EndpointConfig } from '@parley/schema/startup';
import type { Titles } from '../config/endpoints.ts';
import type { DeepReadonly } from '../config/freeze.ts';
import type { Provider, Upstream } from './provider.ts';

/** One entry of the endpoint menu, ready to be asked. */
export interface Endpoint {
  name: string;
  type: EndpointType;
  /** As the wire describes it. */
  config: EndpointConfig;
  titles: DeepReadonly<Titles>;
  provider: Provider;
  /** The models on offer; from a cache that is filled when first asked for. */
  models(): Promise<readonly string[]>;
  /** Where it is reached for this user. Refuses when a key is missing. */
  upstream(userId: string): Promise<Upstream>;
}

export interface Endpoints {
  /** In the order of the menu. */
  list(): readonly Endpoint[];
  /** Refuses with `not_found` what is not offered. */
  assert(name: string): Endpoint;
}
