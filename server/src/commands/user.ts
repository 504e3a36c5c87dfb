// `npm run user -- <what> <email> …`: what administrators do with people in the app, for scripts and containers. Each
// change is in the log of events, without an administrator.
import { text } from 'node:stream/consumers';
import type { Db } from '@parley/db/client';
import { Email } from '@parley/schema/accounts/users';
import { CreatePerson, type PersonRow } from '@parley/schema/accounts/people';
import pino from 'pino';
import type * as z from 'zod';
import { addMember, removeMember, type Memory } from '../admin/groups/change-members.ts';
import { listGroups, listMembers } from '../admin/groups/list-groups.ts';
import { createPerson, invite, type Registrar } from '../admin/people/add-people.ts';
import {
  disable,
  enable,
  endSessions,
  joinDirectory,
  makeResetLink,
  removePerson,
  resetFactors,
  setRole,
} from '../admin/people/change-person.ts';
import { listPeople } from '../admin/people/list-people.ts';
import { isCommonPassword, TOO_COMMON } from '../auth/password/common-passwords.ts';
import { findUserByEmail } from '../auth/users.ts';
import { loadConfig } from '../load-config.ts';
import { operatorCommand } from '../config/operator-command.ts';
import { Refusal } from '../platform/errors.ts';
import { NO_OPERATOR, type Operator } from '../config/operator.ts';
import { createMail } from '../platform/mail.ts';
import { reasonText } from '../platform/reasons.ts';
import type { Command } from './run-command.ts';
import { nameDatabase, withDatabase } from './with-database.ts';

interface Given {
  /** What stands after the word, without the options. */
  args: string[];
  /** `--admin`, `--days 3`: their names without the dashes. */
  options: Map<string, string>;
}

interface Action {
  usage: string;
  run: (office: Registrar & { operator: Operator }, given: Given) => Promise<string>;
}

const LISTED_MAX = 1_000;
const INVITATION_DAYS = 7;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { usage: '[words]', run: list },
  add: { usage: '<email> <name> [--admin] [--password-stdin]', run: add },
  invite: { usage: '[email] [--admin] [--days <days>]', run: inviteSomebody },
  disable: {
    usage: '<email>',
    run: (office, given) => changing(office, given, disable, 'is disabled and signed out everywhere'),
  },
  enable: { usage: '<email>', run: (office, given) => changing(office, given, enable, 'may sign in') },
  approve: { usage: '<email>', run: (office, given) => changing(office, given, enable, 'may sign in') },
  role: { usage: '<email> <admin|user>', run: giveRole },
  'reset-link': { usage: '<email>', run: resetLink },
  'end-sessions': {
    usage: '<email>',
    run: (office, given) => changing(office, given, endSessions, 'is signed out everywhere'),
  },
  'reset-factors': {
    usage: '<email>',
    run: (office, given) => changing(office, given, resetFactors, 'signs in with the password alone'),
  },
  groups: { usage: '<list|add|remove> [group] [email]', run: changeGroups },
  'join-directory': {
    usage: '<email> <id>',
    run: (office, given) =>
      changing(
        office,
        given,
        (on, userId) => joinDirectory(on, userId, given.args[1] ?? ''),
        'signs in by the directory',
      ),
  },
  remove: { usage: '<email> [--can-return]', run: remove },
};

const UNKNOWN_OUTCOME = 'Look whether it is done before you run it again.';

export const userCommand: Command = {
  args: '<what> …',
  help: `Does with people what administrators do in the app:\n${usages()}`,
  whenStopped: UNKNOWN_OUTCOME,
  run: manageUsers,
};

export const resetLinkCommand: Command = {
  args: '<email>',
  help: 'Makes a link for a person who has forgotten the password.',
  whenStopped: UNKNOWN_OUTCOME,
  run: (args, migrations, operator) => manageUsers(['reset-link', ...args], migrations, operator),
};

/** @throws Error with one sentence */
export async function manageUsers(
  [what = '', ...rest]: string[],
  migrations: string,
  operator: Operator = NO_OPERATOR,
): Promise<string> {
  const action = Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined;
  if (!action) throw new Error(`What? Usage:\n${usages()}`);
  const given = parse(rest);
  const needed = action.usage.match(/(^|\s)</g)?.length ?? 0;
  if (given.args.length < needed) throw new Error(`Usage: ${usageOf(what)}`);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const mail = createMail(config, pino({ level: 'silent' }));
  const act = async (db: Db) => {
    operator.show(null, mail ? `${nameDatabase(config)}, or the mail server` : nameDatabase(config));
    try {
      return await action.run({ db, config, mail, actor: null, operator }, given);
    } catch (error) {
      throw error instanceof Refusal ? new Error(reasonText(error.reason), { cause: error }) : error;
    } finally {
      await mail?.close();
    }
  };
  return withDatabase(config, migrations, act, operator);
}

async function list({ db, config }: Registrar, { args }: Given): Promise<string> {
  const people: PersonRow[] = [];
  let after: string | undefined;
  do {
    const page = await listPeople(db, { query: args.join(' '), cursor: after }, config.startup.checkBalance);
    people.push(...page.people);
    after = page.next ?? undefined;
  } while (after !== undefined && people.length < LISTED_MAX);
  const lines = people.map(({ email, name, role, state, deletionDueAt, lastSeenAt, balance }) =>
    [email, name, role, deletionDueAt ? 'deleted soon' : state, lastSeenAt ?? 'signed in nowhere', balance]
      .filter((column) => column !== undefined)
      .join('\t'),
  );
  if (lines.length === 0) return 'Nobody is found.';
  return [...lines, ...(after === undefined ? [] : ['There are more: search for words of a name or address.'])].join(
    '\n',
  );
}

