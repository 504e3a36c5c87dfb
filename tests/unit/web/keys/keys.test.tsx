// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { describeLifetime, LIFETIMES, USUAL_LIFETIME } from '../../../../web/src/keys/key-lifetimes.ts';
import { parseGoogleKey, readGoogleKeyFile } from '../../../../web/src/keys/google-key-file.ts';
import { keyFormOf, missingFields, storedKeyValue, type FieldName } from '../../../../web/src/keys/key-forms.ts';
import { findKey, stateOfKey, takesKey } from '../../../../web/src/keys/key-state.ts';
import { TwoClickButton } from '../../../../web/src/ui/two-click-button.tsx';

beforeAll(startEnglish);
afterEach(cleanup);

const file = { client_email: 'a@b.iam.gserviceaccount.com', project_id: 'abc', private_key: 'x'.repeat(601) };

describe('the saved value of a key', () => {
  test.each<[EndpointType, boolean, Partial<Record<FieldName, string>>, unknown]>([
    ['openAI', false, { apiKey: ' sk-1 ' }, { apiKey: 'sk-1', baseURL: '' }],
    [
      'custom',
      true,
      { apiKey: 'sk-1', baseURL: 'https://a.example/v1' },
      { apiKey: 'sk-1', baseURL: 'https://a.example/v1' },
    ],
    ['google', false, { GOOGLE_API_KEY: 'goo' }, { GOOGLE_API_KEY: 'goo' }],
  ])('for %s is JSON', (type, asksURL, words, saved) => {
    expect(JSON.parse(storedKeyValue(keyFormOf(type, asksURL), { words, file: null }))).toEqual(saved);
  });

  test('is four values as JSON for Azure', () => {
    const words = {
      azureOpenAIApiKey: 'az',
      azureOpenAIApiInstanceName: 'mine',
      azureOpenAIApiDeploymentName: 'gpt',
      azureOpenAIApiVersion: '2024-02-01',
    };
    const saved = JSON.parse(storedKeyValue(keyFormOf('azureOpenAI', false), { words, file: null })) as {
      apiKey: string;
    };
    expect(saved).toEqual({ apiKey: expect.any(String), baseURL: '' });
    expect(JSON.parse(saved.apiKey)).toEqual(words);
  });

  test('includes the file for Google, if there is one', () => {
    const form = keyFormOf('google', false);
    expect(JSON.parse(storedKeyValue(form, { words: {}, file }))).toEqual({ GOOGLE_SERVICE_KEY: file });
    expect(JSON.parse(storedKeyValue(form, { words: { GOOGLE_API_KEY: 'goo' }, file }))).toEqual({
      GOOGLE_SERVICE_KEY: file,
      GOOGLE_API_KEY: 'goo',
    });
  });

  test.each<EndpointType>(['anthropic', 'bingAI', 'chatGPTBrowser'])('for %s is the plain key', (type) => {
    expect(storedKeyValue(keyFormOf(type, false), { words: { apiKey: ' word ' }, file: null })).toBe('word');
  });
});

describe('the missing fields', () => {
  const missing = (type: EndpointType, asksURL: boolean, words: Partial<Record<FieldName, string>>) =>
    missingFields(keyFormOf(type, asksURL), { words, file: null }).map(({ name }) => name);

  test('include the address only when the user sets it', () => {
    expect(missing('openAI', false, {})).toEqual(['apiKey']);
    expect(missing('openAI', true, {})).toEqual(['apiKey', 'baseURL']);
    expect(missing('openAI', true, { apiKey: 'sk', baseURL: '  ' })).toEqual(['baseURL']);
    expect(missing('azureOpenAI', false, { azureOpenAIApiKey: 'az' })).toEqual([
      'azureOpenAIApiInstanceName',
      'azureOpenAIApiDeploymentName',
      'azureOpenAIApiVersion',
    ]);
  });

  test('are one of two for Google', () => {
    const form = keyFormOf('google', false);
    expect(missingFields(form, { words: {}, file: null })).toHaveLength(1);
    expect(missingFields(form, { words: {}, file })).toEqual([]);
    expect(missingFields(form, { words: { GOOGLE_API_KEY: 'goo' }, file: null })).toEqual([]);
  });
});

