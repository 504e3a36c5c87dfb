import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_ROOT } from './product-root.ts';

/** Whether the server runs from a checkout, and not from an image that has only what is built. */
export const isCheckout = existsSync(join(PRODUCT_ROOT, 'scripts/install.mjs'));

/** How an operator runs one of the commands beside the server, in the folder of the product. */
export function operatorCommand(name: string, args = '', byNpm = isCheckout): string {
  const rest = byNpm ? args && ` -- ${args}` : args && ` ${args}`;
  return `${byNpm ? 'npm run' : 'node server/dist/commands.js'} ${name}${rest}`;
}
