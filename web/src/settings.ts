// The user's interface settings, one row each. The settings dialog renders the rows of its tabs, `stored-settings.ts`
// stores their values in the browser, and features read them by name.
import type { ParseKeys } from 'i18next';

export type SettingsTab = 'general' | 'beta' | 'account';

interface Row {
  /** The storage key, if it is not the name. Renaming either loses every user's choice. */
  key?: string;
  /** The general one, if none is named. */
  tab?: SettingsTab;
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
    label: 'com_nav_theme',
    default: 'system',
    options: { system: 'com_nav_theme_system', light: 'com_nav_theme_light', dark: 'com_nav_theme_dark' },
  },
  /** Used in `i18n.ts`. */
  language: { kind: 'language', key: 'lang', label: 'com_nav_language', default: 'auto' },
  /** Used in `app/theme/apply-sizes.ts`, and before the first paint in `public/head.js`. */
  textSize: {
    kind: 'choice',
    label: 'com_nav_text_size',
    default: 'normal',
    options: { small: 'com_nav_text_small', normal: 'com_nav_text_normal', large: 'com_nav_text_large' },
  },
  /** Used in `app/theme/apply-sizes.ts`, and before the first paint in `public/head.js`. */
  wideMode: { kind: 'switch', label: 'com_nav_wide_mode', default: false },
  /** Used in `chat/composer/send-key.ts`. */
  enterToSend: {
    kind: 'switch',
    label: 'com_nav_enter_to_send',
    hint: 'com_nav_enter_to_send_hint',
    default: true,
  },
  /** Used in `chat/scroll/scroll-positions.ts`. */
  autoScroll: {
    kind: 'switch',
    label: 'com_nav_auto_scroll',
    hint: 'com_nav_auto_scroll_hint',
    default: false,
  },
  /** Used in `chat/steps/open-steps.ts`. */
  showCode: { kind: 'switch', label: 'com_nav_show_code', default: false },
  /** Used in `convos/dialogs/remove-dialog.tsx`. */
  deleteWithoutAsking: {
    kind: 'switch',
    label: 'com_nav_delete_unasked',
    hint: 'com_nav_delete_unasked_hint',
    default: false,
  },
  /** Used by the side panel. */
  hideSidePanel: {
    kind: 'switch',
    label: 'com_nav_hide_panel',
    default: false,
  },
  /** Used by the model picker: what happens in a conversation when a model of another provider is picked. */
  switchingModels: {
    kind: 'choice',
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
    tab: 'beta',
    label: 'com_nav_modular_chat',
    hint: 'com_nav_modular_chat_hint',
    default: false,
  },
  /** Used in `content/math/math-formula.tsx`. */
  LaTeXParsing: {
    kind: 'switch',
    tab: 'beta',
    label: 'com_nav_latex_parsing',
    default: true,
  },
  /** Used beside the user's own messages. */
  UsernameDisplay: {
    kind: 'switch',
    tab: 'account',
    label: 'com_nav_username_display',
    default: false,
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

/** The storage key of a setting. */
export function keyOf(name: SettingName): string {
  return (SETTINGS[name] as SettingRow).key ?? name;
}

type ValueIn<R extends SettingRow> = R extends { kind: 'switch' }
  ? boolean
  : R extends { kind: 'choice'; options: infer O }
    ? keyof O & string
    : string;

export type SettingValue<N extends SettingName> = ValueIn<(typeof SETTINGS)[N]>;
