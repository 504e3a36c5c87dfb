// The last Bing settings, under the storage key of existing clients: new chats start with them.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { isObject } from '@parley/schema/json';
import { readStored, writeStored } from '../lib/storage.ts';

const STORED_AS = 'lastBingSettings';
const TONES = ['creative', 'fast', 'balanced', 'precise'];
const NOTHING: Settings = {};

/** Initial settings for an endpoint: empty except for Bing. Values equal to a default are left out. */
export function newChatSettingsOf(type: EndpointType): Settings {
  return type === 'bingAI' ? readStored(STORED_AS, NOTHING, parse) : NOTHING;
}

/** Stores tone and jailbreak after a question to Bing. */
export function saveBingSettings(type: EndpointType, { toneStyle = TONES[0], jailbreak = false }: Settings): void {
  if (type === 'bingAI') writeStored(STORED_AS, { jailbreak, toneStyle });
}

function parse(stored: unknown): Settings | undefined {
  if (!isObject(stored)) return undefined;
  const { toneStyle, jailbreak } = stored;
  const isOther = typeof toneStyle === 'string' && TONES.indexOf(toneStyle) > 0;
  return { ...(isOther && { toneStyle }), ...(jailbreak === true && { jailbreak }) };
}
