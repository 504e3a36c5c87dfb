// What an operator runs beside the server: `npm run <command>`, or `node server/dist/commands.js <command>` in an image.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @throws Error with one sentence */
type Command = (args: string[], migrations: string) => Promise<string>;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  'add-balance': async () => (await import('./commands/add-balance.ts')).addBalance,
  user: async () => (await import('./commands/user.ts')).manageUsers,
  'reset-link': async () => {
    const { manageUsers } = await import('./commands/user.ts');
    return (args, migrations) => manageUsers(['reset-link', ...args], migrations);
  },
  'import-librechat': async () => (await import('./commands/import-librechat.ts')).importLibreChat,
  'python-packages': async () => (await import('./commands/python-packages.ts')).fetchPythonPackages,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = '', ...args] = process.argv.slice(2);
  try {
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load) throw new Error(`There is no command "${name}", only: ${Object.keys(COMMANDS).join(', ')}.`);
    const run = await load();
    console.log(await run(args, join(fileURLToPath(import.meta.url), '../../../db/migrations')));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
