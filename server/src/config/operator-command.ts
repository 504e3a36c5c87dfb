import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the folder this process runs in is a checkout, and not an image that has only what is built. */
export function isCheckout(): boolean {
  return existsSync(join(process.cwd(), 'scripts/install.mjs'));
}

/** How an operator runs one of the commands beside the server from this folder. */
export function operatorCommand(name: string, args = ''): string {
  const rest = isCheckout() ? args && ` -- ${args}` : args && ` ${args}`;
  return `${isCheckout() ? 'npm run' : 'node server/dist/commands.js'} ${name}${rest}`;
}
