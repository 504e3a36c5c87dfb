import { RETENTION_DAYS_MAX } from '@parley/schema/convos/retention';
import { gatherProblems } from '../config-error.ts';
import { ABSENT_ENDPOINT_WORDS, ENDPOINT_WORDS } from '../endpoint-names.ts';
import {
  amount,
  birthdayIcon,
  credential,
  currency,
  flag,
  hex,
  hexes,
  hosts,
  httpUrl,
  isUnclearFlag,
  integer,
  ldapAttribute,
  ldapUrl,
  linkTarget,
  list,
  knownWords,
  mailAddress,
  mailHost,
  oneLine,
  oneWord,
  postgresUrl,
  processes,
  signingSecret,
  siteUrl,
  text,
  urlOrOff,
  vapidSubject,
  verbatim,
  type EnvReader,
} from './env-readers.ts';
import { TOOL_VARIABLES } from './tool-variables.ts';

/** Raw environment variables. */
export type RawEnv = Readonly<Record<string, string | undefined>>;

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY_MINUTES = 24 * 60;
const COUNT_MAX = 1_000_000;

const count = integer(1, COUNT_MAX);
const score = integer(0, COUNT_MAX);
/** A window in minutes, from three seconds to a month. */
const windowInMinutes = amount(0.05, 31 * DAY_MINUTES);