async function add(
  { operator, ...office }: Registrar & { operator: Operator },
  { args: [email, ...names], options }: Given,
): Promise<string> {
  const password = options.has('password-stdin') ? await readPassword(operator) : undefined;
  if (password !== undefined && isCommonPassword(password)) throw new Error(`${TOO_COMMON}.`);
  const form = CreatePerson.omit({ role: true });
  const input = parsed(form, { email, name: names.join(' '), ...(password !== undefined && { password }) });
  const made = await createPerson(office, { ...input, ...(options.has('admin') && { role: 'ADMIN' }) });
  if (made.link === null) return `${input.email} has an account.`;
  return `${input.email} has an account. The link to choose a password is good once, within ${made.minutes} minutes:\n${made.link}`;
}

async function readPassword({ show }: Operator): Promise<string> {
  show(null, 'the password on the standard input');
  const password = await text(process.stdin);
  show(null, 'the database');
  return password.replace(/\r?\n$/, '');
}

async function inviteSomebody(office: Registrar, { args: [email], options }: Given): Promise<string> {
  const days = Number(options.get('days') ?? INVITATION_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > 90) throw new Error('The days must be a number from 1 to 90.');
  const { link, isMailed } = await invite(office, {
    email: email === undefined ? null : parsed(Email, email),
    role: options.has('admin') ? 'ADMIN' : 'USER',
    expiresInDays: days,
  });
  const forWhom = email === undefined ? 'Anyone with it' : email;
  return `${forWhom} can register by this link, once within ${days} day(s)${isMailed ? '; it is mailed to them' : ''}:\n${link}`;
}

async function giveRole(office: Registrar, given: Given): Promise<string> {
  const role = given.args[1]?.toUpperCase();
  if (role !== 'ADMIN' && role !== 'USER') throw new Error('The role is admin or user.');
  const become = role === 'ADMIN' ? 'is an administrator' : 'is no administrator';
  return changing(office, given, (on, userId) => setRole(on, userId, role), become);
}

/** Other processes hear of a change, and this one ends. */
const NO_MEMORY: Memory = { access: { forget: () => undefined }, budgets: { reload: () => Promise.resolve() } };

async function changeGroups(office: Registrar, { args: [what, name, email] }: Given): Promise<string> {
  const { db, actor } = office;
  const groups = await listGroups(db);
  if (what === 'list' && name === undefined)
    return groups.map(({ name: known, members }) => `${known}\t${members}`).join('\n') || 'There are no groups.';
  const group = groups.find((one) => one.name.toLowerCase() === name?.toLowerCase());
  if (!group) throw new Error(`There is no group named ${name ?? ''}.`);
  if (what === 'list') return membersOf(db, group.id);
  if (email === undefined) throw new Error(`Usage: ${usageOf('groups')}`);
  const member = { groupId: group.id, userId: await idOf(office, email) };
  if (what === 'add') await addMember({ db, ...NO_MEMORY }, actor, member);
  else if (what === 'remove') await removeMember({ db, ...NO_MEMORY }, actor, member);
  else throw new Error(`Usage: ${usageOf('groups')}`);
  return `${email} is ${what === 'add' ? 'in' : 'not in'} the group ${group.name}.`;
}

async function membersOf(db: Registrar['db'], groupId: string): Promise<string> {
  const lines: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listMembers>> = await listMembers(db, { groupId, cursor });
    lines.push(...page.members.map(({ email, name }) => `${email}\t${name}`));
    cursor = page.next;
  } while (cursor !== null);
  return lines.join('\n') || 'Nobody is in it.';
}

async function resetLink(office: Registrar, { args: [email = ''] }: Given): Promise<string> {
  if (!office.config.startup.emailLoginEnabled)
    throw new Error('ALLOW_EMAIL_LOGIN is false: a link would lead nowhere.');
  const { link, minutes } = await makeResetLink(office, await idOf(office, email));
  return `For ${email}, good once within ${minutes} minutes:\n${link}`;
}

async function remove(office: Registrar, { args: [email = ''], options }: Given): Promise<string> {
  const dueAt = await removePerson(office, await idOf(office, email), options.has('can-return'));
  return `${email} is signed out everywhere, and is deleted on ${dueAt}. Until then "enable" takes it back.`;
}

async function changing(
  office: Registrar,
  { args: [email = ''] }: Given,
  change: (office: Registrar, userId: string) => Promise<unknown>,
  outcome: string,
): Promise<string> {
  await change(office, await idOf(office, email));
  return `${email} ${outcome}.`;
}

async function idOf({ db }: Registrar, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new Error(`Nobody has an account with the e-mail address ${email}.`);
  return user.id;
}

function parse(words: string[]): Given {
  const args: string[] = [];
  const options = new Map<string, string>();
  for (let n = 0; n < words.length; n += 1) {
    const word = words[n] ?? '';
    if (!word.startsWith('--')) args.push(word);
    else if (word === '--days') options.set('days', words[(n += 1)] ?? '');
    else options.set(word.slice(2), '');
  }
  const unknown = [...options.keys()].find((name) => !['admin', 'password-stdin', 'days', 'can-return'].includes(name));
  if (unknown !== undefined) throw new Error(`There is no option --${unknown}.`);
  return { args, options };
}

/** @throws Error with the first thing that is wrong */
function parsed<Form extends z.ZodType>(form: Form, input: unknown): z.output<Form> {
  const result = form.safeParse(input);
  if (result.success) return result.data;
  throw new Error(`${result.error.issues[0]?.message ?? 'This is not valid'}.`);
}

function usages(): string {
  return Object.keys(ACTIONS).map(usageOf).join('\n');
}

function usageOf(what: string): string {
  return operatorCommand('user', `${what} ${ACTIONS[what]?.usage ?? ''}`.trimEnd());
}
