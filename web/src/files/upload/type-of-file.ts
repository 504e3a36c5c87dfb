import { detectType } from '@parley/schema/files/detect-type';
import { UNKNOWN_TYPE } from '@parley/schema/files/file-types';
import type { TypedFile } from './check-files.ts';

/** The type of a file by the rule of the server, from its first bytes; of one that cannot be read nothing is known. */
export async function typeOfFile(file: File): Promise<string> {
  const read = async (at: number, length: number) => new Uint8Array(await file.slice(at, at + length).arrayBuffer());
  try {
    return (await detectType({ size: file.size, read }, file.name, file.type)).mime;
  } catch {
    return UNKNOWN_TYPE;
  }
}

export function withTypes(files: readonly File[]): Promise<TypedFile<File>[]> {
  return Promise.all(files.map(async (file) => ({ file, mime: await typeOfFile(file) })));
}
