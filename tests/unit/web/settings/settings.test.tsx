// @vitest-environment happy-dom
// A row of the table of settings is all that a setting needs beside its sentences: it is drawn, stored, taken by the
// account and read because of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MantineProvider } from '@mantine/core';
import {
  settingKey,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingRow,
  type SettingsTab,
} from '@parley/schema/settings/interface';
import { SetSettings } from '@parley/schema/settings/interface-inputs';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { observable } from '@trpc/server/observable';
import type { ParseKeys } from 'i18next';
import { getDefaultStore } from 'jotai/vanilla';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { allowPersonalData, clearPersonalData } from '../../../../web/src/lib/personal-data.ts';
import { SettingRows } from '../../../../web/src/settings/setting-rows.tsx';
import { SettingsDialog } from '../../../../web/src/settings/settings-dialog.tsx';
import { readSetting, settingAtom, writeSetting } from '../../../../web/src/stored-settings.ts';
import { trpc } from '../../../../web/src/trpc.ts';

const web = join(import.meta.dirname, '../../../../web');
const TITLES: Record<SettingsTab, string> = {
  general: 'General',
  beta: 'Beta features',
  appearance: 'Appearance',
  chat: 'Chat',
  speech: 'Speech',
  keyboard: 'Keyboard',
  account: 'Account',
};

beforeAll(startEnglish);
beforeAll(() => {
  const getVoices = () => [{ name: 'Anna', lang: 'de-DE', localService: true }];
  Object.assign(window, { speechSynthesis: { getVoices, addEventListener() {}, removeEventListener() {} } });
});
beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe.each(SETTING_NAMES)('%s', (name) => {
  const row: SettingRow = SETTINGS[name];

  test('has its English sentences, which load with the dialog', () => {
    const options = row.kind === 'choice' ? Object.values(row.options) : [];
    expect([row.label, row.hint ?? row.label, ...options].filter((key) => !i18n.exists(key))).toEqual([]);
  });

  test('is stored under its key when it is changed, and read from there', async () => {
    expect(readSetting(name)).toBe(row.default);
    const wanted = row.tab === null ? set(name) : change(controlOf(row, row.tab), row);
    await waitFor(() => expect(readSetting(name)).toBe(wanted));
    expect(localStorage.getItem(settingKey(name))).toBe(String(wanted));
    await waitFor(() => expect(getDefaultStore().get(settingAtom(name))).toBe(wanted));
  });

  test.each(['{', '"no value of it"', '17', 'null', ''])('is its default when %j is stored', (stored) => {
    localStorage.setItem(settingKey(name), stored);
    if (row.kind !== 'language') expect(readSetting(name)).toBe(row.default);
    else expect(typeof readSetting(name)).toBe('string');
  });

  test('is taken by the account, with its default and null', () => {
    for (const value of [row.default, null]) expect(SetSettings.parse({ [name]: value })).toEqual({ [name]: value });
    expect(SetSettings.safeParse({ [name]: 17 }).success).toBe(false);
  });

  test('stays in the browser at sign-out if its row says so', () => {
    localStorage.setItem(settingKey(name), 'chosen');
    clearPersonalData([]);
    allowPersonalData();
    expect(localStorage.getItem(settingKey(name))).toBe(row.ofDevice ? 'chosen' : null);
  });

  test('has a key of its own', () => {
    expect(SETTING_NAMES.filter((other) => settingKey(other) === settingKey(name))).toEqual([name]);
  });

  test('is used by a file outside the settings', () => {
    const asks = new RegExp(`(readSetting|writeSetting|settingAtom)\\('${name}'`);
    const readers = readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('settings/'))
      .filter((file) => asks.test(readFileSync(join(web, 'src', file), 'utf8')));
    expect(readers).not.toEqual([]);
  });
});

