import { takesTools } from '@parley/schema/catalog/endpoints';
import { usePictureModel } from '../../endpoints/pictures/use-picture-models.ts';
import { useStartup } from '../../startup.ts';
import { toggleTool } from '../tools/arrange-tools.ts';
import { useToolChoice } from '../tools/use-tool-choice.ts';
import type { Chat } from '../use-chat.ts';

/** The key by which a chat chooses the search of the web. */
export const WEB_SEARCH = 'web_search';

/** Null where the model takes no tools or makes pictures, or no service is set up that searches. */
export function useWebSearch(chat: Pick<Chat, 'modelTarget'>): { isOn: boolean; toggle: () => void } | null {
  const { chosen, select } = useToolChoice(chat);
  const hasSearch = useStartup()?.webSearchEnabled === true;
  const { modelTarget } = chat;
  const makesPictures = usePictureModel(modelTarget) !== null;
  if (!hasSearch || makesPictures || !modelTarget || !takesTools(modelTarget.endpointType, modelTarget.model))
    return null;
  return { isOn: chosen.includes(WEB_SEARCH), toggle: () => select(toggleTool(chosen, WEB_SEARCH)) };
}
