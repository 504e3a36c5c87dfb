// What the packages of OpenDocument have in common.
import { Unreadable } from '../source.ts';
import { readXml } from '../xml.ts';
import { openZip, type Zip } from '../../../platform/zip/read-zip.ts';

export const CONTENT = 'content.xml';
export const STYLES = 'styles.xml';
const MANIFEST = 'META-INF/manifest.xml';

/** Opens a package whose content can be read. @throws `Unreadable` 'encrypted' for one with a password */
export async function openPackage(path: string): Promise<Zip> {
  const zip = await openZip(path);
  if (!zip.has(MANIFEST)) return zip;
  let isLocked = false;
  await readXml(zip, MANIFEST, {
    open(tag) {
      if (tag === 'encryption-data') isLocked = true;
    },
  });
  if (isLocked) throw new Unreadable('encrypted');
  return zip;
}

/** A count from an attribute, between 1 and `most`: files repeat empty cells to the end of the sheet. */
export function repeatCount(value: string | undefined, most: number): number {
  const count = Number(value ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : 1;
}
