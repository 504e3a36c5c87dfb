// Mails, mailboxes, calendars and address cards. Mails of Outlook are put together by the library that writes compound files.
import { CFB } from '@e965/xlsx';
import { expect, it } from 'vitest';
import { chunksOf, extractHere, textOf, types } from '../../support/retrieval/documents.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** @param streams by their paths in the file */
function makeMsg(streams: Record<string, Buffer>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${path}`, content);
  return Uint8Array.from(CFB.write(file, { type: 'buffer' }) as Buffer);
}

/** The stream of numbers. @param sent in milliseconds */
function properties(sent: number, codePage = 1252): Buffer {
  const stream = Buffer.alloc(32 + 32);
  stream.writeUInt32LE(0x0039_0040, 32);
  stream.writeBigUInt64LE(BigInt(sent + 11_644_473_600_000) * 10_000n, 40);
  stream.writeUInt32LE(0x3fde_0003, 48);
  stream.writeUInt32LE(codePage, 56);
  return stream;
}

it('a mail of Outlook is read with who wrote it, when, to whom, and what is attached', async () => {
  const mail = makeMsg({
    '__properties_version1.0': properties(Date.UTC(2026, 2, 5, 9, 30)),
    '__substg1.0_0037001F': utf16('Öl für die Lampe'),
    '__substg1.0_0C1A001F': utf16('Ada Keeper'),
    '__substg1.0_5D01001F': utf16('ada@example.org'),
    '__substg1.0_0E04001F': utf16('Björn; Clara'),
    '__substg1.0_0E03001F': utf16('Dora'),
    '__substg1.0_1000001F': utf16('We need forty barrels.\r\n\r\nAda'),
    '__attach_version1.0_#00000000/__substg1.0_3707001F': utf16('lamp plan.pdf'),
    '__attach_version1.0_#00000001/__substg1.0_3001001F': utf16('Re: wick'),
    '__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_1000001F': utf16('of another mail'),
  });
  const outcome = await extractHere(mail, types.msg);
  expect(chunksOf(outcome)[0]?.[1]).toBe('Öl für die Lampe');
  expect(textOf(outcome)).toBe(
    'From: Ada Keeper <ada@example.org>\nTo: Björn; Clara\nCc: Dora\nDate: 2026-03-05T09:30:00Z\n' +
      'Subject: Öl für die Lampe\nAttached: lamp plan.pdf, Re: wick\n\nWe need forty barrels.\n\nAda',
  );
});

it('a mail of an older Outlook is read in its code page, one of HTML alone as it is shown', async () => {
  const html = '<meta charset="utf-8"><p>Маяк, see <a href="https://example.org/t">the terms</a></p>';
  const mail = makeMsg({
    '__properties_version1.0': properties(0, 1251),
    '__substg1.0_0037001E': Buffer.from('\xcc\xe0\xff\xea', 'latin1'),
    '__substg1.0_10130102': Buffer.from(html),
  });
  const text = textOf(await extractHere(mail, types.msg));
  expect(text).toContain('Subject: Маяк');
  expect(text).toContain('Маяк, see the terms (https://example.org/t)');
});

it('a compound file that is no mail is damaged', async () => {
  await expect(extractHere(Buffer.from('\xd0\xcf\x11\xe0', 'latin1'), types.msg)).rejects.toThrow();
});

it('a mailbox is read mail by mail, each decoded, and a quoted line is no border', async () => {
  const mails = [
    'From ada@example.org Thu Mar  5 09:30:00 2026',
    'From: Ada <ada@example.org>',
    'Subject: =?utf-8?B?w5ZsIGbDvHIgZGllIExhbXBl?=',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Vierzig F=E4sser.',
    '>From the harbor it is not far.',
    'From here on it is dark.',
    '',
    'From bo@example.org Fri Mar  6 09:30:00 2026',
    'From: Bo <bo@example.org>',
    'Subject: Wick',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('<p>See <a href="https://example.org/wick">the wick</a></p>').toString('base64'),
    '',
  ];
  for (const end of ['\n', '\r\n']) {
    const outcome = await extractHere(mails.join(end), types.mbox);
    expect(chunksOf(outcome)[0]?.[1]).toBe('Öl für die Lampe');
    expect(textOf(outcome)).toContain('From: Bo <bo@example.org>');
    expect(textOf(outcome)).toContain('Vierzig Fässer.\nFrom the harbor it is not far.\nFrom here on it is dark.');
    expect(textOf(outcome)).toContain('See the wick (https://example.org/wick)');
  }
  expect(await extractHere('Dear Ada,', types.mbox)).toMatchObject({ type: 'unreadable', reason: 'damaged' });
});

it('a calendar is told entry by entry, whole words and dates, without the rules of time zones', async () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Vienna',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'UID:1',
    'SUMMARY:Lamp\\, wick\\; and oil',
    'DTSTART;TZID=Europe/Vienna:20260305T093000',
    'DTEND:20260305T093000Z',
    'DTSTART;VALUE=DATE:20260306',
    'ATTENDEE;ROLE=CHAIR;CN="Muster: Anna":mailto:anna@example.org',
    'DESCRIPTION:Bring forty bar',
    ' rels.\\nThe harbor is far.',
    'BEGIN:VALARM',
    'TRIGGER:-PT15M',
    'END:VALARM',
    'LOCATION:Graz',
    'END:VEVENT',
    'BEGIN:VTODO',
    'SUMMARY:Pay',
    'END:VTODO',
    'END:VCALENDAR',
  ].join('\r\n');
  const outcome = await extractHere(calendar, types.ics);
  expect(chunksOf(outcome)[0]?.[1]).toBe('Lamp, wick; and oil');
  expect(textOf(outcome).split('\n')).toEqual([
    'SUMMARY: Lamp, wick; and oil',
    'DTSTART: 2026-03-05 09:30 (Europe/Vienna)',
    'DTEND: 2026-03-05 09:30 UTC',
    'DTSTART: 2026-03-06',
    'ATTENDEE: Muster: Anna <anna@example.org>',
    'DESCRIPTION: Bring forty barrels.',
    'The harbor is far.',
    'TRIGGER: -PT15M',
    'LOCATION: Graz',
    '',
    'SUMMARY: Pay',
  ]);
});

it('address cards of all versions are told by their values, without pictures', async () => {
  const umlaut = Buffer.from('Bjö');
  const cards = Buffer.concat([
    Buffer.from('BEGIN:VCARD\r\nVERSION:4.0\r\nFN:'),
    // Folded inside of a character, as the length in bytes has it.
    umlaut.subarray(0, 3),
    Buffer.from('\r\n '),
    umlaut.subarray(3),
    Buffer.from('rn\r\nN:Muster;Björn;;Dr.;\r\nitem1.TEL;TYPE=work:+43 316 1\r\nPHOTO;ENCODING=b:AAAA\r\n BBBB\r\n'),
    Buffer.from('PHOTO:data:image/png;base64,AAAA\r\nEND:VCARD\r\n'),
    Buffer.from('BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=FCr=\ng\n'),
    Buffer.from('NOTE;QUOTED-PRINTABLE:one=0D=0Atwo\nEND:VCARD\n'),
  ]);
  const outcome = await extractHere(cards, types.vcf);
  expect(chunksOf(outcome)[0]?.[1]).toBe('Björn');
  expect(textOf(outcome)).toContain('FN: Björn\nN: Muster; Björn; Dr.\nTEL: +43 316 1\n\nFN: Jürg\nNOTE: one');
  expect(textOf(outcome)).not.toMatch(/AAAA|PHOTO/);
});
