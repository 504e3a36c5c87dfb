import type { Config } from '../config.ts';
import { refuse } from '../platform/errors.ts';
import { custom } from '../providers/custom/custom.ts';
import type { ProviderRules } from '../providers/define-provider.ts';
import { demoEndpoint, type Demo } from '../providers/demo/demo.ts';
import type { EndpointDefinition, EndpointDeps } from '../providers/endpoint.ts';
import { ollamaEndpoint, type Ollama } from '../providers/ollama/ollama.ts';
import type { Endpoint, Endpoints } from './endpoint.ts';
import { createModelList } from './model-list.ts';
import { withModelSpecs } from './model-specs.ts';
import type { Timings } from '../timings.ts';

interface ListDeps {
  timings: Pick<Timings, 'modelListTimeoutMs'>;
}

/** The endpoints on offer: the configured ones, and a local Ollama where nothing is configured. */
export function createEndpoints(
  { providers, modelSpecs }: Pick<Config, 'providers' | 'modelSpecs'>,
  { demo, ollama }: { demo: Demo | null; ollama: Ollama | null },
  deps: EndpointDeps & ListDeps,
): Endpoints {
  const configured = providers.flatMap(({ type, rules, endpoints }) =>
    endpoints.map(({ define }) => createEndpoint(type, rules, define(deps), deps)),
  );
  const local = [...(ollama ? [ollamaEndpoint(ollama)] : []), ...(demo ? [demoEndpoint(demo)] : [])];
  const all = [
    ...configured,
    ...local.map((definition) => createEndpoint(custom.type, custom.rules, definition, deps)),
  ].toSorted((a, b) => a.config.order - b.config.order);
  const endpoints = withModelSpecs(all, modelSpecs);
  return {
    list: () => endpoints,
    assert: (name) =>
      endpoints.find((endpoint) => endpoint.name === name) ?? refuse({ type: 'not_found', what: 'endpoint' }),
    restPaths: () => providers.flatMap(({ type, rules: { restPath } }) => (restPath ? [{ type, ...restPath }] : [])),
  };
}

/** Whether no endpoint is configured. */
export function offersNothing({ providers }: Pick<Config, 'providers'>): boolean {
  return providers.every(({ endpoints }) => endpoints.length === 0);
}

function createEndpoint(
  type: Endpoint['type'],
  { stream, titleModel, context }: ProviderRules,
  { models, stream: ownStream, ...definition }: EndpointDefinition,
  { onNotice, timings }: EndpointDeps & ListDeps,
): Endpoint {
  return {
    ...definition,
    type,
    provider: ownStream ?? stream,
    titleModel,
    context,
    ...createModelList(definition.name, models, onNotice, timings.modelListTimeoutMs),
  };
}
