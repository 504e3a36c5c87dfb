// What a person sees on a PDF page beside its own text: filled forms, notes, links and attachments.
import { PDFDocument, PDFName, PDFString, StandardFonts, type PDFPage } from 'pdf-lib';
import { expect, it } from 'vitest';
import { extractHere, extractPath, lines, makePdfPages, textOf, types } from '../../support/retrieval/documents.ts';

const fixture = (name: string) => new URL(`../../fixtures/documents/${name}`, import.meta.url).pathname;

it('a filled form tells its values and which boxes are ticked', async () => {
  const text = textOf(await extractPath(fixture('address-form-filled.pdf'), types.pdf));
  expect(text).toContain('name: Anna Muster\ncity: Graz\nreason: Move on 3 March\n[x] agree');
});

it('a form tells each kind of field by its description or name, and has no need of other text', async () => {
  const document = await PDFDocument.create();
  const [first, second] = [document.addPage(), document.addPage()];
  const form = document.getForm();
  const name = form.createTextField('person.data[0].name[0]');
  name.setText('Zoë Beispiel');
  name.addToPage(first, { y: 700 });
  const notes = form.createTextField('notes');
  notes.enableMultiline();
  notes.setText('Ring twice.\nThe dog is old.');
  notes.addToPage(first, { y: 600 });
  form.createTextField('nothing').addToPage(first, { y: 500 });
  for (const box of ['parking', 'pets']) form.createCheckBox(box).addToPage(first, { y: 400 });
  form.getCheckBox('pets').check();
  const floor = form.createRadioGroup('floor');
  floor.addOptionToPage('Ground', first, { y: 300 });
  floor.addOptionToPage('Upper', first, { y: 280 });
  floor.select('Upper');
  const country = form.createDropdown('country');
  country.setOptions(['Austria', 'Belgium']);
  country.select('Belgium');
  country.addToPage(second, { y: 700 });
  const days = form.createOptionList('days');
  days.setOptions(['Monday', 'Tuesday', 'Friday']);
  days.select(['Monday', 'Friday']);
  days.addToPage(second, { y: 500 });
  name.acroField.dict.set(PDFName.of('TU'), PDFString.of('Full name'));
  const outcome = await extractHere(await document.save(), types.pdf);
  const text = textOf(outcome);
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'notes: Ring twice.',
      'The dog is old.',
      'country: Belgium',
      'days: Monday, Friday',
      expect.stringMatching(/^\[ \] parking/),
      expect.stringMatching(/^\[x\] pets/),
      expect.stringMatching(/^\[x\] floor/),
    ]),
  );
  expect(text).toMatch(/^(Full name|name): Zoë Beispiel$/m);
  expect(text.match(/\[x\] floor/g)).toHaveLength(1);
  expect(text).not.toContain('nothing');
});

it('the value of a password field and of a hidden one is not told', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage();
  page.drawText('Sign in', { y: 700 });
  const form = document.getForm();
  const secret = form.createTextField('secret');
  secret.setText('hunter2');
  secret.addToPage(page);
  secret.enablePassword();
  const hidden = form.createTextField('internal');
  hidden.setText('score 7');
  hidden.addToPage(page, { hidden: true });
  const text = textOf(await extractHere(await document.save(), types.pdf));
  expect(text).toBe('Sign in');
});

it('notes are told with who wrote them, a highlight by its comment, a pop-up only once', async () => {
  const text = await withAnnotations((page) => {
    annotate(page, { Subtype: 'FreeText', Contents: PDFString.of('Paid on 3 May'), DA: PDFString.of('/F 10 Tf') });
    annotate(page, { Subtype: 'Text', Contents: PDFString.of('Ask Legal.'), T: PDFString.of('Rita Reviewer') });
    const marked = { Rect: [50, 700, 90, 712], QuadPoints: [50, 712, 90, 712, 50, 700, 90, 700] };
    annotate(page, { Subtype: 'Highlight', ...marked, Contents: PDFString.of('Too high?'), T: PDFString.of('Bo') });
    annotate(page, { Subtype: 'Popup', Contents: PDFString.of('Ask Legal.') });
    annotate(page, { Subtype: 'Text', Contents: PDFString.of('Hidden thought'), F: 2 });
  });
  expect(text).toBe('The fee is 300 EUR.\n\nPaid on 3 May\nRita Reviewer: Ask Legal.\nBo: Too high?');
});

it('the addresses of links stand behind their words, and where the words are the address only once', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const write = (text: string, y: number) => page.drawText(text, { x: 50, y, font, size: 12 });
  const widthOf = (text: string) => font.widthOfTextAtSize(text, 12);
  const link = (url: string, from: number, to: number, y: number) =>
    annotate(page, { Subtype: 'Link', Rect: [from, y - 3, to, y + 12], A: { S: 'URI', URI: PDFString.of(url) } });
  write('See the terms of use before you order.', 700);
  link('https://example.org/terms', 50 + widthOf('See the '), 50 + widthOf('See the terms of use'), 700);
  write('www.example.org/help', 650);
  link('https://www.example.org/help', 50, 50 + widthOf('www.example.org/help'), 650);
  write('Write to us', 600);
  link('mailto:office@example.org', 50, 50 + widthOf('Write to us'), 600);
  link('https://example.org/picture', 300, 400, 100);
  link('javascript:alert(1)', 50, 90, 600);
  const text = textOf(await extractHere(await document.save(), types.pdf));
  expect(text).toContain('See the terms of use (https://example.org/terms) before you order.');
  expect(text.match(/example\.org\/help/g)).toHaveLength(1);
  expect(text).toContain('Write to us (mailto:office@example.org)');
  expect(text).toMatch(/\nhttps:\/\/example\.org\/picture$/);
  expect(text).not.toContain('javascript');
});

it('the names of attached files are told', async () => {
  const document = await PDFDocument.create();
  document.addPage().drawText('Invoice 7', { y: 700 });
  await document.attach(Buffer.from('<Invoice/>'), 'factur-x.xml', { mimeType: 'application/xml' });
  expect(textOf(await extractHere(await document.save(), types.pdf))).toBe('Invoice 7\n\nAttached: factur-x.xml');
});

it('annotations that are damaged cost the page nothing of its text', async () => {
  const broken = makePdfPages([lines(['The mill is old.', 700])]).replace('/MediaBox', '/Annots (none) /MediaBox');
  expect(textOf(await extractHere(broken, types.pdf))).toContain('The mill is old.');
});

type Entry = string | number | PDFString | number[] | { [key: string]: Entry };

function annotate(page: PDFPage, entries: Record<string, Entry>): void {
  const { context } = page.doc;
  const named = (value: Entry): Entry | PDFName => (typeof value === 'string' ? PDFName.of(value) : value);
  const literal = { Type: 'Annot', Rect: [10, 10, 20, 20], ...entries };
  const all = Object.entries(literal).map(([key, value]) => [key, named(value as Entry)]);
  page.node.addAnnot(context.register(context.obj(Object.fromEntries(all))));
}

async function withAnnotations(add: (page: PDFPage) => void): Promise<string> {
  const document = await PDFDocument.create();
  const page = document.addPage();
  page.drawText('The fee is 300 EUR.', { y: 700 });
  add(page);
  return textOf(await extractHere(await document.save(), types.pdf));
}
