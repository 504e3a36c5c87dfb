// E-mails about accounts. Anybody can register with somebody else's address, so user-chosen text must never look like
// more than a name.
import { DELETION_DAYS } from '@parley/schema/accounts/deletion-days';
import type { Email } from '../platform/mail.ts';
import { CONFIRM_HOURS } from './factors/sign-in-tickets.ts';
import { RESET_MINUTES } from './reset/reset-links.ts';

interface Addressee {
  email: string;
  name: string;
}

type Paragraph = string | { label: string; link: string };

export function resetEmail(title: string, user: Addressee, link: string): Email {
  return email(user, `Reset your password for ${title}`, [
    `Someone, most likely you, asked for a new password for your account at ${title}. Choose it here within ${RESET_MINUTES} minutes:`,
    { label: 'Choose a new password', link },
    "If it wasn't you, you can ignore this email: your password stays as it is.",
  ]);
}

export function confirmationEmail(title: string, user: Addressee, link: string): Email {
  return email(user, `Confirm your address for ${title}`, [
    `Someone, most likely you, created an account at ${title} with this address. Confirm within ${CONFIRM_HOURS} hours that it is yours, then sign in:`,
    { label: 'Confirm the address', link },
    "If it wasn't you, you can ignore this email: nobody can sign in to that account.",
  ]);
}

export function passwordChangedEmail(title: string, user: Addressee): Email {
  return email(user, `Your password for ${title} was changed`, [
    `The password of your account at ${title} was just changed, and everyone else who was signed in to it has been signed out.`,
    "If it wasn't you, ask for a new password with “Forgot password?” on the sign-in page.",
  ]);
}

/** What has happened to two-step sign-in, or to one of several ways of its second step. */
const FACTOR_CHANGES = {
  on: [
    'Two-step sign-in for {0} is on',
    'Signing in to your account at {0} now also asks for a code from your authenticator app, or for a passkey.',
  ],
  off: ['Two-step sign-in for {0} is off', 'Signing in to your account at {0} asks only for your password again.'],
  added: [
    'A new way to sign in to {0}',
    'An authenticator app or a passkey was added to your account at {0}. It can be used to sign in.',
  ],
  removed: [
    'A way to sign in to {0} was removed',
    'An authenticator app or a passkey was removed from your account at {0}. It can no longer be used to sign in.',
  ],
} as const;

export function secondFactorEmail(title: string, user: Addressee, change: keyof typeof FACTOR_CHANGES): Email {
  const [subject, sentence] = FACTOR_CHANGES[change];
  return email(
    user,
    subject.replace('{0}', () => title),
    [
      sentence.replace('{0}', () => title),
      "If it wasn't you, change your password and sign out everywhere else in the settings.",
    ],
  );
}

export function deletionEmail(title: string, user: Addressee): Email {
  return email(user, `Your account at ${title} will be deleted`, [
    `Your account at ${title} and everything in it will be deleted in ${DELETION_DAYS} days, as you just asked. It has been signed out everywhere.`,
    "To keep it, sign in before then. If it wasn't you who asked, choose a new password as well.",
  ]);
}

export function waitingEmail(title: string, user: Addressee, link: string): Email {
  return email(user, `A new account at ${title} is waiting for approval`, [
    `Someone registered at ${title} and is waiting for an administrator's approval:`,
    { label: 'Review the request', link },
    'You get this email at most once an hour, no matter how many people are waiting.',
  ]);
}

/** What has become of a schedule's answer. */
const RUNS = {
  ready: 'A schedule of yours has run. Its answer is here:',
  waiting: 'A schedule of yours has run. Its answer waits for your decision:',
  failed: 'A schedule of yours has run, but its answer failed:',
} as const;

interface ScheduleRun {
  link: string;
  kind: keyof typeof RUNS;
  /** Its title; null where notices don't name chats. */
  schedule: string | null;
}

export function scheduleRunEmail(title: string, user: Addressee, { link, kind, schedule }: ScheduleRun): Email {
  return email(user, schedule === null ? `A schedule has run at ${title}` : `A schedule has run: ${schedule}`, [
    RUNS[kind],
    { label: 'Open the chat', link },
    'You get this email because you chose so under Settings > Notices.',
  ]);
}

interface Invitation {
  email: string;
  link: string;
  days: number;
}

export function invitationEmail(title: string, { email: to, link, days }: Invitation): Email {
  return email({ email: to, name: '' }, `You're invited to ${title}`, [
    `An administrator of ${title} has invited you to create an account. The link works once, within ${days} day${days === 1 ? '' : 's'}:`,
    { label: 'Create an account', link },
    "If you weren't expecting this, you can ignore it.",
  ]);
}

function email({ email, name }: Addressee, subject: string, said: Paragraph[]): Email {
  const paragraphs = [greetingOf(name), ...said];
  return { to: email, subject: oneLine(subject), text: textOf(paragraphs), html: htmlOf(paragraphs) };
}

/** Leaves out a name that a mail program could turn into a link. */
function greetingOf(name: string): string {
  return name === '' || /[/:@]|\S\.\S/.test(name) ? 'Hello,' : `Hello ${oneLine(name)},`;
}

function textOf(paragraphs: Paragraph[]): string {
  return paragraphs.map((said) => (typeof said === 'string' ? said : said.link)).join('\n\n') + '\n';
}

function htmlOf(paragraphs: Paragraph[]): string {
  const body = paragraphs.map((said) => `<p>${typeof said === 'string' ? escaped(said) : anchorOf(said)}</p>`);
  return `<!doctype html><html lang="en"><body>${body.join('')}</body></html>`;
}

/** Prints the full URL below the link, for readers who distrust link labels. */
function anchorOf({ label, link }: Exclude<Paragraph, string>): string {
  return `<a href="${escaped(link)}">${escaped(label)}</a><br>${escaped(link)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
