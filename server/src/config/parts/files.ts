import { MEGABYTE } from '@parley/schema/files/file-limits';
import type { StoreSource } from '@parley/schema/files/stored-file';
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

export type FilesConfig = {
  strategy: StoreSource;
  /** The format that uploaded images are converted to. */
  imageOutputType: 'png' | 'webp' | 'jpeg';
  /** As written in the file, sizes in MB; undefined when absent. */
  limits: Yaml['fileConfig'];
  /** How much each user may store. */
  quotaBytes: number;
  /** The command that scans uploads, and whether files are taken when it fails; undefined without one. */
  scan: { command: readonly string[]; failsOpen: boolean } | undefined;
};

export function filesConfig(env: Env, yaml: Yaml): FilesConfig {
  return {
    strategy: yaml.fileStrategy ?? 'local',
    imageOutputType: yaml.imageOutputType ?? 'png',
    limits: yaml.fileConfig,
    quotaBytes: (env.FILES_MAX_MB_PER_USER ?? 5120) * MEGABYTE,
    scan: env.FILES_SCAN_COMMAND
      ? { command: env.FILES_SCAN_COMMAND.split(/\s+/), failsOpen: env.FILES_SCAN_FAIL_OPEN ?? false }
      : undefined,
  };
}
