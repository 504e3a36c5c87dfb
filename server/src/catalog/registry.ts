import { answersForAssistants } from '@parley/schema/assistants/assistants';
import { fileLimitsOf, type FileLimits } from '@parley/schema/files/file-limits';
import type { Config } from '../config/config.ts';
import { custom } from '../providers/custom/custom.ts';
import type { ProviderRules } from '../providers/define-provider.ts';
import { demoEndpoint, type Demo } from '../providers/demo/demo.ts';
import type { EndpointDefinition, EndpointDeps } from '../providers/endpoint.ts';
import { ollamaEndpoint, type Ollama } from '../providers/ollama/ollama.ts';
import { withAccess, type ModelAccess } from './access/model-access.ts';
import type { Endpoint, Offered } from './endpoint.ts';
import { createModelList } from './model-list.ts';
import { NO_COST, type ModelPrices } from './prices/model-prices.ts';
import type { Timings } from '../config/timings.ts';
import { reasonFacts } from '../platform/log-error.ts';
import { Refusal } from '../platform/errors.ts';
import type { Provider } from '../providers/provider.ts';

export interface ListDeps {
  /** Called for each call of a provider that has ended; absent where nobody wants to know. */
  onCalled?: (facts: ProviderCallFacts) => void;
  /** Who may use which models; everybody where it is absent. */
  access?: ModelAccess;
  /** The prices of one's own; none where it is absent. */
  prices?: Pick<ModelPrices, 'find'>;
  timings: Pick<Timings, 'modelListTimeoutMs'>;
}

/** What is offered without any configuration. */
export interface LocalEndpoints {
  demo: Demo | null;
  ollama: Ollama | null;
}

/**
 * The endpoints on offer: the configured ones, a local Ollama, and the demo. `made` has those of earlier lists, which
 * stay the same ones, with their models, while their configuration is the same object.
 */
export function createEndpoints(
  { providers, modelSpecs, files }: Pick<Config, 'providers' | 'modelSpecs' | 'files'>,
  { demo, ollama }: LocalEndpoints,
  deps: EndpointDeps & ListDeps,
  made = new WeakMap<object, Endpoint>(),
): Offered {
  const make = (dependent: boolean) =>
    providers.flatMap(({ type, rules, endpoints }) =>
      endpoints
        .filter(({ isAnsweredByOthers }) => isAnsweredByOthers === dependent)
        .map((configured) => once(configured, type, rules, () => configured.define(deps))),
    );
  const local = (of: Demo | Ollama, define: () => EndpointDefinition) => once(of, custom.type, custom.rules, define);
  const found = ollama ? [local(ollama, () => ollamaEndpoint(ollama, deps.refusals))] : [];
  const own = inOrder(withNewNames(make(false), found));
  const answering = own.filter(({ type }) => answersForAssistants(type));
  const dependent = answering.length > 0 ? make(true).map((one) => answeredByOthers(one, answering)) : [];
  const all = inOrder([...own, ...dependent, ...(demo ? [local(demo, () => demoEndpoint(demo))] : [])]);
  // What the specs name is for whom the rest is.
  const endpoints = withModelSpecs(all, modelSpecs).map((one) => (modelSpecs ? withRules(one, deps) : one));
  const restPaths = providers.flatMap(({ type, rules: { restPath } }) => (restPath ? [{ type, ...restPath }] : []));
  return { endpoints, providers, modelSpecs, restPaths };

  function once(of: object, type: Endpoint['type'], rules: ProviderRules, define: () => EndpointDefinition): Endpoint {
    const known = made.get(of);
    if (known) return known;
    const definition = define();
    const limits = fileLimitsOf(definition.name, files.limits);
    const endpoint = withRules(createEndpoint(type, rules, definition, limits, deps), deps);
    made.set(of, endpoint);
    return endpoint;
  }
}

function withRules(endpoint: Endpoint, { access }: ListDeps): Endpoint {
  return access ? withAccess(endpoint, access) : endpoint;
}

/** What was found on this machine gives way to what has its name. */
function withNewNames(configured: readonly Endpoint[], found: readonly Endpoint[]): Endpoint[] {
  const taken = new Set(configured.map(({ name }) => name.toLowerCase()));
  return [...configured, ...found.filter(({ name }) => !taken.has(name.toLowerCase()))];
}

function inOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.toSorted((a, b) => a.config.order - b.config.order);
}

/** Whether no endpoint is configured that answers by itself. */
export function offersNothing({ providers }: Pick<Config, 'providers'>): boolean {
  return providers.every(({ endpoints }) => endpoints.every(({ isAnsweredByOthers }) => isAnsweredByOthers));
}

