// @vitest-environment happy-dom
// A row of the table of settings is all that a setting needs: it is drawn, stored and read because of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { getDefaultStore } from 'jotai/vanilla';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { i18n, startI18n } from '../../../../web/src/i18n.ts';
import '../../../../web/src/locales/load/settings.ts';
import { SettingRows } from '../../../../web/src/settings/setting-rows.tsx';
import { keyOf, SETTINGS, type SettingName, type SettingRow } from '../../../../web/src/settings.ts';
import { readSetting, settingAtom } from '../../../../web/src/stored-settings.ts';

const web = join(import.meta.dirname, '../../../../web');
const names = Object.keys(SETTINGS) as SettingName[];

beforeAll(startI18n);
beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe.each(names)('%s', (name) => {
  const row: SettingRow = SETTINGS[name];

  test('has a row in its tab, with its label', () => {
    expect(open(row)).toBeTruthy();
  });

  test('is stored under its key when it is changed, and read from there', async () => {
    expect(readSetting(name)).toBe(row.default);
    const control = open(row);
    const wanted = change(control, row);
    await waitFor(() => expect(readSetting(name)).toBe(wanted));
    expect(localStorage.getItem(keyOf(name))).toBe(String(wanted));
    await waitFor(() => expect(getDefaultStore().get(settingAtom(name))).toBe(wanted));
  });

  test.each(['{', '"no value of it"', '17', 'null', ''])('is its default when %j is stored', (stored) => {
    localStorage.setItem(keyOf(name), stored);
    if (row.kind !== 'language') expect(readSetting(name)).toBe(row.default);
    else expect(typeof readSetting(name)).toBe('string');
  });

  test('has a key of its own', () => {
    expect(names.filter((other) => keyOf(other) === keyOf(name))).toEqual([name]);
  });

  test('is used by a file outside the settings', () => {
    const asks = new RegExp(`(readSetting|writeSetting|settingAtom)\\('${name}'`);
    const readers = readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('settings/'))
      .filter((file) => asks.test(readFileSync(join(web, 'src', file), 'utf8')));
    expect(readers).not.toEqual([]);
  });
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
  expect(head).toContain(`stored('${keyOf('theme')}')`);
  for (const theme of ['dark', 'light'] as const) {
    expect(head).toContain(`'${theme}'`);
    expect(SETTINGS.theme.options).toHaveProperty(theme);
  }
});

/** The control of a setting, by its label. */
function open(row: SettingRow): HTMLElement {
  render(
    <MantineProvider>
      <SettingRows tab={row.tab ?? 'general'} />
    </MantineProvider>,
  );
  return screen.getByLabelText(i18n.t(row.label));
}

/** Changes a setting to another value than its default, which it returns. */
function change(control: HTMLElement, row: SettingRow): boolean | string {
  if (row.kind === 'switch') {
    fireEvent.click(control);
    return !row.default;
  }
  const options = [...control.querySelectorAll('option')].map(({ value }) => value);
  const wanted = options.find((option) => option !== row.default) ?? '';
  fireEvent.change(control, { target: { value: wanted } });
  return wanted;
}
