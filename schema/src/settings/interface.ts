// The interface settings, one row each, which is all that a setting needs beside its sentences. The settings dialog
// draws the rows of its tabs; the browser stores their values, and the account takes and keeps them; features of the web
// app read them by name. Paths are those of `web/src/`. The values of the rows are checked in `interface-inputs.ts`: the
// app loads this table with its first screen, and no schema library.
import { typedKeys } from '../entries.ts';
import type { MemorySettings } from './memory-mode.ts';
import type { NoticeSettings } from './notice-settings.ts';

export type SettingsTab = 'general' | 'beta' | 'account' | 'appearance' | 'chat' | 'speech' | 'keyboard';

interface Row<Sentence> {
  label: Sentence;
  hint?: Sentence;
  /** The key in the browser's storage, if it is not the name. Renaming either loses every user's choice. */
  key?: string;
  /** The section of the dialog; `chat`, if none is named. Null: none draws its row. */
  tab?: SettingsTab | null;
  /** The browser keeps it at sign-out, for anyone who signs in there next. */
  ofDevice?: true;
}

/** On or off: what a row is that names no kind. */
interface SwitchRow<Sentence> extends Row<Sentence> {
  kind?: never;
  default: boolean;
}

interface ChoiceRow<Sentence> extends Row<Sentence> {
  kind: 'choice';
  /** One of the options. */
  default: string;
  /** The label of each option, in display order. */
  options: Readonly<Record<string, Sentence>>;
}

/** The options are the translation files, each labelled in its own language. */
interface LanguageRow<Sentence> extends Row<Sentence> {
  kind: 'language';
  /** Follows the browser. */
  default: 'auto';
}

/** The keys of the shortcuts that are not the usual ones, as `layout/bound-keys.ts` writes them. */
interface KeysRow<Sentence> extends Row<Sentence> {
  kind: 'keys';
  default: 'usual';
}

/** The voice that reads aloud: `auto`, or `voice:` and its name. Its options are those of the device and of the server. */
interface VoiceRow<Sentence> extends Row<Sentence> {
  kind: 'voice';
  /** One of the language. */
  default: 'auto';
}

/** @template Sentence the keys of translations, which the web app knows */
export type SettingRow<Sentence = string> =
  | SwitchRow<Sentence>
  | ChoiceRow<Sentence>
  | LanguageRow<Sentence>
  | VoiceRow<Sentence>
  | KeysRow<Sentence>;

