import type { AskInput } from '@parley/schema/ask';
import { endpointTable } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { senderOf } from '@parley/schema/sender';
import { parseSettings } from '@parley/schema/settings';
import type { Api } from '../router.ts';
import type { AskType } from './ask-input.ts';

/** Who would have answered an ask: who answers one that is not refused. */
export async function senderFor(
  api: Api,
  type: AskType,
  { endpoint, model: asked, settings }: AskInput,
): Promise<string> {
  const offered = await api.endpoints.list();
  const model = asked ?? endpointTable[type].defaultModel;
  return senderOf({
    endpointType: type,
    model,
    settings: understood(type, settings, model),
    modelDisplayLabel: offered[endpoint]?.modelDisplayLabel,
  });
}

/** The settings, none if they are not valid: that they are not was not what it was refused for. */
function understood(type: AskType, settings: AskInput['settings'], model: string): Settings {
  try {
    return parseSettings(type, settings, model);
  } catch {
    return {};
  }
}
