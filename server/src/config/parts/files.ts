import { MEGABYTE } from '@parley/schema/files/file-limits';
import { withoutTrailingSlash } from '../addresses.ts';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

export type FilesConfig = {
  strategy: 'local' | 's3' | 'firebase' | 'openai';
  /** The format that uploaded images are converted to. */
  imageOutputType: 'png' | 'webp' | 'jpeg';
  /** Only their owner's session may load images. */
  secureImageLinks: boolean;
  /** As written in the file, sizes in MB; undefined when absent. */
  limits: Yaml['fileConfig'];
  /** How much each user may store. */
  quotaBytes: number;
  /** The command that scans uploads, and whether files are taken when it fails; undefined without one. */
  scan: { command: readonly string[]; failsOpen: boolean } | undefined;
  /** Undefined when their variables are not set: then no file can be in them. */
  s3: S3Config | undefined;
  firebase: FirebaseConfig | undefined;
  openAI: OpenAIFilesConfig | undefined;
};

export type S3Config = {
  /** Without a trailing slash. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** `storage` is the address of Firebase Storage, without a trailing slash. */
export type FirebaseConfig = { bucket: string; apiKey: string; appId: string; storage: string };

/** The address without a trailing slash. */
export type OpenAIFilesConfig = { apiKey: string; baseURL: string };

/** @throws ConfigError when the variables of the chosen store are missing */
export function filesConfig(env: Env, yaml: Yaml): FilesConfig {
  return {
    strategy: yaml.fileStrategy ?? 'local',
    imageOutputType: yaml.imageOutputType ?? 'png',
    secureImageLinks: yaml.secureImageLinks ?? false,
    limits: yaml.fileConfig,
    quotaBytes: (env.FILES_MAX_MB_PER_USER ?? 5120) * MEGABYTE,
    scan: env.FILES_SCAN_COMMAND
      ? { command: env.FILES_SCAN_COMMAND.split(/\s+/), failsOpen: env.FILES_SCAN_FAIL_OPEN ?? false }
      : undefined,
    s3: s3Config(env, yaml.fileStrategy === 's3'),
    firebase: firebaseConfig(env, yaml.fileStrategy === 'firebase'),
    openAI: openAIConfig(env, yaml.fileStrategy === 'openai'),
  };
}

/** A bucket that was used before stays readable when the strategy changes. */
function s3Config(env: Env, isNeeded: boolean): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const region = env.S3_REGION ?? 'us-east-1';
  const endpoint = withoutTrailingSlash(env.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`);
  if (bucket && accessKeyId && secretAccessKey) return { endpoint, bucket, region, accessKeyId, secretAccessKey };
  if (!isNeeded) return undefined;
  throw configError('fileStrategy is s3, so S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set.');
}

/** The other variables of Firebase concern services that are not used; they may be set as for its own clients. */
function firebaseConfig(env: Env, isNeeded: boolean): FirebaseConfig | undefined {
  const { FIREBASE_STORAGE_BUCKET: bucket, FIREBASE_API_KEY: apiKey, FIREBASE_APP_ID: appId } = env;
  if (bucket && apiKey && appId) return { bucket, apiKey, appId, storage: firebaseStorage(env) };
  if (!isNeeded) return undefined;
  throw configError(
    'fileStrategy is firebase, so FIREBASE_API_KEY, FIREBASE_STORAGE_BUCKET and FIREBASE_APP_ID must be set.',
  );
}

/** The emulator's address as Firebase's own tools read it: a host and a port, or an address. */
function firebaseStorage({ FIREBASE_STORAGE_EMULATOR_HOST: host }: Env): string {
  if (!host) return 'https://firebasestorage.googleapis.com';
  const address = withoutTrailingSlash(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (URL.canParse(address)) return address;
  throw configError('FIREBASE_STORAGE_EMULATOR_HOST must be a host and a port, such as localhost:9199.');
}

function openAIConfig(env: Env, isNeeded: boolean): OpenAIFilesConfig | undefined {
  const { OPENAI_FILES_API_KEY: apiKey, OPENAI_FILES_BASE_URL: url = 'https://api.openai.com/v1' } = env;
  if (apiKey) return { apiKey, baseURL: withoutTrailingSlash(url) };
  if (!isNeeded) return undefined;
  throw configError('fileStrategy is openai, so OPENAI_FILES_API_KEY must be set.');
}
