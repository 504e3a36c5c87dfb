// How Bing was asked last, under the name that existing clients use in this storage: new chats begin with it.
import type { EndpointType } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { readStored, writeStored } from '../lib/persist.ts';

const STORED_AS = 'lastBingSettings';
const TONES = ['creative', 'fast', 'balanced', 'precise'];
const NOTHING: Settings = {};

/** What a chat with an endpoint begins with: nothing, unless it is Bing. What equals a default is left out. */
export function firstSettingsOf(type: EndpointType): Settings {
  return type === 'bingAI' ? readStored(STORED_AS, NOTHING, parse) : NOTHING;
}

/** Keeps tone and jailbreak when Bing was asked. */
export function rememberBing(type: EndpointType, { toneStyle = TONES[0], jailbreak = false }: Settings): void {
  if (type === 'bingAI') writeStored(STORED_AS, { jailbreak, toneStyle });
}

function parse(stored: unknown): Settings | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { toneStyle, jailbreak } = stored as Record<string, unknown>;
  const isOther = typeof toneStyle === 'string' && TONES.indexOf(toneStyle) > 0;
  return { ...(isOther && { toneStyle }), ...(jailbreak === true && { jailbreak }) };
}
