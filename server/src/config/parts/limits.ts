// Settings of rate limits, bans and moderation.
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

/** At most `max` within a window. */
export type Limit = { max: number; windowInMinutes: number };
export type OptionalLimit = { enabled: false } | ({ enabled: true } & Limit);

export type LimitsConfig = {
  /** Per IP address. */
  login: Limit;
  register: Limit;
  /** Password resets: links requested, and attempts to use one. */
  reset: Limit;
  messagesPerIp: OptionalLimit;
  messagesPerUser: OptionalLimit;
  concurrentMessages: { enabled: false } | { enabled: true; max: number };
  uploadsPerIp: Limit;
  uploadsPerUser: Limit;
  /** How many messages each user may store by forks and imports. */
  storedMessages: number;
};

export type BansConfig = {
  enabled: boolean;
  /** Milliseconds; 0 only ends the sessions and sets no ban. */
  durationMs: number;
  /** A ban follows each time the total score crosses a multiple of this. */
  interval: number;
  scores: {
    login: number;
    registration: number;
    concurrent: number;
    message: number;
    fileUpload: number;
    illegalModel: number;
    /** Undefined allows clients that are no browser. */
    nonBrowser: number | undefined;
  };
};

export type ModerationConfig = { enabled: false } | { enabled: true; apiKey: string; url: string };

export function limitsConfig(env: Env, yaml: Yaml): LimitsConfig {
  const uploads = yaml.rateLimits?.fileUploads ?? {};
  return {
    login: limit(env.LOGIN_MAX ?? 7, env.LOGIN_WINDOW ?? 5),
    register: limit(env.REGISTER_MAX ?? 5, env.REGISTER_WINDOW ?? 60),
    reset: limit(env.RESET_MAX ?? 10, env.RESET_WINDOW ?? 60),
    messagesPerIp: messageLimit(env.LIMIT_MESSAGE_IP, env.MESSAGE_IP_MAX, env.MESSAGE_IP_WINDOW),
    messagesPerUser: messageLimit(env.LIMIT_MESSAGE_USER, env.MESSAGE_USER_MAX, env.MESSAGE_USER_WINDOW),
    concurrentMessages: env.LIMIT_CONCURRENT_MESSAGES
      ? { enabled: true, max: env.CONCURRENT_MESSAGE_MAX ?? 1 }
      : { enabled: false },
    uploadsPerIp: limit(
      uploads.ipMax ?? env.FILE_UPLOAD_IP_MAX ?? 100,
      uploads.ipWindowInMinutes ?? env.FILE_UPLOAD_IP_WINDOW ?? 15,
    ),
    uploadsPerUser: limit(
      uploads.userMax ?? env.FILE_UPLOAD_USER_MAX ?? 50,
      uploads.userWindowInMinutes ?? env.FILE_UPLOAD_USER_WINDOW ?? 15,
    ),
    storedMessages: env.MESSAGES_MAX_PER_USER ?? 1_000_000,
  };
}

function limit(max: number, windowInMinutes: number): Limit {
  return { max, windowInMinutes };
}

function messageLimit(enabled = false, max = 40, windowInMinutes = 1): OptionalLimit {
  return enabled ? { enabled, max, windowInMinutes } : { enabled };
}

export function bansConfig(env: Env): BansConfig {
  return {
    enabled: env.BAN_VIOLATIONS ?? false,
    durationMs: env.BAN_DURATION ?? 2 * 60 * 60 * 1000,
    interval: env.BAN_INTERVAL ?? 20,
    scores: {
      login: env.LOGIN_VIOLATION_SCORE ?? 1,
      registration: env.REGISTRATION_VIOLATION_SCORE ?? 1,
      concurrent: env.CONCURRENT_VIOLATION_SCORE ?? 1,
      message: env.MESSAGE_VIOLATION_SCORE ?? 1,
      fileUpload: 1,
      illegalModel: env.ILLEGAL_MODEL_REQ_SCORE ?? 5,
      nonBrowser: env.NON_BROWSER_VIOLATION_SCORE,
    },
  };
}

export function moderationConfig(env: Env): ModerationConfig {
  if (!env.OPENAI_MODERATION) return { enabled: false };
  if (!env.OPENAI_MODERATION_API_KEY) {
    throw configError('OPENAI_MODERATION is true, so OPENAI_MODERATION_API_KEY must be set.');
  }
  const url = env.OPENAI_MODERATION_REVERSE_PROXY ?? 'https://api.openai.com/v1/moderations';
  return { enabled: true, apiKey: env.OPENAI_MODERATION_API_KEY, url };
}
