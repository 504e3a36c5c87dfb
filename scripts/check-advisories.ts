// `npm run check-advisories [-- sbom.json]`: which parts of this checkout, or of an image's list, have published
// vulnerabilities, and whether the time in which SECURITY.md promises to take the fix is over. Asks OSV.dev, so CI runs it
// by night and `npm test` does not.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './build-stamps.mjs';

const OSV = process.env.OSV_URL ?? 'https://api.osv.dev';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Days to take a fix, by severity: the times of SECURITY.md. */
const DAYS: Readonly<Record<string, number>> = { CRITICAL: 7, HIGH: 30 };
const DAYS_OTHERWISE = 90;

interface Part {
  name: string;
  version: string;
  purl: string;
}

/** The fields used of an advisory in OSV's schema. */
interface Advisory {
  id: string;
  summary?: string;
  published: string;
  database_specific?: { severity?: string };
  affected?: { package?: { name?: string }; ranges?: { events?: { fixed?: string }[] }[] }[];
}

const parts = readParts(process.argv[2]);
const found = await findAdvisories(parts);
const overdue = found.filter(({ isOverdue }) => isOverdue);
for (const { line } of found) console.log(line);
console.log(`${parts.length} parts, ${found.length} advisories, ${overdue.length} overdue.`);
process.exitCode = overdue.length > 0 ? 1 : 0;

function readParts(file: string | undefined): Part[] {
  const { components } = JSON.parse(file ? readFileSync(file, 'utf8') : writeList()) as { components: Partial<Part>[] };
  return components.filter((part): part is Part => part.purl !== undefined && part.version !== undefined);
}

function writeList(): string {
  return execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
}

async function findAdvisories(asked: readonly Part[]): Promise<{ line: string; isOverdue: boolean }[]> {
  const queries = asked.map(({ purl }) => ({ package: { purl } }));
  const { results } = await ask<{ results: { vulns?: { id: string }[] }[] }>('/v1/querybatch', { queries });
  const affected = asked.flatMap((part, place) => (results[place]?.vulns ?? []).map(({ id }) => ({ part, id })));
  return Promise.all(
    affected.map(async ({ part, id }) => judge(part, await ask<Advisory>(`/v1/vulns/${encodeURIComponent(id)}`))),
  );
}

/** An advisory without a fix has no time: it is listed. */
function judge(part: Part, advisory: Advisory): { line: string; isOverdue: boolean } {
  const severity = advisory.database_specific?.severity ?? 'UNKNOWN';
  const ranges = advisory.affected?.filter((one) => one.package?.name === part.name).flatMap((one) => one.ranges ?? []);
  const fixes = ranges?.flatMap(({ events }) => events ?? []).flatMap(({ fixed }) => fixed ?? []) ?? [];
  const days = DAYS[severity] ?? DAYS_OTHERWISE;
  const isOverdue = fixes.length > 0 && Date.now() > Date.parse(advisory.published) + days * DAY_MS;
  const what = `${part.name} ${part.version}: ${advisory.id} (${severity}), published ${advisory.published.slice(0, 10)}`;
  const then = fixes.length > 0 ? `fixed in ${fixes.join(', ')}, to be taken within ${days} days` : 'no fix yet';
  return { line: `${isOverdue ? '✗' : '·'} ${what}, ${then}. ${advisory.summary ?? ''}`, isOverdue };
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(`${OSV}${path}`, init);
  if (!response.ok) throw new Error(`${OSV}${path} answered ${response.status}.`);
  return (await response.json()) as T;
}
