// The program of the bucket: the S3 server of the tests, with its objects in files, so that they outlive it.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeS3 } from '../fake-s3/server.ts';

class ObjectsInFiles extends Map<string, Buffer> {
  readonly #folder: string;

  constructor(folder: string) {
    super();
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder).filter((file) => !file.endsWith(UNFINISHED)))
      super.set(Buffer.from(name, 'base64url').toString(), readFileSync(join(folder, name)));
  }

  override set(key: string, bytes: Buffer): this {
    const path = this.#pathOf(key);
    writeFileSync(path + UNFINISHED, bytes, { flush: true });
    renameSync(path + UNFINISHED, path);
    return super.set(key, bytes);
  }

  override delete(key: string): boolean {
    if (existsSync(this.#pathOf(key))) rmSync(this.#pathOf(key));
    return super.delete(key);
  }

  #pathOf(key: string): string {
    return join(this.#folder, Buffer.from(key).toString('base64url'));
  }
}

const UNFINISHED = '.unfinished';
const [port] = process.argv.slice(2);

await startFakeS3({ port: Number(port), objects: new ObjectsInFiles('objects') });