/** Every variable except those of providers, file stores and sign-in sites, in the order of .env.example. */
export const NAMES = {
  // The server
  HOST: text,
  PORT: integer(0, 65_535),
  PROCESSES: processes,
  DATA_DIR: text,
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  DATABASE_PREPARE: oneWord('auto', 'on', 'off'),
  DATABASE_POOL_SIZE: integer(2, 100),
  DOMAIN_CLIENT: siteUrl,
  DOMAIN_SERVER: siteUrl,
  ALLOWED_HOSTS: hosts,
  TRUST_PROXY: integer(0, 32),
  CONFIG_PATH: text,
  PROXY: httpUrl,
  EGRESS_ALLOWED_HOSTS: hosts,
  NO_INDEX: flag,
  LOG_LEVEL: oneWord('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  CONSOLE_JSON: flag,
  DEBUG_CONSOLE: flag,
  METRICS_TOKEN: credential,
  DRAIN_SECONDS: integer(0, 300),
  SHUTDOWN_GRACE_SECONDS: integer(0, 3600),
  // The interface
  APP_TITLE: text,
  CUSTOM_FOOTER: verbatim,
  HELP_AND_FAQ_URL: linkTarget,
  SHOW_BIRTHDAY_ICON: birthdayIcon,
  // Endpoints; each provider has its own variables in its definition
  ENDPOINTS: knownWords(ENDPOINT_WORDS, ABSENT_ENDPOINT_WORDS),
  PLUGINS_USE_AZURE: flag,
  OLLAMA_URL: urlOrOff,
  TITLE_CONVO: flag,
  OPENAI_MODERATION: flag,
  OPENAI_MODERATION_API_KEY: credential,
  OPENAI_MODERATION_REVERSE_PROXY: httpUrl,
  // Accounts and sessions
  ALLOW_REGISTRATION: flag,
  ALLOW_EMAIL_LOGIN: flag,
  ALLOW_SOCIAL_LOGIN: flag,
  ALLOW_SOCIAL_REGISTRATION: flag,
  ALLOW_RESET_LINK: flag,
  ALLOW_PASSWORD_RESET: flag,
  ALLOW_UNVERIFIED_EMAIL_LOGIN: flag,
  ALLOW_ACCOUNT_DELETION: flag,
  RETENTION_CHATS_DAYS: integer(0, RETENTION_DAYS_MAX),
  RETENTION_FILES_DAYS: integer(0, RETENTION_DAYS_MAX),
  RETENTION_AUDIT_DAYS: integer(0, RETENTION_DAYS_MAX),
  ALLOW_SHARED_ASSISTANTS: flag,
  ALLOW_SHARED_LINKS: flag,
  ALLOW_SHARED_LINKS_PUBLIC: flag,
  ALLOW_SHARED_PROJECTS_PUBLIC: flag,
  API_KEYS: oneWord('on', 'off'),
  FACTOR_AFTER_OAUTH: flag,
  REQUIRE_SECOND_FACTOR: oneWord('admins', 'all'),
  ARTIFACTS: oneWord('on', 'still', 'off'),
  BREACHED_PASSWORDS_DIR: text,
  SESSION_EXPIRY: amount(1000, 30 * DAY_MS),
  STREAM_FIRST_TIMEOUT: amount(100, DAY_MS),
  STREAM_IDLE_TIMEOUT: amount(100, DAY_MS),
  STREAM_QUIET_TIMEOUT: amount(100, DAY_MS),
  ANSWER_TIMEOUT: amount(1000, DAY_MS),
  ANSWER_MAX_BYTES: amount(1000, 64 * 1024 * 1024),
  REFRESH_TOKEN_EXPIRY: amount(1000, 365 * DAY_MS),
  JWT_SECRET: signingSecret,
  JWT_REFRESH_SECRET: signingSecret,
  CREDS_KEY: hex(64),
  CREDS_KEY_OLD: hexes(64),
  CREDS_IV: hex(32),
  // Social sign-in; each site has its own variables in its definition
  OPENID_SESSION_SECRET: text,
  OPENID_BUTTON_LABEL: text,
  OPENID_IMAGE_URL: linkTarget,
  // Sign-in by a directory
  LDAP_URL: ldapUrl,
  LDAP_BIND_DN: text,
  LDAP_BIND_CREDENTIALS: verbatim,
  LDAP_USER_SEARCH_BASE: text,
  LDAP_SEARCH_FILTER: text,
  LDAP_LOGIN_USES_USERNAME: flag,
  LDAP_ID: ldapAttribute,
  LDAP_USERNAME: ldapAttribute,
  LDAP_EMAIL: ldapAttribute,
  LDAP_FULL_NAME: list,
  LDAP_CA_CERT_PATH: text,
  LDAP_TLS_REJECT_UNAUTHORIZED: flag,
  LDAP_STARTTLS: flag,
  LDAP_GROUPS_ATTRIBUTE: ldapAttribute,
  LDAP_GROUP_SEARCH_BASE: text,
  LDAP_GROUP_SEARCH_FILTER: text,
  LDAP_GROUPS: list,
  // Mail
  EMAIL_SERVICE: text,
  EMAIL_HOST: mailHost,
  EMAIL_PORT: integer(1, 65_535),
  EMAIL_ENCRYPTION: oneWord('tls', 'starttls'),
  EMAIL_ENCRYPTION_HOSTNAME: mailHost,
  EMAIL_ALLOW_SELFSIGNED: flag,
  EMAIL_USERNAME: text,
  EMAIL_PASSWORD: text,
  EMAIL_FROM_NAME: oneLine,
  EMAIL_FROM: mailAddress,
  // Notices by push
  PUSH: oneWord('on', 'off'),
  PUSH_HOSTS: hosts,
  VAPID_SUBJECT: vapidSubject,
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
  // Files
  FILES_MAX_MB_PER_USER: integer(1, 100_000_000),
  MESSAGES_MAX_PER_USER: integer(1, 1_000_000_000),
  FILES_SCAN_COMMAND: text,
  FILES_SCAN_FAIL_OPEN: flag,
  EMBEDDINGS_ENDPOINT: text,
  EMBEDDINGS_MODEL: text,
  EMBEDDINGS_MODELS: list,
  RAG_API_URL: httpUrl,
  RAG_USE_FULL_CONTEXT: flag,
  // Speech
  STT_API_KEY: credential,
  TTS_API_KEY: credential,
  // Tools
  ACTIONS: oneWord('on', 'off'),
  REST_ACTIONS_ASK: flag,
  MCP_USER_SERVERS: oneWord('on', 'off'),
  INTERPRETER: oneWord('on', 'off'),
  INTERPRETER_COMMAND: text,
  PYTHON_PACKAGES_FROM: text,
  // Plugins and the search of the web
  ...TOOL_VARIABLES,
  // Tools
  TOOLS: oneWord('on', 'off'),
  AGENT_MAX_STEPS: integer(1, 100),
  AGENT_MAX_MINUTES: amount(0.05, 24 * 60),
  TOOL_CALLS_PER_MINUTE: count,
  // Bans
  BAN_VIOLATIONS: flag,
  BAN_DURATION: amount(0, 365 * DAY_MS),
  BAN_INTERVAL: amount(1, COUNT_MAX),
  LOGIN_VIOLATION_SCORE: score,
  REGISTRATION_VIOLATION_SCORE: score,
  CONCURRENT_VIOLATION_SCORE: score,
  MESSAGE_VIOLATION_SCORE: score,
  ILLEGAL_MODEL_REQ_SCORE: score,
  NON_BROWSER_VIOLATION_SCORE: score,
  // Search and balance
  SEARCH: flag,
  CHECK_BALANCE: flag,
  CURRENCY: currency,
};

/** The flags whose words are neither true nor false: they are off. */
export function unclearFlags(raw: RawEnv): string[] {
  const readers: Readonly<Record<string, EnvReader<unknown>>> = NAMES;
  return Object.keys(readers).filter(
    (name) => (readers[name] === flag || readers[name] === birthdayIcon) && isUnclearFlag(raw[name]),
  );
}

/** Readers by variable name. */
export type EnvRows = Readonly<Record<string, EnvReader<unknown>>>;
export type ReadEnv<Rows extends EnvRows> = { readonly [Name in keyof Rows]: ReturnType<Rows[Name]> };
export type Env = ReadEnv<typeof NAMES>;

/**
 * First step: parses each variable by itself; absent ones are undefined. `rows` are the variables of providers, file stores and sign-in sites.
 * @throws ConfigError with all problems
 */
export function parseEnv(raw: RawEnv, rows: EnvRows = {}): Env {
  const problems = gatherProblems();
  const parsed = Object.entries({ ...NAMES, ...rows }).map(([name, read]) => [
    name,
    problems.attempt(() => read(raw[name], name)),
  ]);
  problems.throwAny();
  return Object.fromEntries(parsed) as Env;
}
