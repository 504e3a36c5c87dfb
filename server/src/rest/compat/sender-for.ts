import type { AskInput } from '@parley/schema/chat/ask';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { replySender } from '@parley/schema/catalog/sender';
import { parseSettings } from '@parley/schema/settings/settings';
import type { Api } from '../../router.ts';

/** The sender to show for a refused ask: the one that would have answered. */
export async function senderFor(
  api: Api,
  type: EndpointType,
  { endpoint, model: asked, settings }: AskInput,
): Promise<string> {
  const offered = await api.endpoints.list();
  const model = asked ?? endpointTable[type].defaultModel;
  return replySender({
    endpointType: type,
    model,
    settings: understood(type, settings, model),
    modelDisplayLabel: offered[endpoint]?.modelDisplayLabel,
  });
}

/** The settings; none if they are invalid, which is not why the ask was refused. */
function understood(type: EndpointType, settings: AskInput['settings'], model: string): Settings {
  try {
    return parseSettings(type, settings, model);
  } catch {
    return {};
  }
}
