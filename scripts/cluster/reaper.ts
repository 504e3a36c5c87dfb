// The program that ends a cluster when its command has ended, however that came: its input is a pipe from the command.
//   node --import tsx scripts/cluster/reaper.ts <folder> [keep]
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { killIn } from './part.ts';

const [folder = '', keep] = process.argv.slice(2);

process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
// Who reads the logs is in the folder itself, where no part works.
const parts = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
await Promise.all(parts.map(({ name }) => killIn(join(folder, name))));
if (keep === undefined) rmSync(folder, { recursive: true, force: true });
