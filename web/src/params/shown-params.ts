import { endpointTable, paramsOf, type EndpointType } from '@parley/schema/endpoints';
import { isJailbroken } from '@parley/schema/jailbreak';
import type { Param, Settings } from '@parley/schema/params';

interface Asked {
  type: EndpointType;
  model: string | null;
  settings: Settings;
  isNewChat: boolean;
}

/** Whether the header offers parameters: ChatGPT has none, and Bing with its guards takes them at the beginning of a chat. */
export function offersParams({ isNewChat, ...asked }: Asked): boolean {
  const { type } = asked;
  const isOver = type === 'bingAI' && !isNewChat && !isJailbroken(asked);
  return Object.keys(endpointTable[type].params).length > 0 && !isOver;
}

/** The parameters to show, by name, in the order of the table. */
export function shownParams({ type, model, settings, isNewChat }: Asked): [string, Param][] {
  return Object.entries(paramsOf(type, model)).filter(([name]) => {
    if (name === 'examples') return !/gemini|code/.test(model ?? '');
    // A chat is made a jailbreak by its first question; here it can only be ended.
    if (name === 'jailbreak') return !isNewChat && settings.jailbreak === true;
    // Bing's guards have instructions of their own.
    if (name === 'systemMessage') return isJailbroken({ model, settings });
    return true;
  });
}

/** Whether a parameter has no effect: tools bring a name and instructions of their own. */
export function isOffWithTools(type: EndpointType, name: string, { tools }: Settings): boolean {
  const hasTools = Array.isArray(tools) && tools.length > 0;
  return type === 'gptPlugins' && hasTools && (name === 'chatGptLabel' || name === 'promptPrefix');
}