export const SETTINGS = {
  /**
   * Used in `app/theme/color-scheme.ts`, and before the first paint in `public/head.js`, which repeats the key and the
   * options.
   */
  theme: {
    kind: 'choice',
    default: 'system',
    label: 'com_nav_theme',
    options: { system: 'com_nav_theme_system', light: 'com_nav_theme_light', dark: 'com_nav_theme_dark' },
    key: 'color-theme',
    tab: 'general',
    ofDevice: true,
  },
  /** Used in `i18n.ts`. */
  language: {
    kind: 'language',
    default: 'auto',
    label: 'com_nav_language',
    hint: 'com_nav_language_hint',
    key: 'lang',
    tab: 'general',
    ofDevice: true,
  },
  /** Used in `chat/scroll/scroll-positions.ts`. */
  autoScroll: { default: false, label: 'com_nav_auto_scroll', hint: 'com_nav_auto_scroll_hint', tab: 'general' },
  /** Used in `chat/composer/send-key.ts`. */
  enterToSend: { default: true, label: 'com_nav_enter_to_send', hint: 'com_nav_enter_to_send_hint', tab: 'general' },
  /** Used in `chat/steps/open-steps.ts`. */
  showCode: { default: false, label: 'com_nav_show_code', hint: 'com_nav_show_code_hint', tab: 'general' },
  /** Used by the side panel. */
  hideSidePanel: { default: false, label: 'com_nav_hide_panel', ofDevice: true, tab: 'general' },
  /** `chat/switch-model/switch-target.ts` reads this one and the next as one. */
  modularChat: {
    default: false,
    label: 'com_nav_modular_chat',
    hint: 'com_nav_modular_chat_hint',
    tab: null,
  },
  switchingModels: {
    kind: 'choice',
    default: 'ask',
    label: 'com_nav_modular_chat',
    options: {
      ask: 'com_nav_switching_models_ask',
      continue: 'com_nav_switching_models_continue',
      new: 'com_nav_switching_models_new',
    },
    tab: null,
  },
  /** Used in `content/math/math-formula.tsx`. */
  LaTeXParsing: { default: true, label: 'com_nav_latex_parsing', tab: 'beta' },
  /** Used beside the user's own messages. */
  UsernameDisplay: { default: false, label: 'com_nav_username_display', tab: 'account' },
  /** Used in `app/theme/apply-sizes.ts`, and before the first paint in `public/head.js`. */
  textSize: {
    kind: 'choice',
    default: 'normal',
    label: 'com_nav_text_size',
    options: { small: 'com_nav_text_small', normal: 'com_nav_text_normal', large: 'com_nav_text_large' },
    tab: 'appearance',
  },
  /** Used in `app/theme/apply-sizes.ts`, and before the first paint in `public/head.js`. */
  wideMode: { default: false, label: 'com_nav_wide_mode', hint: 'com_nav_wide_mode_hint', tab: 'appearance' },
  /** Used in `chat/attachments/pasted-text.ts`. */
  pasteAsFile: { default: true, label: 'com_nav_paste_as_file', hint: 'com_nav_paste_as_file_hint' },
  /** Used in `convos/dialogs/remove-dialog.tsx`. */
  deleteWithoutAsking: {
    default: false,
    label: 'com_nav_delete_unasked',
    hint: 'com_nav_delete_unasked_hint',
  },
  /** Used in `artifacts/use-run.ts`. */
  runArtifacts: {
    kind: 'choice',
    default: 'ask',
    label: 'com_nav_run_artifacts',
    hint: 'com_nav_run_artifacts_hint',
    options: {
      ask: 'com_nav_run_artifacts_ask',
      always: 'com_nav_run_artifacts_always',
      never: 'com_nav_run_artifacts_never',
    },
  },
  /** Whether a new account is still to read that it has instructions for all chats. Used in `chat/memory/offer-personal.ts`. */
  isPersonalOffered: { default: false, label: 'com_personalization', tab: null },
  /** Used in `speech/voices.ts`, and so are the next two. */
  speechEngine: {
    kind: 'choice',
    default: 'service',
    label: 'com_speech_engine',
    hint: 'com_speech_engine_hint',
    options: { service: 'com_speech_engine_service', device: 'com_speech_engine_device' },
    tab: 'speech',
  },
  readVoice: { kind: 'voice', default: 'auto', label: 'com_speech_voice', tab: 'speech', ofDevice: true },
  readSpeed: {
    kind: 'choice',
    default: 'normal',
    label: 'com_speech_speed',
    options: {
      slow: 'com_speech_speed_slow',
      normal: 'com_speech_speed_normal',
      quick: 'com_speech_speed_quick',
      fast: 'com_speech_speed_fast',
      fastest: 'com_speech_speed_fastest',
    },
    tab: 'speech',
  },
  /** Used in `chat/composer/composer-buttons.tsx`. */
  readByItself: { default: false, label: 'com_speech_by_itself', hint: 'com_speech_by_itself_hint', tab: 'speech' },
  /** Used in `chat/voice/dictation-bar.tsx`. */
  sendSpoken: { default: false, label: 'com_speech_send', hint: 'com_speech_send_hint', tab: 'speech' },
  /** Used in `layout/bound-keys.ts`. */
  hasShortcuts: {
    default: true,
    label: 'com_nav_has_shortcuts',
    hint: 'com_nav_has_shortcuts_hint',
    tab: 'keyboard',
  },
  /** Used in `layout/bound-keys.ts`. */
  shortcuts: { kind: 'keys', default: 'usual', label: 'com_shortcuts', tab: 'keyboard' },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = typedKeys(SETTINGS);

type ValueIn<R extends SettingRow> = R extends { kind: 'choice'; options: infer O }
  ? keyof O & string
  : R extends { kind: 'language' | 'voice' | 'keys' }
    ? string
    : boolean;

export type SettingValue<N extends SettingName> = ValueIn<(typeof SETTINGS)[N]>;

/** What an account keeps: the values that differ from their defaults, and what no row of the dialog draws. */
export type StoredSettings = { [N in SettingName]?: SettingValue<N> } & {
  /** The tools that a new conversation begins with, as `ToolInfo.key`. */
  defaultTools?: string[];
  /** Absent where none was ever chosen. */
  favouriteModels?: ModelPair[];
  recentModels?: ModelPair[];
  /** The instructions for all chats; absent where there are none. */
  personal?: Personal;
  /** Absent: it is off. Written by `memories.setMode` alone. */
  memory?: MemorySettings;
  /** Absent: all are off. */
  notices?: NoticeSettings;
};

/** Instructions that the model of every chat gets, beside those of the chat. */
export interface Personal {
  /** What the person says about themselves. */
  about: string;
  /** How they want to be answered. */
  style: string;
  isOn: { about: boolean; style: boolean };
  /** Names of endpoints that get neither. */
  exceptEndpoints: string[];
}

/** The longest of either text, in characters. */
export const PERSONAL_TEXT_MAX = 4_000;

/** A model of an endpoint. The newest favourite is last, the newest of the recent ones first. */
export type ModelPair = [endpoint: string, model: string];

/** The oldest drops out: a list that needs a search is not a list of favourites. */
export const FAVOURITES_MAX = 30;
/** More would be a list to search in. */
export const RECENT_MAX = 5;

/** The key of a setting in the browser's storage. */
export function settingKey(name: SettingName): string {
  const row: SettingRow = SETTINGS[name];
  return row.key ?? name;
}