function createEndpoint(
  type: Endpoint['type'],
  { stream, restPath: _path, ...rules }: ProviderRules,
  { models, stream: ownStream, ...definition }: EndpointDefinition,
  files: FileLimits,
  { onNotice, onCalled, timings, prices }: EndpointDeps & ListDeps,
): Endpoint {
  const provider = ownStream ?? stream;
  const { name, isLocal } = definition;
  const list = createModelList(name, models, onNotice, timings.modelListTimeoutMs);
  return {
    ...definition,
    type,
    provider: onCalled ? watchCalls(provider, name, onCalled) : provider,
    ...rules,
    files,
    permits: async () => true,
    ratesOf: (model, reported, picture) =>
      prices?.find(name, model, picture) ?? reported ?? (isLocal ? NO_COST : undefined),
    ...list,
    models: withPictures(list, definition.config),
  };
}

/** Models that only make pictures stand in no list of models for chats: they come last. */
function withPictures({ models }: Pick<Endpoint, 'models'>, { pictures }: Endpoint['config']): Endpoint['models'] {
  if (!Array.isArray(pictures)) return models;
  return async (userId) => [...new Set([...(await models(userId)), ...pictures])];
}

/**
 * The endpoints with the models that the operator's specs name. Where these are enforced, there are no others: neither
 * in lists nor for a client that names one.
 */
function withModelSpecs(endpoints: Endpoint[], specs: Config['modelSpecs']): Endpoint[] {
  if (!specs) return endpoints;
  const { enforce, addedEndpoints, list } = specs;
  return endpoints.flatMap((endpoint) => {
    const own = list.filter((spec) => spec.endpoint === endpoint.name).map(({ model }) => model);
    const named = [...new Set(own)].filter((model) => model !== null);
    if (!enforce || addedEndpoints.includes(endpoint.name)) return withNamed(endpoint, named);
    // A spec without a model means the endpoint's default, which only its list knows.
    return own.includes(null) ? withNamed(endpoint, named) : named.length > 0 ? onlyNamed(endpoint, named) : [];
  });
}

function withNamed(endpoint: Endpoint, named: readonly string[]): Endpoint {
  if (named.length === 0) return endpoint;
  return { ...endpoint, models: async (userId) => [...new Set([...(await endpoint.models(userId)), ...named])] };
}

function onlyNamed(endpoint: Endpoint, named: readonly string[]): Endpoint {
  return { ...endpoint, models: async () => named, accepts: async (_userId, model) => named.includes(model) };
}

/**
 * An endpoint without a provider of its own, such as that of assistants: it offers the models of the endpoints that
 * answer for it; where it names models itself, only those.
 */
function answeredByOthers(endpoint: Endpoint, others: readonly Endpoint[]): Endpoint {
  return {
    ...endpoint,
    isAnsweredByOthers: true,
    async models(userId) {
      const [named, ...lists] = await Promise.all([endpoint, ...others].map((one) => one.models(userId)));
      const all = [...new Set(lists.flat())];
      return named?.length ? all.filter((model) => named.includes(model)) : all;
    },
    async fetched(userId) {
      const lists = await Promise.all(others.map((other) => other.fetched(userId)));
      // The first endpoint that offers a model is asked.
      return new Map(lists.toReversed().flatMap((list) => [...list]));
    },
    accepts: (userId, model) => isSome((other) => other.accepts(userId, model)),
    permits: (userId, model) => isSome((other) => other.permits(userId, model)),
  };

  async function isSome(test: (other: Endpoint) => Promise<boolean>): Promise<boolean> {
    return (await Promise.all(others.map(test))).some(Boolean);
  }
}

// Tells an operator how long providers take, and how their calls end.

/** A call of a provider that has ended; never what was asked or answered. */
interface ProviderCallFacts extends Partial<ReturnType<typeof reasonFacts>> {
  endpoint: string;
  model: string;
  /** Until its end, and until its first delta, in milliseconds. */
  ms: number;
  firstMs: number | undefined;
}

/** The provider, which tells each call that has ended. */
function watchCalls(provider: Provider, endpoint: string, onCalled: (facts: ProviderCallFacts) => void): Provider {
  return async function* watched(call, signal) {
    const began = performance.now();
    const since = () => Math.round(performance.now() - began);
    let firstMs: number | undefined;
    let failure: Partial<ReturnType<typeof reasonFacts>> = {};
    try {
      for await (const delta of provider(call, signal)) {
        firstMs ??= since();
        yield delta;
      }
    } catch (error) {
      failure = reasonFacts(error instanceof Refusal ? error.reason : { type: 'unknown', text: '' });
      throw error;
    } finally {
      onCalled({ endpoint, model: call.model, ms: since(), firstMs, ...failure });
    }
  };
}
