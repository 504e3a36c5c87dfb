import {
  settingKey,
  SETTINGS,
  type SettingName,
  type SettingRow,
  type SettingValue,
} from '@parley/schema/settings/interface';
import { atom, getDefaultStore, type WritableAtom } from 'jotai/vanilla';
import { personalAtom } from './lib/personal-data.ts';
import { readStored, writeText } from './lib/storage.ts';

type SettingAtom<N extends SettingName> = WritableAtom<SettingValue<N>, [SettingValue<N>], void>;

/** The stored value of a setting, or its default if nothing valid is stored. */
export function readSetting<N extends SettingName>(name: N): SettingValue<N> {
  const row: SettingRow = SETTINGS[name];
  const parse = (stored: unknown) => (isValueOf(row, stored) ? stored : undefined);
  return readStored<boolean | string>(settingKey(name), row.default, parse) as SettingValue<N>;
}

type OnWrite = (name: SettingName, value: boolean | string) => void;
const listeners = new Set<OnWrite>();

/** Calls `hear` with each setting that this page changes, until the returned function is called. */
export function onSettingWritten(hear: OnWrite): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** Sets it for this page and stores it. */
export function writeSetting<N extends SettingName>(name: N, value: SettingValue<N>): void {
  getDefaultStore().set(settingAtom(name), value);
}

/** The setting as an atom: writing stores it. While subscribed, it also follows changes in other tabs. */
export function settingAtom<N extends SettingName>(name: N): SettingAtom<N> {
  // TypeScript does not see that the atom under a name is of the type of that name.
  return (atoms[name] ??= createAtom(name)) as SettingAtom<N>;
}

const atoms: Partial<Record<SettingName, unknown>> = {};

function createAtom<N extends SettingName>(name: N): SettingAtom<N> {
  const current = personalAtom(() => readSetting(name));
  current.onMount = (set) => {
    const hear = ({ key }: StorageEvent) => key === settingKey(name) && set(readSetting(name));
    window.addEventListener('storage', hear);
    return () => window.removeEventListener('storage', hear);
  };
  return atom(
    (get) => get(current),
    (_get, set, value: SettingValue<N>) => {
      set(current, value);
      writeText(settingKey(name), String(value));
      listeners.forEach((hear) => hear(name, value));
    },
  );
}

function isValueOf(row: SettingRow, stored: unknown): stored is boolean | string {
  if (row.kind === 'choice') return typeof stored === 'string' && Object.hasOwn(row.options, stored);
  if (row.kind === 'keys') return typeof stored === 'string' && /^(usual|\w+=.*)$/.test(stored);
  if (row.kind === 'voice') return typeof stored === 'string' && /^(auto|voice:.+)$/.test(stored);
  return typeof stored === typeof row.default && stored !== '';
}
