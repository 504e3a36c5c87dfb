import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { FileLimits } from '@parley/schema/files/file-limits';
import type { Config } from '../config/config.ts';
import type { ConfiguredProvider, ContextRules, RestPath, TitleModel } from '../providers/define-provider.ts';
import type { EndpointDefinition } from '../providers/endpoint.ts';
import type { PictureProvider } from '../providers/pictures.ts';
import type { Provider } from '../providers/provider.ts';
import type { ModelList, Pricing } from './model-list.ts';

/** An endpoint of the menu with its provider and models. */
export interface Endpoint extends Omit<EndpointDefinition, 'models' | 'stream'>, ModelList, Pricing {
  type: EndpointType;
  /** Asks a model and streams its answer. */
  provider: Provider;
  /** Asks a model for a picture; null where none makes any. */
  pictures: PictureProvider | null;
  titleModel: TitleModel;
  context: ContextRules;
  /** Which attachments it takes. */
  files: FileLimits;
  /** False for a model that administrators give to others only. */
  permits(userId: string, model: string): Promise<boolean>;
  /** Whether it has no models of its own, and other endpoints answer for it. */
  isAnsweredByOthers?: true;
  /** Set where an assistant answers. */
  responder?: ResponderFacts;
}

export interface ResponderFacts {
  /** The type whose protocol is used: of the endpoint that answers for the assistant. */
  type: EndpointType;
  /** The keys of the assistant's tools, and of those that the conversation chose beside them. */
  toolKeys: readonly string[];
}

/** What is offered with one configuration. */
export interface Offered {
  /** In the order of the menu. */
  endpoints: readonly Endpoint[];
  /** Where they come from: all providers, including those that are off. */
  providers: readonly ConfiguredProvider[];
  /** The models that the operator offers by names of their own; null where there are none. */
  modelSpecs: Config['modelSpecs'];
  /** The endpoint types with REST paths, including those that are off. */
  restPaths: readonly (RestPath & { type: EndpointType })[];
}

/** What is offered at the moment. */
export interface Endpoints {
  list(): readonly Endpoint[];
  /** Refuses with `not_found` what is not offered. */
  assert(name: string): Endpoint;
  providers(): Offered['providers'];
  modelSpecs(): Offered['modelSpecs'];
  restPaths(): Offered['restPaths'];
}
