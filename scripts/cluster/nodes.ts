// The Parley servers of a cluster: the same secrets, database and bucket, and a folder of their own each.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { answers, prepareFolder, type Part, type Site } from './part.ts';

/** How long a node that is told to stop waits until the balancer has seen it, and then for its answers, in seconds. */
const DRAIN_SECONDS = 4;
const GRACE_SECONDS = 90;

const CONFIG = 'version: 1.0.7\nfileStrategy: s3\n';

export interface NodesOptions {
  /** `host:port` of each node. */
  addresses: readonly string[];
  /** Where people come in. */
  url: string;
  /** The base URL of the provider, without `/v1`. */
  provider: string;
  /** The addresses of the database: through the pooler, and without it. */
  pooled: string;
  direct: string;
  /** The variables of the bucket. */
  bucket: Record<string, string>;
  /** A built checkout. */
  root: string;
}

export function nodeParts(site: Site, options: NodesOptions): Part[] {
  const env = environmentOf(site, options);
  return options.addresses.map((address, n) => {
    const name = `node${n + 1}`;
    const folder = prepareFolder({ folder: site.folder, user: null }, name, { 'parley.yaml': CONFIG });
    return {
      name,
      role: 'node' as const,
      address,
      folder,
      // It reads the checkout, which others may be unable to.
      user: null,
      command: nodeCommand(options.root),
      env: { ...env, PORT: address.split(':')[1] ?? '', DATA_DIR: join(folder, 'data') },
      isReady: () => answers(`http://${address}/ready`),
    };
  });
}

/** @param root a built checkout */
export function nodeCommand(root: string): string[] {
  return [process.execPath, join(root, 'server/dist/main.js')];
}

function environmentOf({ password }: Site, { url, provider, pooled, direct, bucket }: NodesOptions) {
  const databaseAt = (address: string) => `postgres://parley:${password}@${address}/parley`;
  const secret = () => randomBytes(32).toString('hex');
  return {
    HOST: '127.0.0.1',
    DOMAIN_CLIENT: url,
    DOMAIN_SERVER: url,
    TRUST_PROXY: '1',
    CONFIG_PATH: 'parley.yaml',
    CONSOLE_JSON: 'true',
    DATABASE_URL: databaseAt(pooled),
    DATABASE_DIRECT_URL: databaseAt(direct),
    DATABASE_PREPARE: 'auto',
    DATABASE_POOL_SIZE: '4',
    JWT_SECRET: secret(),
    JWT_REFRESH_SECRET: secret(),
    CREDS_KEY: secret(),
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
    ...bucket,
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider}/v1`,
    OPENAI_MODELS: 'gpt-4',
    // All people of a cluster on one machine have one address.
    ALLOW_REGISTRATION: 'true',
    REGISTER_MAX: '1000',
    LOGIN_MAX: '100000',
    FILE_UPLOAD_IP_MAX: '100000',
    FILE_UPLOAD_USER_MAX: '100000',
    INTERPRETER: 'off',
  };
}
