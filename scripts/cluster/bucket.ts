// The bucket of uploaded files: one that the environment names, or our own S3 server.
import { fileURLToPath } from 'node:url';
import { BUCKET, CREDENTIALS } from '../fake-s3/server.ts';
import { addressAt, freePort, listens, prepareFolder, type Part, type Site } from './part.ts';

export interface Bucket {
  /** Null for a bucket that is not ours. */
  part: Part | null;
  /** The variables of the nodes. */
  env: Record<string, string>;
}

/** @param env with `S3_ENDPOINT`, the bucket that its `S3_` variables name is used */
export async function openBucket(site: Site, env: NodeJS.ProcessEnv): Promise<Bucket> {
  if (env.S3_ENDPOINT) {
    const theirs = Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('S3_') && value ? [[name, value]] : [],
    );
    return { part: null, env: Object.fromEntries(theirs) };
  }
  const port = await freePort();
  const address = addressAt(port);
  const program = fileURLToPath(new URL('bucket-server.ts', import.meta.url));
  return {
    part: {
      name: 'bucket',
      role: 'bucket',
      address,
      folder: prepareFolder({ folder: site.folder, user: null }, 'bucket'),
      // It reads this checkout, which others may be unable to.
      user: null,
      command: [process.execPath, '--import', import.meta.resolve('tsx'), program, String(port)],
      isReady: () => listens(address),
    },
    env: {
      S3_ENDPOINT: `http://${address}`,
      S3_BUCKET: BUCKET,
      S3_REGION: CREDENTIALS.region,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
  };
}
