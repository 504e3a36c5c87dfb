// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { SOCIAL_REFUSALS, type Reason } from '@parley/schema/reasons';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseLanguage, chosenLanguage, i18n, loadSentences, startI18n } from '../../../../web/src/i18n.ts';
import { endpointLabel } from '../../../../web/src/catalog/choose-model.ts';
import { nearestLanguage, offeredLanguages, ownName } from '../../../../web/src/languages.ts';
import { describeReason } from '../../../../web/src/errors/describe-reason.ts';
import { readStored, writeStored } from '../../../../web/src/lib/storage.ts';
import { dark, light } from '../../../../web/src/theme.ts';

beforeAll(startI18n);
beforeEach(() => localStorage.clear());

test('the English sentences of the first screen are there before it is drawn, every one before a later part', async () => {
  const folder = 'web/src/locales/en-US';
  const files = readdirSync(folder).map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as object);
  const sentences: object = Object.assign({}, ...files);
  expect(Object.keys(sentences).length).toBeGreaterThan(1000);
  expect(i18n.t('com_chat_send')).toBe('Send message');
  expect(i18n.exists('com_files_attached')).toBe(false);
  await loadSentences();
  expect(i18n.getResourceBundle('en-US', 'translation')).toEqual(sentences);
});

describe('choosing a language', () => {
  const offered = ['en-US', 'de-DE', 'pt-BR'];

  test('takes the same tag, else the same language, in the order of preference', () => {
    expect(nearestLanguage(['de-DE'], offered)).toBe('de-DE');
    expect(nearestLanguage(['de-AT', 'pt-BR'], offered)).toBe('de-DE');
    expect(nearestLanguage(['xx', 'PT'], offered)).toBe('pt-BR');
  });

  test.each([
    ['zh-TC', '繁體中文'],
    ['zh-CN', '简体中文'],
    ['id-ID', 'Bahasa Indonesia'],
    ['pt-BR', 'Português (Brasil)'],
    ['de-DE', 'Deutsch'],
    ['fr-FR', 'Français'],
  ])('%s calls itself %s', (language, name) => {
    expect(ownName(language)).toBe(name);
  });

  test("every label but a company's name is in the language of the page", async () => {
    expect([endpointLabel('assistants'), endpointLabel('gptPlugins')]).toEqual(['Assistants', 'Plugins']);
    await chooseLanguage('ja-JP');
    expect([endpointLabel('assistants'), endpointLabel('openAI')]).toEqual(['アシスタント', 'OpenAI']);
    await chooseLanguage('en-US');
  });

  test('treats another script as another language', () => {
    const chinese = ['en-US', 'zh-CN', 'zh-TC'];
    for (const tag of ['zh-TW', 'zh-HK', 'zh-Hant', 'zh-Hant-MO', 'zh-TC'])
      expect(nearestLanguage([tag], chinese)).toBe('zh-TC');
    for (const tag of ['zh', 'zh-CN', 'zh-SG', 'zh-Hans-HK']) expect(nearestLanguage([tag], chinese)).toBe('zh-CN');
    expect(nearestLanguage(['iw'], ['en-US', 'he-HE'])).toBe('he-HE');
    expect(nearestLanguage(['C', ''], chinese)).toBe('en-US');
  });

  test('falls back to English', () => {
    expect(nearestLanguage(['tlh'], offered)).toBe('en-US');
    expect(nearestLanguage([], offered)).toBe('en-US');
  });

  test('follows the browser until one is chosen, and sets the language of the page', async () => {
    expect(chosenLanguage()).toBe('auto');
    await chooseLanguage('tlh');
    expect(chosenLanguage()).toBe('tlh');
    expect(i18n.language).toBe('en-US');
    expect(document.documentElement.lang).toBe('en-US');
    expect(document.documentElement.dir).toBe('ltr');
  });

  test('loads its file, its direction and a tag that browsers know', async () => {
    expect(offeredLanguages()).toHaveLength(19);
    await chooseLanguage('ar-EG');
    expect(i18n.t('com_nav_settings')).toBe('الإعدادات');
    expect(document.documentElement).toMatchObject({ lang: 'ar-EG', dir: 'rtl' });
    await chooseLanguage('zh-TC');
    expect(chosenLanguage()).toBe('zh-TC');
    expect(i18n.t('com_nav_settings')).toBe('設定');
    expect(document.documentElement).toMatchObject({ lang: 'zh-Hant', dir: 'ltr' });
    await chooseLanguage('auto');
    expect(i18n.language).toBe('en-US');
  });
});

describe('a sentence without a translation', () => {
  test('is English with its plural forms, and other sentences are not affected', async () => {
    i18n.addResourceBundle('fr-FR', 'translation', { com_nav_settings: 'Paramètres' });
    await chooseLanguage('fr-FR');
    expect(i18n.t('com_nav_settings')).toBe('Paramètres');
    expect(i18n.t('com_nav_log_out')).toBe('Log out');
    expect(i18n.t('com_palette_results', { count: 1 })).toBe('1 result');
    i18n.removeResourceBundle('fr-FR', 'translation');
    await chooseLanguage('auto');
  });
});

