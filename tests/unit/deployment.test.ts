// Files that only container tools, npm and GitHub read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { haproxyConfig } from '@parley/scripts/cluster/haproxy';
import { VERSION } from '@parley/schema/catalog/startup';
import { parseEnv, NAMES } from '@parley/server/config/env/env';
import { serverConfig } from '@parley/server/config/parts/server';
import { SITES } from '@parley/server/auth/oauth/sites/sites';
import { STORES } from '@parley/server/files/stores/stores';
import { joinEnvRows } from '@parley/server/providers/endpoints-config';
import { PROVIDERS } from '@parley/server/providers/providers';
import { RECONNECT_WITHIN_MS } from '@parley/server/shutdown';
import { describe, expect, it } from 'vitest';
import { minVersion, satisfies } from 'semver';
import { parse, parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).map((name) => `.github/ISSUE_TEMPLATE/${name}`);

it('compose.yaml has its data and its port where the image has them', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const dockerfile = read('Dockerfile');
  expect(services.parley.volumes).toEqual([`data:${/^VOLUME (\S+)$/m.exec(dockerfile)?.[1]}`]);
  const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1];
  expect(services.parley.ports).toEqual([`${port}:${port}`]);
  expect(services.parley.profiles).toBeUndefined();
  expect(Object.keys(volumes)).toEqual(['data', 'postgres', 'bucket']);
});

