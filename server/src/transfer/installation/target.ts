import type { FileSaverDeps } from '../../files/save-file.ts';
import type { Encryption } from '../../keys/encryption.ts';
import type { OldSecrets } from './people/old-secrets.ts';
import type { Report } from './report.ts';

/** Ids of users here by their ids there. */
export type People = ReadonlyMap<string, string>;

/** What an installation is imported into, and how. */
export interface Target extends FileSaverDeps {
  /** Writes nothing. */
  isDry: boolean;
  /** Addresses of accounts here that are the same person as in the export, although nobody proved it. */
  join?: readonly string[];
  /** All such accounts are. */
  joinsAll?: boolean;
  /** The address of a person of the export who becomes an administrator. */
  admin?: string;
  /** Encrypts keys; without it they are left out. */
  encryption?: Encryption;
  /** Signs the hashes of backup codes; without it these are left out. */
  jwtSecret?: string;
  /** Decrypts the keys of the export. */
  oldSecrets?: OldSecrets;
  /** Called again and again. */
  onProgress?: (report: Report) => void;
}
