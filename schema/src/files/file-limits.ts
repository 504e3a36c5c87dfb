// What may be attached on an endpoint. The browser checks before it uploads, the server while it receives.
import { isTextType, SUPPORTED_TYPES } from './file-types.ts';

export const MEGABYTE = 1_048_576;

/** The limits as the operator writes them: sizes in megabytes. */
export interface FilesYaml {
  endpoints?: Record<string, EndpointFilesYaml> | undefined;
  serverFileSizeLimit?: number | undefined;
  avatarSizeLimit?: number | undefined;
}

export interface EndpointFilesYaml {
  disabled?: boolean | undefined;
  fileLimit?: number | undefined;
  fileSizeLimit?: number | undefined;
  totalSizeLimit?: number | undefined;
  supportedMimeTypes?: readonly string[] | undefined;
}

/** Sizes in bytes. */
export interface FileLimits {
  isDisabled: boolean;
  /** Files of one message. */
  files: number;
  fileBytes: number;
  totalBytes: number;
  /** Whether files of this type are accepted. */
  accepts(mime: string): boolean;
}

/** Existing clients have built-in limits under this name, beside those for every other endpoint (`default`). */
const WITHOUT_DEFAULT = 'assistants';

/** The limits of an endpoint: its own, for what it does not say those of `default`, else the built-in ones. */
export function fileLimitsOf(endpoint: string, yaml: FilesYaml | null | undefined): FileLimits {
  const others = endpoint === WITHOUT_DEFAULT ? {} : yaml?.endpoints?.default;
  const own = { ...others, ...definedOnly(yaml?.endpoints?.[endpoint]) };
  if (own.disabled) return { isDisabled: true, files: 0, fileBytes: 0, totalBytes: 0, accepts: () => false };
  const { fileLimit = 10, fileSizeLimit = 512, totalSizeLimit = 512, supportedMimeTypes } = own;
  const patterns = supportedMimeTypes?.map((pattern) => new RegExp(pattern));
  return {
    isDisabled: false,
    files: fileLimit,
    fileBytes: Math.min(fileSizeLimit, serverLimit(yaml)) * MEGABYTE,
    totalBytes: totalSizeLimit * MEGABYTE,
    accepts: (mime) =>
      patterns ? patterns.some((pattern) => pattern.test(mime)) : isTextType(mime) || SUPPORTED_TYPES.includes(mime),
  };
}

/** The largest avatar, in bytes. */
export function avatarBytesMax(yaml: FilesYaml | null | undefined): number {
  return (yaml?.avatarSizeLimit ?? 2) * MEGABYTE;
}

/** The largest file of any endpoint, in megabytes. */
function serverLimit(yaml: FilesYaml | null | undefined): number {
  return yaml?.serverFileSizeLimit ?? 512;
}

function definedOnly(yaml: EndpointFilesYaml = {}): EndpointFilesYaml {
  return Object.fromEntries(Object.entries(yaml).filter(([, value]) => value !== undefined));
}
