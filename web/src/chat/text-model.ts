// Which model a chat had before it was asked for pictures, so that it can go back to it.
import type { Choice } from '../catalog/choose-model.ts';
import { onClearPersonalData } from '../lib/personal-data.ts';

const before = new Map<string, Choice>();
onClearPersonalData(() => before.clear());

export function keepTextModel(conversationId: string, { endpoint, model, settings, presetId }: Choice): void {
  before.set(conversationId, { endpoint, model, settings, presetId });
}

export function textModelBefore(conversationId: string): Choice | undefined {
  return before.get(conversationId);
}
