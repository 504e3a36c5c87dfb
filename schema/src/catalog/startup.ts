// What the browser gets before sign-in, and the endpoints and models on offer after it.
import type { SignInSite } from './sign-in-sites.ts';
import type { EndpointType } from './endpoints.ts';

/** GET /api/config, exactly. */
export interface StartupConfig extends Record<`${SignInSite}LoginEnabled`, boolean> {
  appTitle: string;
  /** Of Parley. */
  version: string;
  socialLogins: string[];
  openidLabel: string;
  openidImageUrl: string | undefined;
  serverDomain: string;
  emailLoginEnabled: boolean;
  registrationEnabled: boolean;
  socialLoginEnabled: boolean;
  emailEnabled: boolean;
  /** Present where a directory knows the passwords; `username` where people sign in by user names. */
  ldap?: { enabled: true; username?: true };
  checkBalance: boolean;
  showBirthdayIcon: boolean;
  helpAndFaqURL: string;
  interface?: { privacyPolicy?: ExternalLink; termsOfService?: ExternalLink };
  customFooter?: string;
  /** Present where amounts are shown in another currency than US dollars. */
  currency?: { code: string; perDollar: number };
  /** Present where no conversation uses tools. */
  toolsEnabled?: false;
  /** Present where a service is set up that searches the web. */
  webSearchEnabled?: true;
  /** Present where a service writes down what people say. */
  dictationEnabled?: true;
  /** Present where a service reads answers aloud, beside the browser. */
  readingEnabled?: true;
  /** Present where nobody makes keys for programs. */
  apiKeysEnabled?: false;
  /** Present where conversations are not shared by links. */
  sharedLinksEnabled?: false;
  /** Present where assistants are their owners' alone. */
  sharedAssistantsEnabled?: false;
  /** Present where projects are not shared with everybody. */
  publicProjectsEnabled?: false;
  /** Present where people cannot ask for a new password. */
  passwordResetEnabled?: false;
  /** Present where the operator offers models by names of their own. */
  modelSpecsEnabled?: true;
  /** Present where pages, pictures and apps of answers do not run, or are shown as code only. */
  artifacts?: 'still' | 'off';
  /** Present where devices get notices by push. */
  pushEnabled?: true;
  /** Present until the first account is made, which administers the server. */
  awaitsFirstPerson?: true;
  /** Present where people cannot delete their accounts. */
  accountDeletionEnabled?: false;
}

export interface ExternalLink {
  externalUrl?: string;
  openNewTab?: boolean;
}

/** One entry of GET /api/endpoints. Built-in endpoints are keyed by their type, custom ones by their own name. */
export interface EndpointConfig {
  type?: Extract<EndpointType, 'custom'>;
  /** Google's entry has it only when it is true. */
  userProvide?: boolean;
  userProvideURL?: boolean;
  /** Of the plugins endpoint: the names of all plugins by their keys. */
  plugins?: Record<string, string>;
  availableAgents?: ('classic' | 'functions')[];
  /** Plugins use Azure's key instead of OpenAI's. */
  azure?: boolean;
  modelDisplayLabel?: string;
  iconURL?: string;
  /** Of assistants: the only models that may search files; all of them where the operator names none. */
  retrievalModels?: string[];
  /** Of assistants: the parts of the form that are on, and whether nobody may change assistants. */
  capabilities?: string[];
  disableBuilder?: boolean;
  /** Its models that make pictures; true: those of its list whose names say so. */
  pictures?: true | string[];
  order: number;
}

export type EndpointsConfig = Record<string, EndpointConfig>;
export type ModelsConfig = Record<string, string[]>;
/** In tokens, by endpoint and model. */
export type ModelWindows = Record<string, Record<string, number>>;

export const VERSION = '0.10.0';
export const CONFIG_VERSION = '1.0.7';
