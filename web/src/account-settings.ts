// What the account keeps beside the settings of the interface: models, tools and instructions for all chats, saved as soon
// as they are chosen.
import type { AppRouter } from '@parley/server/router';
import type { Personal } from '@parley/schema/settings/interface';
import type { MemorySettings } from '@parley/schema/settings/memory-mode';
import type { NoticeSettings } from '@parley/schema/settings/notice-settings';
import type { inferRouterInputs } from '@trpc/server';
import { atom, getDefaultStore } from 'jotai/vanilla';
import { api } from './trpc.ts';

/** The instructions for all chats; null where there are none, undefined until they are read. */
export const personalAtom = atom<Personal | null>();

/** Whether chats remember; null where they don't, undefined until it is read. */
export const memoryAtom = atom<MemorySettings | null>();

/** Which notices the person wants; null where none, undefined until it is read. */
export const noticesAtom = atom<NoticeSettings | null>();

export const NO_PERSONAL: Personal = { about: '', style: '', isOn: { about: true, style: true }, exceptEndpoints: [] };

/** They act in this browser at once. */
export async function savePersonal(personal: Personal): Promise<void> {
  const isEmpty = personal.about.trim() === '' && personal.style.trim() === '' && personal.exceptEndpoints.length === 0;
  await saveAccountSettings({ personal: isEmpty ? null : personal });
  getDefaultStore().set(personalAtom, isEmpty ? null : personal);
}

let underWay = 0;
let ended = 0;

export async function saveAccountSettings(changes: inferRouterInputs<AppRouter>['settings']['set']): Promise<void> {
  underWay += 1;
  try {
    await api.settings.set.mutate(changes);
  } finally {
    underWay -= 1;
    ended += 1;
  }
}

/** Call it before a read of the settings. What it returns tells after the read whether nothing was saved meanwhile. */
export function watchSaves(): () => boolean {
  const [wasUnderWay, before] = [underWay, ended];
  return () => wasUnderWay === 0 && underWay === 0 && ended === before;
}
