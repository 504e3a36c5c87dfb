// A site to sign in by is one file with one definition, a line in the list of sites, a row with its name, and its
// variables in the example.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineSite } from '@parley/server/auth/oauth/define-site';
import { SITES } from '@parley/server/auth/oauth/sites/sites';
import { text } from '@parley/server/config/env/env-readers';
import { describe, expect, it } from 'vitest';

const HOME = 'https://parley.example';

const guild = defineSite({
  name: 'github',
  env: { GITHUB_OAUTH_URL: text, GITHUB_GUILD: text },
  protocol: ({ env: { GITHUB_GUILD: guildName }, at, realm }) =>
    guildName === undefined
      ? null
      : {
          realm,
          authorizeURL: at('https://guild.example/enter?as=guest'),
          tokenURL: at('https://guild.example/token'),
          scopes: [guildName],
          takesChallenge: true,
          auth: 'basic',
          whoIs: () => Promise.reject(new Error('Nobody signs in')),
        },
});
const client = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };

describe('a site that is defined', () => {
  it('has its own variables beside those of its client', () => {
    expect(Object.keys(guild.env).toSorted()).toEqual([
      'GITHUB_CALLBACK_URL',
      'GITHUB_CLIENT_ID',
      'GITHUB_CLIENT_SECRET',
      'GITHUB_GUILD',
      'GITHUB_OAUTH_URL',
    ]);
  });

  it('is there where they are set', () => {
    expect(guild.configure({ ...client, GITHUB_GUILD: 'bakers' }, HOME)).toMatchObject({
      name: 'github',
      client: { clientId: 'id', clientSecret: 'secret', redirectURI: `${HOME}/oauth/github/callback` },
      protocol: { realm: 'github', tokenURL: 'https://guild.example/token', scopes: ['bakers'] },
    });
    expect(guild.configure({ GITHUB_GUILD: 'bakers', GITHUB_CLIENT_ID: 'id' }, HOME)).toBeNull();
    expect(guild.configure(client, HOME)).toBeNull();
  });

  it('is asked at the gateway of the operator, where its subjects are others', () => {
    const env = { ...client, GITHUB_GUILD: 'bakers', GITHUB_OAUTH_URL: 'https://gate.example/guild/' };
    const protocol = { realm: 'https://gate.example/guild', tokenURL: 'https://gate.example/guild/token' };
    expect(guild.configure(env, HOME)).toMatchObject({ protocol });
  });
});

const root = join(import.meta.dirname, '../../..');
// Elsewhere such words name endpoints, plugins and logos.
const folders = ['server/src/auth', 'server/src/config', 'web/src/auth'];
const product = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .concat('schema/src/catalog/sign-in-sites.ts', 'schema/src/catalog/startup.ts')
  .concat('web/src/locales/en-US/auth.json', '.env.example');

it.each(SITES.map((site) => [site.name, site] as const))('four files name the site %s', (name, { env }) => {
  const variables = Object.keys(env);
  // `openid` is a scope of Google, too.
  const word = name === 'openid' ? [`name: '${name}'`] : [`'${name}'`];
  const keys = variables.map((key) => `${key}:`);
  const marks = [...word, ...keys, `from './${name}.ts'`, 'SIGN_IN_SITES = {', `${name}Login`, `com_auth_${name}`];
  const naming = product.filter((file) => {
    const written = readFileSync(join(root, file), 'utf8');
    const isExample = file === '.env.example' && variables.every((key) => written.includes(`${key}=`));
    return isExample || marks.some((mark) => written.includes(mark));
  });
  expect(naming.toSorted()).toEqual([
    '.env.example',
    'schema/src/catalog/sign-in-sites.ts',
    `server/src/auth/oauth/sites/${name}.ts`,
    'server/src/auth/oauth/sites/sites.ts',
  ]);
});
