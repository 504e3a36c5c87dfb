// The models that the operator offers by names of their own.
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { ModelSpec, ModelSpecs } from '@parley/schema/settings/model-specs';
import { isHttpUrl } from '../addresses.ts';
import type { ModelSpecYaml, Yaml } from '../yaml/yaml-schema.ts';

type Spec = Omit<ModelSpec, 'settings'> & { type: EndpointType; preset: Record<string, unknown> };
/** Null where the yaml file has none. */
export type ModelSpecsConfig = (Omit<ModelSpecs, 'list'> & { list: Spec[] }) | null;

/** The endpoints that the configuration has. */
type Offered = readonly { type: EndpointType; name: string }[];

/** Fields of presets that are no parameters of an endpoint. */
const OTHER_FIELDS = ['endpoint', 'endpointType', 'model', 'modelLabel', 'tools', 'agentOptions', 'assistant_id'];

/** Specs of endpoints that are not offered are left out, and said. */
export function modelSpecsConfig(
  { modelSpecs }: Yaml,
  offered: Offered,
  file = '',
): { modelSpecs: ModelSpecsConfig; notices: string[] } {
  if (!modelSpecs) return { modelSpecs: null, notices: [] };
  const { enforce = false, prioritize = true, addedEndpoints = [] } = modelSpecs;
  const list: Spec[] = [];
  const notices: string[] = [];
  for (const [index, spec] of modelSpecs.list.entries()) {
    const endpoint = offered.find(({ name }) => name === spec.preset.endpoint);
    const location = `In ${file}, modelSpecs.list[${index}]`;
    if (endpoint) list.push(specOf(spec, endpoint.type));
    else notices.push(`${location} is off: the endpoint ${JSON.stringify(spec.preset.endpoint)} is not offered.`);
    const ignored = endpoint ? withoutEffect(spec.preset, endpoint.type) : [];
    if (ignored.length > 0) notices.push(`${location}.preset has fields without effect here: ${ignored.join(', ')}.`);
  }
  const ordered = inOrder(modelSpecs.list, list);
  // Nobody could ask anything.
  const isEmpty =
    enforce && list.length === 0 && !addedEndpoints.some((name) => offered.some((one) => one.name === name));
  if (isEmpty)
    notices.push(`In ${file}, modelSpecs.enforce has no effect: no spec of the list is offered, so all models are.`);
  return { modelSpecs: { enforce: enforce && !isEmpty, prioritize, addedEndpoints, list: ordered }, notices };
}

function specOf({ preset, label, description, iconURL, group, ...spec }: ModelSpecYaml, type: EndpointType): Spec {
  return {
    name: spec.name,
    label: label ?? spec.name,
    ...(description !== undefined && { description }),
    ...(group !== undefined && { group }),
    ...(iconURL !== undefined && isImage(iconURL) && { iconURL }),
    ...(spec.default ? { startsChats: 'always' as const } : spec.softDefault && { startsChats: 'first' as const }),
    endpoint: preset.endpoint,
    model: preset.model ?? null,
    type,
    preset,
  };
}

/** A name of an endpoint may stand there, too: its image is shown anyway. */
function isImage(iconURL: string): boolean {
  return isHttpUrl(iconURL) || /^\/(?!\/)/.test(iconURL);
}

/** Those with an order first, as they are ordered. */
function inOrder(written: readonly ModelSpecYaml[], list: readonly Spec[]): Spec[] {
  const orders = new Map(written.map(({ name, order = Infinity }) => [name, order]));
  return list.toSorted((a, b) => compare(orders.get(a.name) ?? Infinity, orders.get(b.name) ?? Infinity));
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function withoutEffect(preset: ModelSpecYaml['preset'], type: EndpointType): string[] {
  return Object.keys(preset).filter((name) => !(name in endpointTable[type].params) && !OTHER_FIELDS.includes(name));
}
