// Keeps the settings of this browser the same as those of the account. A change acts here at once, and is sent as soon
// as the server can be reached.
import { hasKey } from '@parley/schema/entries';
import {
  SETTINGS,
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
  type StoredSettings,
} from '@parley/schema/settings/interface';
import { getDefaultStore } from 'jotai/vanilla';
import { memoryAtom, noticesAtom, personalAtom, saveAccountSettings, watchSaves } from '../account-settings.ts';
import { errorRefusal } from '../errors/refusal.ts';
import { onChange, onFeedStart } from '../feed/change-feed.ts';
import { chooseLanguage } from '../i18n.ts';
import { defaultToolsAtom } from '../catalog/default-tools.ts';
import { favouritesAtom, modelPairs, parseModelRefs } from '../catalog/favourites.ts';
import { recentModelsAtom } from '../catalog/recent-models.ts';
import { pause, retryDelay, untilOnline } from '../lib/retry.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { onSettingWritten, readSetting, writeSetting } from '../stored-settings.ts';
import { api } from '../trpc.ts';

type Values = Partial<Record<SettingName, boolean | string>>;

/** The changes that the server does not have yet. */
const UNSENT = 'unsentSettings';
/** Set once this browser has taken up, or given, the settings of the account. */
const IS_SHARED = 'settingsShared';

/** Returns the function that ends it. */
export function startSettingsSync(): () => void {
  const { signal, abort } = aborting();
  /** What came from the account, so that it is not sent back. */
  const taken: Values = {};
  let isSending = false;
  let loads = 0;
  let sends = 0;
  const ends = [
    onSettingWritten((name, value) => {
      if (taken[name] === value) return;
      delete taken[name];
      writeUnsent({ ...readUnsent(), [name]: value });
      void send();
    }),
    onChange(({ type }) => {
      if (type === 'settings' || type === 'reset') void load();
    }),
    onFeedStart(() => void load()),
  ];
  void load().then(send);
  return () => {
    abort();
    ends.forEach((end) => end());
  };

  async function load(): Promise<void> {
    const isNewest = watchSaves();
    const [begun, sent] = [++loads, sends];
    const stored = await api.settings.list.query(undefined, { signal }).catch(() => null);
    // An answer that is overtaken by that of a later load, or by what was sent since, is the older one.
    if (!stored || signal.aborted || begun !== loads) return;
    if (sent !== sends) return load();
    const isFirst = !readStored(IS_SHARED, false, (value) => (value === true ? true : undefined));
    writeStored(IS_SHARED, true);
    if (isNewest()) takeChoices(stored);
    if (isFirst && Object.keys(stored).length === 0) {
      writeUnsent({ ...ownChoices(), ...readUnsent() });
    } else take(stored, taken);
  }

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    try {
      for (let attempt = 0; ; attempt++) {
        const unsent = readUnsent();
        if (Object.keys(unsent).length === 0) return;
        await untilOnline(signal);
        if (await isAccepted(unsent)) {
          const now = readUnsent();
          writeUnsent(Object.fromEntries(Object.entries(now).filter(([name, value]) => pick(unsent, name) !== value)));
        } else await pause(retryDelay(attempt), signal);
      }
    } catch {
      // Ended: the next page goes on with what is unsent.
    } finally {
      isSending = false;
    }
  }

  /** True, too, when the server refuses them: they would be refused again. */
  async function isAccepted(unsent: Values): Promise<boolean> {
    try {
      await api.settings.set.mutate(patchOf(unsent), { signal });
      sends += 1;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      return errorRefusal(error) !== null;
    }
  }
}

/** Adds to `taken` what it takes. */
function take(stored: StoredSettings, taken: Values): void {
  const unsent = readUnsent();
  for (const name of SETTING_NAMES) {
    const value = stored[name] ?? SETTINGS[name].default;
    if (name in unsent || readSetting(name) === value) continue;
    taken[name] = value;
    // Without its file, the language stays as it is.
    if (name === 'language') void chooseLanguage(String(value)).catch(() => {});
    else writeSetting(name, value as SettingValue<typeof name>);
  }
}

/** An account without favourite models gets those that this browser kept before accounts did. */
function takeChoices({ defaultTools, favouriteModels, recentModels, personal, memory, notices }: StoredSettings): void {
  const store = getDefaultStore();
  store.set(personalAtom, personal ?? null);
  store.set(memoryAtom, memory ?? null);
  store.set(noticesAtom, notices ?? null);
  store.set(defaultToolsAtom, defaultTools ?? []);
  if (recentModels) store.set(recentModelsAtom, parseModelRefs(recentModels) ?? []);
  if (favouriteModels) return store.set(favouritesAtom, parseModelRefs(favouriteModels) ?? []);
  const own = modelPairs(store.get(favouritesAtom));
  if (own.length > 0) void saveAccountSettings({ favouriteModels: own }).catch(() => {});
}

/** The settings of this browser that are not defaults. */
function ownChoices(): Values {
  const chosen = SETTING_NAMES.filter((name) => readSetting(name) !== SETTINGS[name].default);
  return Object.fromEntries(chosen.map((name) => [name, readSetting(name)]));
}

/** A default is stored as none. */
function patchOf(values: Values) {
  const names = SETTING_NAMES.filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, values[name] === SETTINGS[name].default ? null : values[name]]));
}

function pick(values: Values, name: string): boolean | string | undefined {
  return hasKey(SETTINGS, name) ? values[name] : undefined;
}

function readUnsent(): Values {
  return readStored(UNSENT, {}, (stored) => (typeof stored === 'object' && stored !== null ? stored : undefined));
}

function writeUnsent(values: Values): void {
  writeStored(UNSENT, values);
}

function aborting() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
