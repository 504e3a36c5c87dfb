// What people are written about their accounts. Anybody may register under somebody else's address, so nothing that a
// person has chosen may look like more than a name.
import type { Letter } from '../mail.ts';
import { RESET_MINUTES } from './resets.ts';

interface Addressee {
  email: string;
  name: string;
}

type Paragraph = string | { label: string; link: string };

export function resetLetter(title: string, user: Addressee, link: string): Letter {
  return letter(user, `Reset your password for ${title}`, [
    `Somebody, most likely you, has asked for a new password for your account at ${title}. Choose it here, within ${RESET_MINUTES} minutes:`,
    { label: 'Choose a new password', link },
    'If it was not you, there is nothing to do: your password stays as it is.',
  ]);
}

export function passwordChangedLetter(title: string, user: Addressee): Letter {
  return letter(user, `Your password for ${title} was changed`, [
    `The password of your account at ${title} was changed just now, and everybody else who was signed in to it is signed out.`,
    'If it was not you, ask for a new password with “Forgot password?” on the sign-in page.',
  ]);
}

function letter({ email, name }: Addressee, subject: string, said: Paragraph[]): Letter {
  const paragraphs = [greetingOf(name), ...said];
  return { to: email, subject: oneLine(subject), text: textOf(paragraphs), html: htmlOf(paragraphs) };
}

/** A name in which a mail program would find a link is no name to greet by. */
function greetingOf(name: string): string {
  return /[/:@]|\S\.\S/.test(name) ? 'Hello,' : `Hello ${oneLine(name)},`;
}

function textOf(paragraphs: Paragraph[]): string {
  return paragraphs.map((said) => (typeof said === 'string' ? said : said.link)).join('\n\n') + '\n';
}

function htmlOf(paragraphs: Paragraph[]): string {
  const body = paragraphs.map((said) => `<p>${typeof said === 'string' ? escaped(said) : anchorOf(said)}</p>`);
  return `<!doctype html><html lang="en"><body>${body.join('')}</body></html>`;
}

/** The address in full below, for who does not trust a label. */
function anchorOf({ label, link }: Exclude<Paragraph, string>): string {
  return `<a href="${escaped(link)}">${escaped(label)}</a><br>${escaped(link)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
