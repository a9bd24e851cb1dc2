import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contact, pagesFolder } from '#contract/contact.ts';
import { inlineSource } from './html.ts';
import { readPages } from './pages.ts';

const nobody: Contact = { email: null, phone: null };
const both: Contact = { email: "o'neil&$&@kasente.example", phone: '+256 700 000000' };
const THEME = ':root { color: red }';
const META = '<meta content="__SUPPORT_EMAIL__"><meta content="__SUPPORT_PHONE__">';

let built: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'kasente-pages-'));
  await writeFile(join(built, 'index.html'), META);
  await writeFile(join(built, 'theme-styles.json'), JSON.stringify([THEME]));
  for (const [contact, page] of [
    [nobody, 'no help<style>p { margin: 0 }</style>'],
    [both, '<a href="tel:__SUPPORT_PHONE__">__SUPPORT_PHONE__</a>'],
  ] as const) {
    const folder = join(built, pagesFolder(contact));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'login.html'), META + page);
  }
});

afterAll(() => rm(built, { recursive: true }));

describe('the pages', () => {
  it('name the phone number and the e-mail address that are set, as HTML and as links take them', async () => {
    const { application, prerendered } = await readPages(both, built);
    const named = '<meta content="o&#39;neil&amp;$&amp;@kasente.example"><meta content="+256 700 000000">';
    expect(application?.html).toBe(named);
    expect(prerendered.get('/login')?.html).toBe(`${named}<a href="tel:+256700000000">+256 700 000000</a>`);
  });

  it('are those drawn without what is not set', async () => {
    const { application, prerendered } = await readPages(nobody, built);
    expect(application?.html).toBe('<meta content=""><meta content="">');
    expect(prerendered.get('/login')?.html).toContain(`${application?.html}no help`);
  });

  it('allow the style within them and the theme’s, and nothing else', async () => {
    const { application, prerendered } = await readPages(nobody, built);
    const [own, theme] = [inlineSource('p { margin: 0 }'), inlineSource(THEME)];
    expect(application?.policy).toContain(`script-src 'self';style-src 'self' ${theme};`);
    expect(prerendered.get('/login')?.policy).toContain(`style-src 'self' ${own} ${theme};`);
  });

  it('are compressed once', async () => {
    const page = (await readPages(nobody, built)).prerendered.get('/login');
    const [first, second] = [page?.compressed('br'), page?.compressed('br')];
    expect(second).toBe(first);
    expect(brotliDecompressSync((await first) ?? '').toString()).toBe(page?.html);
    expect(gunzipSync((await page?.compressed('gzip')) ?? '').toString()).toBe(page?.html);
  });

  it('are none where the application has not been built', async () => {
    expect((await readPages(nobody, join(built, 'elsewhere'))).application).toBeUndefined();
  });
});
