import { gatherProblems } from './config-error.ts';
import { ENDPOINT_WORDS } from './endpoint-names.ts';
import {
  amount,
  azureUrl,
  birthdayIcon,
  cookies,
  credential,
  flag,
  hex,
  hexes,
  hostPart,
  hosts,
  httpUrl,
  integer,
  linkTarget,
  list,
  listOf,
  mailAddress,
  mailHost,
  oneLine,
  oneOf,
  pathPart,
  postgresUrl,
  providerUrl,
  signingSecret,
  siteUrl,
  text,
  urlOrOff,
  verbatim,
} from './env-readers.ts';

/** Environment variables as they come. */
export type RawEnv = Readonly<Record<string, string | undefined>>;

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY_MINUTES = 24 * 60;
const MOST = 1_000_000;

const count = integer(1, MOST);
const score = integer(0, MOST);
/** Minutes, from three seconds to a month. */
const windowInMinutes = amount(0.05, 31 * DAY_MINUTES);

/** Every variable that is read, in the order of .env.example. */
export const NAMES = {
  // The server
  HOST: text,
  PORT: integer(0, 65_535),
  DATA_DIR: text,
  DATABASE_URL: postgresUrl,
  DOMAIN_CLIENT: siteUrl,
  DOMAIN_SERVER: siteUrl,
  TRUST_PROXY: integer(0, 32),
  CONFIG_PATH: text,
  PROXY: httpUrl,
  EGRESS_ALLOWED_HOSTS: hosts,
  NO_INDEX: flag,
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  CONSOLE_JSON: flag,
  DEBUG_CONSOLE: flag,
  // The interface
  APP_TITLE: text,
  CUSTOM_FOOTER: verbatim,
  HELP_AND_FAQ_URL: linkTarget,
  SHOW_BIRTHDAY_ICON: birthdayIcon,
  // Endpoints
  ENDPOINTS: listOf(...ENDPOINT_WORDS),
  OPENAI_API_KEY: credential,
  OPENAI_REVERSE_PROXY: providerUrl,
  OPENAI_MODELS: list,
  OPENAI_ORGANIZATION: credential,
  OPENAI_FORCE_PROMPT: flag,
  OPENAI_SUMMARIZE: flag,
  OPENAI_SUMMARY_MODEL: text,
  AZURE_API_KEY: credential,
  AZURE_OPENAI_API_KEY: credential,
  AZURE_OPENAI_API_INSTANCE_NAME: hostPart,
  AZURE_OPENAI_API_DEPLOYMENT_NAME: pathPart,
  AZURE_OPENAI_API_VERSION: pathPart,
  AZURE_OPENAI_API_COMPLETIONS_DEPLOYMENT_NAME: pathPart,
  AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: flag,
  AZURE_OPENAI_BASEURL: azureUrl,
  AZURE_OPENAI_MODELS: list,
  AZURE_OPENAI_DEFAULT_MODEL: text,
  GOOGLE_KEY: credential,
  GOOGLE_SERVICE_KEY_FILE: text,
  GOOGLE_REVERSE_PROXY: httpUrl,
  GOOGLE_VERTEX_REVERSE_PROXY: httpUrl,
  GOOGLE_MODELS: list,
  ANTHROPIC_API_KEY: credential,
  ANTHROPIC_REVERSE_PROXY: httpUrl,
  ANTHROPIC_MODELS: list,
  ANTHROPIC_TITLE_MODEL: text,
  ANTHROPIC_FORCE_PROMPT: flag,
  PLUGINS_USE_AZURE: flag,
  BINGAI_TOKEN: cookies,
  BINGAI_HOST: httpUrl,
  CHATGPT_TOKEN: credential,
  CHATGPT_MODELS: list,
  CHATGPT_REVERSE_PROXY: httpUrl,
  OLLAMA_URL: urlOrOff,
  TITLE_CONVO: flag,
  OPENAI_TITLE_MODEL: text,
  OPENAI_MODERATION: flag,
  OPENAI_MODERATION_API_KEY: credential,
  OPENAI_MODERATION_REVERSE_PROXY: httpUrl,
  // Accounts and sessions
  ALLOW_REGISTRATION: flag,
  ALLOW_EMAIL_LOGIN: flag,
  ALLOW_SOCIAL_LOGIN: flag,
  ALLOW_SOCIAL_REGISTRATION: flag,
  ALLOW_RESET_LINK: flag,
  SESSION_EXPIRY: amount(1000, 30 * DAY_MS),
  STREAM_FIRST_TIMEOUT: amount(100, DAY_MS),
  STREAM_IDLE_TIMEOUT: amount(100, DAY_MS),
  REFRESH_TOKEN_EXPIRY: amount(1000, 365 * DAY_MS),
  JWT_SECRET: signingSecret,
  JWT_REFRESH_SECRET: signingSecret,
  CREDS_KEY: hex(64),
  CREDS_KEY_OLD: hexes(64),
  CREDS_IV: hex(32),
  // Social sign-in
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  FACEBOOK_CLIENT_ID: text,
  FACEBOOK_CLIENT_SECRET: text,
  OPENID_CLIENT_ID: text,
  OPENID_CLIENT_SECRET: text,
  OPENID_ISSUER: httpUrl,
  OPENID_BUTTON_LABEL: text,
  OPENID_IMAGE_URL: linkTarget,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  DISCORD_CLIENT_ID: text,
  DISCORD_CLIENT_SECRET: text,
  // Mail
  EMAIL_SERVICE: text,
  EMAIL_HOST: mailHost,
  EMAIL_PORT: integer(1, 65_535),
  EMAIL_ENCRYPTION: oneOf('tls', 'starttls'),
  EMAIL_ENCRYPTION_HOSTNAME: mailHost,
  EMAIL_ALLOW_SELFSIGNED: flag,
  EMAIL_USERNAME: text,
  EMAIL_PASSWORD: text,
  EMAIL_FROM_NAME: oneLine,
  EMAIL_FROM: mailAddress,
  // Limits
  LOGIN_MAX: count,
  LOGIN_WINDOW: windowInMinutes,
  REGISTER_MAX: count,
  REGISTER_WINDOW: windowInMinutes,
  RESET_MAX: count,
  RESET_WINDOW: windowInMinutes,
  LIMIT_CONCURRENT_MESSAGES: flag,
  CONCURRENT_MESSAGE_MAX: count,
  LIMIT_MESSAGE_IP: flag,
  MESSAGE_IP_MAX: count,
  MESSAGE_IP_WINDOW: windowInMinutes,
  LIMIT_MESSAGE_USER: flag,
  MESSAGE_USER_MAX: count,
  MESSAGE_USER_WINDOW: windowInMinutes,
  FILE_UPLOAD_IP_MAX: count,
  FILE_UPLOAD_IP_WINDOW: windowInMinutes,
  FILE_UPLOAD_USER_MAX: count,
  FILE_UPLOAD_USER_WINDOW: windowInMinutes,
  // Bans
  BAN_VIOLATIONS: flag,
  BAN_DURATION: amount(0, 365 * DAY_MS),
  BAN_INTERVAL: amount(1, MOST),
  LOGIN_VIOLATION_SCORE: score,
  REGISTRATION_VIOLATION_SCORE: score,
  CONCURRENT_VIOLATION_SCORE: score,
  MESSAGE_VIOLATION_SCORE: score,
  ILLEGAL_MODEL_REQ_SCORE: score,
  NON_BROWSER_VIOLATION_SCORE: score,
  // Search and balance
  SEARCH: flag,
  CHECK_BALANCE: flag,
};

export type Env = { readonly [Name in keyof typeof NAMES]: ReturnType<(typeof NAMES)[Name]> };

/** The first step: each variable by itself, parsed; absent ones are undefined. Throws a ConfigError of all that are bad. */
export function parseEnv(raw: RawEnv): Env {
  const problems = gatherProblems();
  const parsed = Object.entries(NAMES).map(([name, read]) => [name, problems.attempt(() => read(raw[name], name))]);
  problems.throwAny();
  return Object.fromEntries(parsed) as Env;
}
