import { COUNTED, type ArchiveLine, type ImportItem, type ImportLine } from '@parley/schema/transfer/results';
import { unzipSync, zipSync } from 'fflate';
import type { Browser, HttpClients } from '../../support/http-clients.ts';
import { assertDocumentedLine, fetchDocumented } from '../../support/rest/documented.ts';

export type Entries = Record<string, Uint8Array>;

/** What "Export everything" writes for a person. */
export async function exportOf({ host }: HttpClients, { token }: Browser): Promise<Uint8Array> {
  const response = await fetchDocumented(`http://${host}/api/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return new Uint8Array(await response.arrayBuffer());
}

/** The lines of an import, by their kinds. */
export interface Told {
  files: Extract<ArchiveLine, { kind: 'file' }>[];
  items: ImportItem[];
  others: ArchiveLine[];
  progress: number[];
  end: ImportLine | undefined;
}

export async function importInto({ host }: HttpClients, { token }: Browser, archive: Uint8Array): Promise<Told> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/zip' };
  const body = new Uint8Array(archive);
  const response = await fetchDocumented(`http://${host}/api/import`, { method: 'POST', headers, body });
  const texts = (await response.text()).trim().split('\n');
  const lines = texts.map((line) => JSON.parse(line) as ImportLine);
  for (const line of lines) assertDocumentedLine(response, line);
  const of = <Kind extends ArchiveLine['kind']>(kind: Kind) =>
    lines.filter((line): line is Extract<ArchiveLine, { kind: Kind }> => 'kind' in line && line.kind === kind);
  return {
    files: of('file'),
    items: lines.filter((line) => 'index' in line),
    others: [...COUNTED.flatMap((kind) => of(kind)), ...of('settings')],
    progress: of('progress').map(({ done, total }) => done / total),
    end: lines.at(-1),
  };
}

/** The same archive after a change to its entries. */
export function changed(archive: Uint8Array, change: (entries: Entries) => void): Uint8Array {
  const entries = unzipSync(archive);
  change(entries);
  return zipSync(entries);
}

export const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value));
