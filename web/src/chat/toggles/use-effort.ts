import { effortOf, withEffort, type Effort } from '../../params/effort.ts';
import { useSetModel } from '../../slots/use-set-model.ts';
import type { Chat } from '../use-chat.ts';

export interface ChatEffort extends Effort {
  /** Undefined is the model's default. */
  choose: (level: string | undefined) => void;
}

/** How much the chat's model thinks, the same setting as among its parameters; null for models without one. */
export function useEffort({ modelTarget }: Pick<Chat, 'modelTarget'>): ChatEffort | null {
  const set = useSetModel();
  const effort = modelTarget ? effortOf(modelTarget) : null;
  if (!modelTarget || !effort) return null;
  const { endpoint, model } = modelTarget;
  return { ...effort, choose: (level) => set({ endpoint, model, settings: withEffort(modelTarget, level) }) };
}