test('the dialog has each setting in its tab', () => {
  openDialog();
  for (const row of Object.values<SettingRow>(SETTINGS)) {
    if (row.tab === null) continue;
    const title = TITLES[row.tab ?? 'chat'];
    fireEvent.click(screen.getByRole('tab', { name: title }));
    expect(controlIn(within(screen.getByRole('tabpanel', { name: title })), row)).toBeTruthy();
  }
});

test.each([
  ['continue', true],
  ['ask', false],
  ['new', false],
] as const)('modular chat is one control, which says %s', async (target, isModular) => {
  openDialog();
  fireEvent.click(screen.getByRole('tab', { name: 'Beta features' }));
  const panel = within(screen.getByRole('tabpanel', { name: 'Beta features' }));
  fireEvent.change(panel.getByLabelText(labelOf(SETTINGS.modularChat)), { target: { value: target } });
  await waitFor(() => expect(readSetting('switchingModels')).toBe(target));
  expect(readSetting('modularChat')).toBe(isModular);
});

test('a change in another tab arrives', () => {
  const store = getDefaultStore();
  const stop = store.sub(settingAtom('modularChat'), () => undefined);
  localStorage.setItem('modularChat', 'true');
  window.dispatchEvent(new StorageEvent('storage', { key: 'modularChat' }));
  expect(store.get(settingAtom('modularChat'))).toBe(true);
  stop();
});

test('the inline script in the page head knows the key and options of the theme', () => {
  const head = readFileSync(join(web, 'public/head.js'), 'utf8');
  expect(head).toContain(`stored('${settingKey('theme')}')`);
  for (const theme of ['dark', 'light'] as const) {
    expect(head).toContain(`'${theme}'`);
    expect(SETTINGS.theme.options).toHaveProperty(theme);
  }
});

/** The whole dialog, which no server answers. */
function openDialog(): void {
  renderAlone(<SettingsDialog onClose={() => {}} />);
}

function renderAlone(shown: ReactNode): void {
  const queryClient = new QueryClient();
  render(
    <trpc.Provider client={trpc.createClient({ links: [() => () => observable(() => {})] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>{shown}</MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
}

/** The control of a setting, by its label. */
function controlOf(row: SettingRow, tab: SettingsTab = 'chat'): HTMLElement {
  renderAlone(<SettingRows tab={tab} />);
  return controlIn(screen, row);
}

/** The list of a searched field has the same label. */
function controlIn(place: Pick<typeof screen, 'getByLabelText'>, row: SettingRow): HTMLElement {
  return place.getByLabelText(labelOf(row), { selector: ':not([role=listbox])' });
}

function labelOf(row: SettingRow): string {
  return i18n.t(row.label as ParseKeys);
}

/** Changes a setting that another row shows. */
function set(name: SettingName): boolean | string {
  const { kind, default: usual }: SettingRow = SETTINGS[name];
  const wanted = kind === undefined ? !usual : 'new';
  writeSetting(name, wanted as never);
  return wanted;
}

/** Changes a setting to another value than its default, which it returns. */
function change(control: HTMLElement, row: SettingRow): boolean | string {
  if (row.kind === 'keys') {
    const first = within(control).getByRole('button', { name: /^Commands and search:/ });
    fireEvent.click(first);
    fireEvent.keyDown(first, { key: 'y', code: 'KeyY', ctrlKey: true, shiftKey: true });
    return 'palette=mod+shift+Y';
  }
  if (row.kind === undefined) {
    fireEvent.click(control);
    return !row.default;
  }
  if (row.kind === 'language') {
    fireEvent.click(control);
    const other = screen.getAllByRole('option').find((option) => option.getAttribute('aria-selected') === 'false');
    fireEvent.click(other ?? control);
    return other?.getAttribute('value') ?? '';
  }
  const options = [...control.querySelectorAll('option')].map(({ value }) => value);
  const wanted = options.find((option) => option !== row.default) ?? '';
  fireEvent.change(control, { target: { value: wanted } });
  return wanted;
}
