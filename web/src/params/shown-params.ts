import { endpointTable, endpointParams, type EndpointType } from '@parley/schema/catalog/endpoints';
import { isJailbroken } from '@parley/schema/catalog/jailbreak';
import type { Param, Settings } from '@parley/schema/catalog/params';

interface Asked {
  type: EndpointType;
  model: string | null;
  settings: Settings;
  isNewChat: boolean;
}

/**
 * Whether the header offers parameters: ChatGPT has none, and Bing without jailbreak takes them only at the start of a
 * chat.
 */
export function offersParams({ isNewChat, ...asked }: Asked): boolean {
  const { type } = asked;
  const isOver = type === 'bingAI' && !isNewChat && !isJailbroken(asked);
  return Object.keys(endpointTable[type].params).length > 0 && !isOver;
}

/** The names of the visible parameters, in the order of the table. */
export function shownParams({ type, model, settings, isNewChat }: Asked): [string, Param][] {
  return Object.entries(endpointParams(type, model)).filter(([name]) => {
    if (isChosenElsewhere(name)) return false;
    if (name === 'examples') return !/gemini|code/.test(model ?? '');
    // Only a chat's first question can turn on the jailbreak; later it can only be turned off.
    if (name === 'jailbreak') return !isNewChat && isJailbroken({ model, settings });
    // Without jailbreak, Bing uses its own instructions.
    if (name === 'systemMessage') return isJailbroken({ model, settings });
    return true;
  });
}

/** Whether a setting has a control of its own: tools in the message box, the assistant in the side panel. */
export function isChosenElsewhere(name: string): boolean {
  return name === 'tools' || name === 'assistant_id';
}

/** How many parameters differ from the defaults. */
export function changedParams(settings: Settings): number {
  return Object.keys(settings).filter((name) => !isChosenElsewhere(name)).length;
}

/** Whether a parameter has no effect: tools bring their own name and instructions. */
export function isOffWithTools(type: EndpointType, name: string, { tools }: Settings): boolean {
  const hasTools = Array.isArray(tools) && tools.length > 0;
  return type === 'gptPlugins' && hasTools && (name === 'chatGptLabel' || name === 'promptPrefix');
}
