import { createLiveTools } from '../tools/saved/live-tools.ts';
import type { FieldsOf } from '../tools/saved/with-saved.ts';
import { findPlugin } from './manifest.ts';

/** Of services that only the search of the web asks. */
const SEARCHES: Readonly<Record<string, ReturnType<FieldsOf>>> = {
  brave: [['BRAVE_API_KEY']],
  searxng: [['SEARXNG_URL']],
};

const fieldsOf: FieldsOf = (key) => SEARCHES[key] ?? findPlugin(key)?.fields.map(({ names }) => names) ?? [];

/** What administrators set of tools, under what the environment and the yaml file set. */
export function openToolSettings(parts: Omit<Parameters<typeof createLiveTools>[0], 'fieldsOf'>) {
  return createLiveTools({ ...parts, fieldsOf });
}
