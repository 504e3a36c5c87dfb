// What the server keeps and knows about files, for the dependencies of its routes and of the chat.
import type { Violations } from '../abuse/violations.ts';
import type { Endpoints } from '../catalog/endpoint.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import type { Egress } from '../platform/egress.ts';
import type { Extractor } from '../retrieval/extracted.ts';
import { createExtractor } from '../retrieval/extractor.ts';
import { createRetrieval, type Retrieval } from '../retrieval/retrieval.ts';
import type { Timings } from '../config/timings.ts';
import type { FileStores } from '../storage/file-store.ts';
import { createPdfReader, type PdfReader } from './pdf-reader.ts';
import { readFileBytes } from './read-file.ts';
import { createSocialAvatars, type SocialAvatars } from './social-avatars.ts';
import { createStores } from './stores/create-stores.ts';
import { createUploadLimits, type UploadLimits } from './upload/upload-limits.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

interface From extends CoreServices {
  secrets: Pick<Secrets, 'jwtSecret'>;
  egress: Egress;
  violations: Violations;
  endpoints: Endpoints;
  /** The real one when absent. */
  extractor?: Extractor;
  owner: string;
  timings: Timings;
  onFault: (error: unknown) => void;
}

export interface FileServices {
  /** Where the bytes of files are. */
  stores: FileStores;
  socialAvatars: SocialAvatars;
  uploads: UploadLimits;
  /** The index of the text of files. */
  retrieval: Retrieval;
  readPdf: PdfReader;
  /** Reads a user's file of at most `maxBytes`; null when it is gone or larger. */
  readFile: (userId: string, fileId: string, maxBytes: number) => ReturnType<typeof readFileBytes>;
}

export function openFiles(from: From): FileServices {
  const { db, config, log, egress, violations, onFault, extractor = createExtractor() } = from;
  const stores = createStores(config);
  return {
    stores,
    socialAvatars: createSocialAvatars({ db, stores, config, log, egress, onFault }),
    uploads: createUploadLimits({ db, limits: config.limits, violations }),
    retrieval: createRetrieval({ ...from, stores, extractor }),
    readPdf: createPdfReader(config, extractor),
    readFile: (userId, fileId, maxBytes) => readFileBytes({ db, stores }, userId, fileId, maxBytes),
  };
}
