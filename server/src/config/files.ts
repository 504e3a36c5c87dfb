import type { Yaml } from './yaml-schema.ts';

export type FilesConfig = {
  strategy: 'local' | 'firebase';
  /** What uploaded images become. */
  imageOutputType: 'png' | 'webp' | 'jpeg';
  /** Images are for their owner's signed-in browser only. */
  secureImageLinks: boolean;
  /** As written, sizes in MB; undefined when the file has no such part. */
  limits: Yaml['fileConfig'];
};

export function filesConfig(yaml: Yaml): FilesConfig {
  return {
    strategy: yaml.fileStrategy ?? 'local',
    imageOutputType: yaml.imageOutputType ?? 'png',
    secureImageLinks: yaml.secureImageLinks ?? false,
    limits: yaml.fileConfig,
  };
}
