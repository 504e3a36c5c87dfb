import * as z from 'zod';
import type { Api } from '../../router.ts';
import { Text, type Fields } from './shapes.ts';

type Config = NonNullable<Awaited<ReturnType<Api['files']['config']>>>;
type OfEndpoint = NonNullable<Config['endpoints']>[string];

const Amount = z.number().optional();

const OfEndpoint = z.object({
  disabled: z.boolean().optional(),
  fileLimit: Amount,
  fileSizeLimit: Amount,
  totalSizeLimit: Amount,
  supportedMimeTypes: z.array(Text).readonly().optional(),
} satisfies Fields<OfEndpoint>);

/** The limits of files that the operator has set, sizes in MB. */
export const FileConfig = z
  .object({
    endpoints: z.record(Text, OfEndpoint).optional(),
    serverFileSizeLimit: Amount,
    avatarSizeLimit: Amount,
  } satisfies Fields<Config>)
  .meta({ id: 'FileConfig' });
