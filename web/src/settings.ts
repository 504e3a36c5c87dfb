// The user's interface settings, one row each. The settings dialog renders the rows of its tabs, `stored-settings.ts`
// stores their values in the browser, and features read them by name.
import type { ParseKeys } from 'i18next';

export type SettingsTab = 'general' | 'beta';

interface Row {
  /** The storage key. Renaming it loses every user's choice. */
  key: string;
  tab: SettingsTab;
  label: ParseKeys;
  hint?: ParseKeys;
}

interface SwitchRow extends Row {
  kind: 'switch';
  default: boolean;
}

interface ChoiceRow extends Row {
  kind: 'choice';
  /** One of the options. */
  default: string;
  /** The label of each option, in display order. */
  options: Readonly<Record<string, ParseKeys>>;
}

/** The options are the translation files, each labelled in its own language. */
interface LanguageRow extends Row {
  kind: 'language';
  /** Follows the browser. */
  default: 'auto';
}

export type SettingRow = SwitchRow | ChoiceRow | LanguageRow;

export const SETTINGS = {
  /**
   * Used in `color-scheme.ts`, and before the first paint in `public/head.js`, which repeats the key and the options.
   */
  theme: {
    kind: 'choice',
    key: 'color-theme',
    tab: 'general',
    label: 'com_nav_theme',
    default: 'system',
    options: { system: 'com_nav_theme_system', dark: 'com_nav_theme_dark', light: 'com_nav_theme_light' },
  },
  /** Used in `i18n.ts`. */
  language: { kind: 'language', key: 'lang', tab: 'general', label: 'com_nav_language', default: 'auto' },
  /** Used by the model picker: what happens in a conversation when a model of another provider is picked. */
  switchingModels: {
    kind: 'choice',
    key: 'switchingModels',
    tab: 'general',
    label: 'com_nav_switching_models',
    default: 'ask',
    options: {
      ask: 'com_nav_switching_models_ask',
      continue: 'com_nav_switching_models_continue',
      new: 'com_nav_switching_models_new',
    },
  },
  /** Used by the model picker: a conversation may continue with another endpoint. */
  modularChat: {
    kind: 'switch',
    key: 'modularChat',
    tab: 'beta',
    label: 'com_nav_modular_chat',
    hint: 'com_nav_modular_chat_hint',
    default: false,
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

type ValueIn<R extends SettingRow> = R extends { kind: 'switch' }
  ? boolean
  : R extends { kind: 'choice'; options: infer O }
    ? keyof O & string
    : string;

export type SettingValue<N extends SettingName> = ValueIn<(typeof SETTINGS)[N]>;
