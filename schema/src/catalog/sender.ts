import { endpointTable, type EndpointRow, type EndpointType } from './endpoints.ts';
import { modelFamily } from './model-names.ts';
import type { Settings } from './params.ts';

/** The sender of a reply: a custom label, else the model's common name (docs/rest-compat.md, Provider requests). */
export function replySender({
  endpointType,
  model,
  settings,
  modelDisplayLabel,
}: {
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  modelDisplayLabel?: string | undefined;
}): string {
  const custom = settings.chatGptLabel ?? settings.modelLabel;
  if (typeof custom === 'string' && custom !== '') return custom;
  const { label, sender }: EndpointRow = endpointTable[endpointType];
  const name = model ?? '';
  return sender ? sender({ model: name, settings, modelDisplayLabel }) : (modelFamily(name) ?? label);
}
