import { useSetModel } from '../../slots/use-set-model.ts';
import type { Chat } from '../use-chat.ts';
import { chosenTools, withTools } from './arrange-tools.ts';
import { noteLastTools } from './use-last-tools.ts';

/** The keys of the tools that a chat uses, and what changes them. */
export function useToolChoice(chat: Pick<Chat, 'modelTarget'>) {
  const choose = useSetModel();
  const { modelTarget } = chat;

  function change(keys: readonly string[]): void {
    if (!modelTarget) return;
    const { endpoint, model, settings } = modelTarget;
    choose({ endpoint, model, settings: withTools(settings, keys) });
  }

  /** A person chose them. */
  function select(keys: readonly string[]): void {
    change(keys);
    noteLastTools(chat, keys);
  }

  return { chosen: modelTarget ? chosenTools(modelTarget.settings) : [], change, select };
}
