import { execFileSync } from 'node:child_process';
import { root } from '@parley/scripts/build-stamps';
import { expect, it } from 'vitest';

interface Sbom {
  bomFormat: string;
  components: { name: string; version: string }[];
}

it('the list of parts has what a build contains with its versions, and no tools of development', () => {
  const written = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  const { bomFormat, components } = JSON.parse(written) as Sbom;
  const versions = new Map(components.map(({ name, version }) => [name, version]));
  expect(bomFormat).toBe('CycloneDX');
  for (const name of ['hono', 'postgres', 'react', 'pdfjs-dist']) expect(versions.get(name)).toMatch(/^\d+\.\d+\.\d+/);
  for (const name of ['vitest', 'oxlint']) expect(versions.has(name)).toBe(false);
});
