// What an operator runs beside the server: `npm run <command>`, or `node server/dist/commands.js <command>` in an image.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asksForHelp, describeCommand, isProgram, runCommand, type Command } from './commands/run-command.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  'add-balance': async () => (await import('./commands/add-balance.ts')).addBalanceCommand,
  user: async () => (await import('./commands/user.ts')).userCommand,
  'reset-link': async () => (await import('./commands/user.ts')).resetLinkCommand,
  'import-librechat': async () => (await import('./commands/import-librechat.ts')).importCommand,
  'python-packages': async () => (await import('./commands/python-packages.ts')).packagesCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
};

const self = fileURLToPath(import.meta.url);
if (isProgram(self)) {
  const [name = '', ...args] = process.argv.slice(2);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) await runCommand(name, await load(), args, join(self, '../../../db/migrations'));
  else if (asksForHelp([name])) console.log(await describeAll());
  else {
    console.error(`There is no command "${name}", only: ${Object.keys(COMMANDS).join(', ')}.`);
    process.exitCode = 1;
  }
}

async function describeAll(): Promise<string> {
  const all = Object.entries(COMMANDS).map(async ([name, load]) => describeCommand(name, await load()));
  return (await Promise.all(all)).join('\n\n');
}