describe('a key file of Google', () => {
  test('is kept whole', () => {
    const whole = { ...file, type: 'service_account' };
    expect(parseGoogleKey(JSON.stringify(whole))).toEqual(whole);
  });

  test.each([
    ['no JSON', 'hello'],
    ['no object', '"text"'],
    ['nothing', 'null'],
    ['an address that is none', JSON.stringify({ ...file, client_email: 'nobody' })],
    ['no address', JSON.stringify({ ...file, client_email: undefined })],
    ['a project of two letters', JSON.stringify({ ...file, project_id: 'ab' })],
    ['a key of 600 characters', JSON.stringify({ ...file, private_key: 'x'.repeat(600) })],
    ['a key that is no text', JSON.stringify({ ...file, private_key: 1 })],
  ])('with %s is invalid', (_, text) => expect(parseGoogleKey(text)).toBeNull());

  test('is read from the file, unless that is far too long', async () => {
    const text = JSON.stringify(file);
    expect(await readGoogleKeyFile(new File([text], 'key.json'))).toEqual(file);
    expect(await readGoogleKeyFile(new File([text.padEnd(20_000)], 'key.json'))).toBeNull();
  });
});

describe('the state of a key', () => {
  const now = Date.parse('2024-05-01T12:00:00Z');

  test('is missing, valid or expired, to the millisecond', () => {
    const until = (expiresAt: string | null) => stateOfKey({ name: 'openAI', expiresAt }, now).status;
    expect(stateOfKey(undefined, now).status).toBe('missing');
    expect(until(null)).toBe('good');
    expect(until('2024-05-01T12:00:00.001Z')).toBe('good');
    expect(until('2024-05-01T12:00:00.000Z')).toBe('expired');
  });

  test('is that of the endpoint behind a plugin', () => {
    const keys = [{ name: 'openAI', expiresAt: null }];
    expect(findKey(keys, 'gptPlugins', { order: 0 })).toBe(keys[0]);
    expect(findKey(keys, 'gptPlugins', { order: 0, azure: true })).toBeUndefined();
  });

  test('is needed when the key or the address is set by the user', () => {
    expect(takesKey({ order: 0, userProvide: true })).toBe(true);
    expect(takesKey({ order: 0, userProvide: false, userProvideURL: true })).toBe(true);
    expect(takesKey({ order: 0, userProvide: false })).toBe(false);
    expect(takesKey(undefined)).toBe(false);
  });
});

test('a key has one of six lifetimes, twelve hours by default', () => {
  expect(LIFETIMES.map((ms) => describeLifetime(ms, i18n.t))).toEqual([
    '30 minutes',
    '2 hours',
    '12 hours',
    '1 day',
    '1 week',
    '1 month',
  ]);
  expect(describeLifetime(USUAL_LIFETIME, i18n.t)).toBe('12 hours');
});

describe('a button with confirmation', () => {
  function open() {
    const runs: (() => void)[] = [];
    render(
      <MantineProvider>
        <TwoClickButton
          label="Revoke"
          confirm="Confirm: remove"
          run={() => new Promise((resolve) => runs.push(() => resolve(undefined)))}
        />
        <button type="button">Elsewhere</button>
      </MantineProvider>,
    );
    return runs;
  }
  const button = (name: string) => screen.getByRole('button', { name });

  test('acts once at the second click, and shows that it is working', async () => {
    const runs = open();
    fireEvent.click(button('Revoke'));
    expect(runs).toHaveLength(0);
    expect(screen.getByRole('status').textContent).toBe('Confirm: remove');
    fireEvent.click(button('Confirm: remove'));
    await expect.poll(() => runs.length).toBe(1);
    const busy = screen.getAllByRole('button')[0];
    expect(busy?.getAttribute('aria-disabled')).toBe('true');
    if (busy) for (let click = 0; click < 3; click++) fireEvent.click(busy);
    expect(runs).toHaveLength(1);
    runs[0]?.();
    await screen.findByRole('button', { name: 'Revoke' });
  });

  test.each(['pointerDown', 'focusIn'] as const)('cancels at %s elsewhere', async (kind) => {
    const runs = open();
    fireEvent.click(button('Revoke'));
    fireEvent[kind](button('Confirm: remove'));
    expect(button('Confirm: remove')).toBeDefined();
    fireEvent[kind](button('Elsewhere'));
    await screen.findByRole('button', { name: 'Revoke' });
    expect(runs).toEqual([]);
  });
});
