import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operatorCommand } from '../../../server/src/config/operator-command.ts';

test('an operator reads how a command runs in a checkout, and how in an image', async () => {
  expect(operatorCommand('user', 'list')).toBe('npm run user -- list');
  expect(operatorCommand('python-packages')).toBe('npm run python-packages');
  const image = await mkdtemp(join(tmpdir(), 'parley-image-'));
  const elsewhere = vi.spyOn(process, 'cwd').mockReturnValue(image);
  onTestFinished(async () => {
    elsewhere.mockRestore();
    await rm(image, { recursive: true });
  });
  expect(operatorCommand('user', 'list')).toBe('node server/dist/commands.js user list');
  expect(operatorCommand('python-packages')).toBe('node server/dist/commands.js python-packages');
});
