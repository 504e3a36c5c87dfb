import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the product: this module is in server/src, or bundled somewhere in server/dist. */
export const PRODUCT_ROOT = fileURLToPath(import.meta.url).replace(/[\\/]server[\\/](?:dist|src)[\\/].*$/, '');

export const MIGRATIONS = join(PRODUCT_ROOT, 'db/migrations');
