import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { appVersion } from '#server/machine/version.ts';
import { drawLetter } from './drawing.ts';

/**
 * The letter's text with each run of spaces as one space, and its number of pages; read with another library (pdf.js).
 */
async function read(content: Buffer): Promise<{ text: string; pages: number }> {
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true });
  return { text: text.replaceAll(/\s+/g, ' '), pages: totalPages };
}

describe('a letter', () => {
  it('has the letters of every language of Uganda, a title and a language', async () => {
    const content = await drawLetter({
      title: 'Ŋŋaali ebbanja lyo',
      subtitle: 'ɓɗŋéèêë – “x” 1½ €',
      at: new Date('2026-11-20T09:00:00Z'),
      blocks: [{ text: 'Ŋ' }],
    });
    expect((await read(content)).text).toContain('Ŋŋaali ebbanja lyo ɓɗŋéèêë – “x” 1½ €');
    const { info } = await getMeta(await getDocumentProxy(new Uint8Array(content)));
    expect(info).toMatchObject({ Title: 'Ŋŋaali ebbanja lyo', Language: 'en-UG' });
  });

  it('continues over numbered pages, with nothing lost', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => [
      `row ${index}.`,
      'a text that is somewhat longer '.repeat(3),
    ]);
    const { text, pages } = await read(
      await drawLetter({
        title: 'Long',
        subtitle: '',
        at: new Date(0),
        blocks: [{ columns: ['A', 'B'], widths: [0.3, 0.7], rows }],
      }),
    );
    expect(pages).toBeGreaterThan(4);
    for (const [first = ''] of rows) expect(text).toContain(first);
    expect(text).toContain(`1 of ${pages}`);
    expect(text).toContain(`${pages} of ${pages}`);
    expect(text.split(`Kasente ${appVersion}`)).toHaveLength(pages + 1);
  });
});