test('numbers in a sentence have the digits of its language', async () => {
  expect(i18n.t('com_bin_deleted', { 0: 12_345.5 })).toBe('deleted 12,345.5');
  expect(i18n.t('com_bin_deleted', { 0: '2024' })).toBe('deleted 2024');
  await chooseLanguage('ar-EG');
  expect(i18n.t('com_bin_deleted', { 0: 12 })).toContain('١٢');
  await chooseLanguage('auto');
});

describe('the sentence for a reason', () => {
  const say = (reason: Reason) => describeReason(reason, i18n.t);

  test('follows the catalog word for word', () => {
    expect(say({ type: 'concurrent', limit: 1 })).toBe(
      'Only 1 message(s) at a time. Please allow any other responses to complete before sending another message, or wait one minute.',
    );
    expect(say({ type: 'message_limit', max: 40, windowInMinutes: 180, limiter: 'user' })).toBe(
      'You hit the message limit. You have a cap of 40 message(s) per 180 minute(s).',
    );
    expect(say({ type: 'message_limit', max: 1, windowInMinutes: 1, limiter: 'ip' })).toBe(
      'You hit the message limit. You have a cap of 1 message(s) per 1 minute(s).',
    );
    expect(say({ type: 'token_balance', balance: 5, promptTokens: 20, tokenCost: 30 })).toBe(
      'Insufficient Funds! Balance: $0.000005. Prompt tokens: 20. Cost: $0.00003. Ask the administrator of this site for more, or choose a cheaper model.',
    );
    expect(say({ type: 'banned', until: null })).toBe(
      'Your account has been temporarily banned due to violations of our service.',
    );
  });

  test('quotes an unknown failure, up to 512 characters', () => {
    expect(say({ type: 'unknown', text: '<b>boom</b>' })).toBe(
      "Something went wrong. Here's the specific error message we encountered: <b>boom</b>",
    );
    expect(say({ type: 'unknown', text: 'x'.repeat(600) })).toBe(
      `Something went wrong. Here's the specific error message we encountered: ${'x'.repeat(512)}...`,
    );
  });

  test('quotes JSON whole, and never half an emoji', () => {
    const json = JSON.stringify({ text: 'x'.repeat(600) });
    expect(say({ type: 'unknown', text: json })).toContain(json);
    expect(say({ type: 'unknown', text: `${'x'.repeat(511)}😀😀` }).isWellFormed()).toBe(true);
  });

  test('depends on whether the key is the one of the user', () => {
    const own = (reason: Reason) => describeReason(reason, i18n.t, { takesKey: true });
    const quota: Reason = { type: 'insufficient_quota', endpoint: 'azureOpenAI' };
    expect(own(quota)).toContain('Your API key for Azure OpenAI has reached its limit.');
    expect(say(quota)).toContain(
      'The default API key of this site for Azure OpenAI has reached its limit. Only its administrator',
    );
    const wrong: Reason = { type: 'invalid_api_key', endpoint: 'Groq' };
    expect(own(wrong)).toContain('set it with “Set Token” on the model logo');
    expect(say(wrong)).toContain("Groq did not accept this site's API key. The administrator");
    const bison: Reason = { type: 'no_service_key', endpoint: 'google', model: 'chat-bison' };
    expect(own(bison)).toContain('Set one, or pick');
    expect(say(bison)).toContain('this site has none');
  });

  test('uses the labels of endpoints', () => {
    const expired = { type: 'expired_user_key', endpoint: 'azureOpenAI', expiredAt: 'yesterday' } as const;
    expect(say(expired)).toContain('The key for Azure OpenAI expired at yesterday.');
    const illegal = { type: 'illegal_model_request', endpoint: 'azureOpenAI', model: 'gpt-9' } as const;
    expect(say(illegal)).toContain('Azure OpenAI does not offer “gpt-9” here.');
    expect(say({ ...illegal, endpoint: 'Groq' })).toContain('Groq does not');
  });

  test.each([true, false])('exists for every reason, when users bring keys is %s', (takesKey) => {
    for (const reason of everyReason) {
      const sentence = describeReason(reason, i18n.t, { takesKey });
      expect(sentence, reason.type).toMatch(/^[A-Z].*/s);
      expect(sentence, reason.type).not.toMatch(/com_|\{\{|undefined|null/);
    }
  });
});

describe('stored settings', () => {
  const numeric = (stored: unknown) => (typeof stored === 'number' ? stored : undefined);

  test('return as they were', () => {
    expect(writeStored('size', 3)).toBe(true);
    expect(readStored('size', 1, numeric)).toBe(3);
  });

  test.each(['{', '"three"', 'three', 'null', ''])('are the default when %j is stored', (stored) => {
    localStorage.setItem('size', stored);
    expect(readStored('size', 1, numeric)).toBe(1);
  });

  test('are the default when storage is forbidden, without an exception', () => {
    const storage = Object.getOwnPropertyDescriptor(window, 'localStorage');
    const forbidden = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.defineProperty(window, 'localStorage', { configurable: true, get: forbidden });
    expect(readStored('size', 1, numeric)).toBe(1);
    expect(writeStored('size', 3)).toBe(false);
    if (storage) Object.defineProperty(window, 'localStorage', storage);
  });
});

describe('the colors', () => {
  const words = ['text', 'muted', 'faint', 'accent', 'danger', 'warning', 'hl-k', 'hl-s', 'hl-f', 'hl-c'] as const;
  const surfaces = ['bg', 'side', 'code', 'bubble'] as const;

  test.each([
    ['light', light],
    ['dark', dark],
  ])('have enough contrast on every surface of the %s theme', (_name, tokens) => {
    for (const word of words) {
      for (const surface of surfaces) {
        const ratio = contrast(tokens[word], tokens[surface]);
        expect(ratio, `${word} on ${surface}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const surface of surfaces) {
      expect(contrast(tokens.edge, tokens[surface]), `edge on ${surface}`).toBeGreaterThanOrEqual(3);
    }
    expect(contrast(tokens['on-accent'], tokens.accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens['on-accent'], tokens['accent-hover'])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens.danger, tokens['danger-soft'])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens.accent, tokens['accent-soft'])).toBeGreaterThanOrEqual(4.5);
  });
});

/** The contrast ratio of WCAG 2.2 between two `#rrggbb` colors. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const endpoint = 'openAI';
const everyReason: Reason[] = [
  { type: 'unauthorized' },
  { type: 'invalid_credentials' },
  { type: 'banned', until: '2024-05-01T00:00:00.000Z' },
  { type: 'registration_closed' },
  { type: 'email_login_closed' },
  { type: 'directory_unreachable' },
  { type: 'password_expired' },
  { type: 'email_domain_not_allowed' },
  { type: 'registration_failed' },
  ...SOCIAL_REFUSALS.map((why) => ({ type: 'social_login' as const, why })),
  { type: 'invalid_reset_token' },
  { type: 'too_many_attempts', retryAfterSeconds: 90 },
  { type: 'forbidden' },
  { type: 'non_browser' },
  { type: 'invalid_input', text: 'Enter your email address.' },
  { type: 'not_found', what: 'convo' },
  { type: 'not_found', what: 'message' },
  { type: 'not_found', what: 'generation' },
  { type: 'not_found', what: 'endpoint' },
  { type: 'not_found', what: 'user' },
  { type: 'not_found', what: 'assistant' },
  { type: 'not_found', what: 'action' },
  { type: 'not_found', what: 'mcp_server' },
  { type: 'conflict', text: 'Changed elsewhere' },
  { type: 'illegal_model_request', endpoint, model: 'gpt-9' },
  { type: 'model_not_yours', endpoint, model: 'gpt-9' },
  { type: 'context_too_long', tokens: 9_000, window: 8_000 },
  { type: 'context_too_long', tokens: null, window: null },
  { type: 'files_too_long', passages: 120_000, max: 100_000 },
  { type: 'moderation' },
  { type: 'no_user_key', endpoint },
  { type: 'invalid_user_key', endpoint },
  { type: 'no_base_url', endpoint },
  { type: 'no_service_key', endpoint, model: 'chat-bison' },
  { type: 'expired_user_key', endpoint, expiredAt: 'yesterday' },
  { type: 'forbidden_base_url', host: 'localhost:11434' },
  { type: 'concurrent', limit: 2 },
  { type: 'message_limit', max: 2, windowInMinutes: 3, limiter: 'user', retryAfterSeconds: 4 },
  { type: 'token_balance', balance: 0, promptTokens: 1, tokenCost: 6 },
  { type: 'budget', scope: 'person', period: 'month', budget: 9, left: 0, renewsAt: '2026-12-01T00:00:00.000Z' },
  { type: 'invalid_api_key', endpoint },
  { type: 'insufficient_quota', endpoint },
  { type: 'provider_rate_limited', retryAfterSeconds: null },
  { type: 'provider_rate_limited', retryAfterSeconds: 3 },
  { type: 'provider_refused', status: 400, text: 'bad request' },
  { type: 'provider_unavailable', status: null },
  { type: 'provider_unavailable', status: 503 },
  { type: 'provider_broke_off' },
  { type: 'provider_stalled', seconds: 60 },
  { type: 'provider_malformed' },
  { type: 'content_filtered' },
  { type: 'empty_answer' },
  { type: 'answer_too_long' },
  { type: 'answer_too_slow' },
  { type: 'storage_full' },
  { type: 'interrupted' },
  { type: 'unexpected_answer', status: 502, statusText: 'Bad Gateway' },
  { type: 'unavailable' },
  { type: 'unknown', text: '' },
];