it('the bucket of compose.yaml is the one that docs/operate.md sets up, with the same keys', () => {
  const { bucket } = parse(read('compose.yaml')).services;
  const settings = new Map(
    [...read('docs/operate.md').matchAll(/^(S3_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(bucket).toMatchObject({ profiles: ['bucket'], image: expect.stringMatching(/:v\d+\.\d+\.\d+$/) });
  const [root] = bucket.command.slice(-1);
  expect(bucket.volumes).toEqual([`bucket:${root}/${settings.get('S3_BUCKET')}`]);
  expect(settings.get('S3_ENDPOINT')).toMatch(/^http:\/\/bucket:\d+$/);
  const keys = Object.values<string>(bucket.environment).map((value) => /^\$\{(\w+):-\}$/.exec(value)?.[1]);
  expect(keys.filter((name) => !settings.has(name))).toEqual([]);
});

it('the image is built on the version of Node of .nvmrc, and CI tries that one and the oldest that packages accept', () => {
  const version = read('.nvmrc').trim();
  const dockerfile = read('Dockerfile');
  expect(/^ARG NODE=(.+)$/m.exec(dockerfile)?.[1]).toBe(version);
  expect(dockerfile.match(/^FROM .+$/gm)).toEqual([
    'FROM node:${NODE}-bookworm-slim AS build',
    'FROM node:${NODE}-bookworm-slim',
  ]);
  const oldest = JSON.parse(read('package.json')).engines.node.replace('>=', '');
  const { checks, ...others } = parse(read('.github/workflows/ci.yml')).jobs;
  expect(checks.strategy.matrix.node).toEqual([oldest, version]);
  for (const workflow of [others, parse(read('.github/workflows/nightly.yml')).jobs])
    expect(JSON.stringify(workflow)).not.toContain('"node-version"');
});

/** What they need of a newer Node is brought along; tests on the oldest use them. */
const OF_NEWER_NODE = ['node_modules/pdfjs-dist'];

it('each package runs on the oldest version of Node that is supported', () => {
  const { engines } = JSON.parse(read('package.json'));
  const oldest = minVersion(engines.node) ?? '';
  const { packages } = JSON.parse(read('package-lock.json'));
  const refusing = Object.entries<{ engines?: { node?: string } }>(packages)
    .filter(([, { engines: own }]) => own?.node && !satisfies(oldest, own.node))
    .map(([path]) => path);
  expect(refusing).toEqual(OF_NEWER_NODE);
});

it.each(forms)('the form %s can be read, and asks something', (form) => {
  expect(parse(read(form))).toMatchObject({
    name: expect.any(String),
    body: [{ type: 'textarea' }, ...parse(read(form)).body.slice(1)],
  });
});

it('dependencies of npm, of the image and of the workflows are updated', () => {
  const { updates } = parse(read('.github/dependabot.yml'));
  const kinds = updates.map((update: Record<string, string>) => update['package-ecosystem']);
  expect(kinds).toEqual(['npm', 'docker', 'github-actions']);
});

it('the version is the same in every workspace, the lock file and the newest section of the changelog', () => {
  const { version, workspaces } = JSON.parse(read('package.json'));
  for (const workspace of workspaces) expect(JSON.parse(read(`${workspace}/package.json`)).version).toBe(version);
  expect(JSON.parse(read('package-lock.json')).version).toBe(version);
  expect(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
  expect(VERSION).toBe(version);
});

describe('deploy/', () => {
  const settings = new Set(Object.keys({ ...NAMES, ...joinEnvRows([...PROVIDERS, ...STORES, ...SITES]) }));
  const compose = parse(read('deploy/compose/compose.cluster.yaml'), { merge: true }).services;
  const kubernetes = ['application', 'database', 'network', 'migrate'].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => document.toJS()),
  );
  const kustomization = parse(read('deploy/kubernetes/kustomization.yaml'));
  const ofKind = (kind: string) => kubernetes.find((resource) => resource.kind === kind);
  const { spec: pod } = ofKind('Deployment').spec.template;
  const [container] = pod.containers;
  const inPod = new Map<string, string>(
    container.env.map(({ name, value }: { name: string; value?: string }) => [name, value ?? '']),
  );

  it('sets only variables that Parley reads', () => {
    const literals: string[] = kustomization.configMapGenerator.flatMap(
      (map: { literals?: string[] }) => map.literals ?? [],
    );
    const inFile = [...read('deploy/compose/env.example').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    const names = [
      ...Object.keys(compose.parley.environment),
      ...inFile.filter((name) => name !== 'POSTGRES_PASSWORD'),
      ...[...inPod.keys()].filter((name) => name !== 'DATABASE_PASSWORD'),
      ...literals.map((line) => line.split('=')[0] ?? ''),
    ];
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });

  it('gives a process the time that its shutdown takes', () => {
    for (const [environment, seconds] of [
      [compose.parley.environment, Number.parseInt(compose.parley.stop_grace_period)],
      [Object.fromEntries(inPod), pod.terminationGracePeriodSeconds],
    ] as const) {
      const server = serverConfig(parseEnv({ ...environment, DATABASE_URL: 'postgres://db/parley' }), '/');
      expect(seconds * 1000).toBeGreaterThanOrEqual(server.drainMs + RECONNECT_WITHIN_MS + server.shutdownGraceMs);
    }
  });

  it('asks the paths and ports that the server has', () => {
    expect(container.readinessProbe.httpGet.path).toBe('/ready');
    expect(container.startupProbe.httpGet.path).toBe('/ready');
    expect(container.livenessProbe.httpGet.path).toBe('/health');
    const port = Number(/^EXPOSE (\d+)$/m.exec(read('Dockerfile'))?.[1]);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
    const balancer = read('deploy/compose/haproxy.cfg');
    expect(balancer).toContain('option httpchk GET /ready');
    expect(balancer).toContain(`parley ${compose.parley.deploy.replicas} parley:${port} check`);
  });

  it('balances as the cluster of the command does: to nodes that are ready, and without one to those that live', () => {
    const address = 'host:1';
    const made = haproxyConfig({ address, primary: address, replica: address }, [], [address]);
    const parts = [read('deploy/compose/haproxy.cfg'), made].map((text) =>
      (/^frontend parley\n[^]*?(?=^listen )/m.exec(text)?.[0] ?? '')
        .split('\n')
        .filter((line) => !/^ +(#|bind |server)/.test(line)),
    );
    expect(parts[0]).toEqual(parts[1]);
    expect(parts[0]).toContain('  use_backend living if { nbsrv(ready) eq 0 }');
    expect(parts[0]).toContain('  option httpchk GET /health');
    const { annotations } = ofKind('Ingress').metadata;
    const living = annotations['nginx.ingress.kubernetes.io/default-backend'];
    const service = kubernetes.find(({ kind, metadata }) => kind === 'Service' && metadata.name === living);
    expect(service.spec).toMatchObject({ publishNotReadyAddresses: true, selector: { app: 'parley' } });
  });

  it('leads past the pooler what needs a session', () => {
    const { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct } = compose.parley.environment;
    expect([pooled, direct].map((url: string) => url.split('@')[1])).toEqual([
      'pooler:6432/parley',
      'balancer:5432/parley',
    ]);
    expect(inPod.get('DATABASE_URL')).toContain(`@${ofKind('Pooler').metadata.name}:`);
    expect(inPod.get('DATABASE_DIRECT_URL')).toContain(`@${ofKind('Cluster').metadata.name}-rw:`);
    const job = ofKind('Job').spec.template.spec.containers[0];
    expect(job.args).toEqual(['node', 'server/dist/main.js', '--migrate']);
  });

  it('runs this version without rights, on a file system that nobody can write to', () => {
    expect(ofKind('Job').spec.template.spec.containers[0].image).toMatch(`:${VERSION}`);
    expect(kustomization.images[0].newTag).toBe(VERSION);
    expect(compose.parley).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  });
});
