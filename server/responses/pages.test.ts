import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contact, pagesFolder } from '#contract/contact.ts';
import { readPages } from './pages.ts';

const nobody: Contact = { email: null, phone: null };
const both: Contact = { email: "o'neil&$&@kasente.example", phone: '+256 700 000000' };
const META = '<meta content="__SUPPORT_EMAIL__"><meta content="__SUPPORT_PHONE__">';

let built: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'kasente-pages-'));
  await writeFile(join(built, 'index.html'), META);
  for (const [contact, page] of [
    [nobody, 'no help'],
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
    expect(application).toBe(named);
    expect(prerendered.get('/login')).toBe(`${named}<a href="tel:+256700000000">+256 700 000000</a>`);
  });

  it('are those drawn without what is not set', async () => {
    const { application, prerendered } = await readPages(nobody, built);
    expect(application).toBe('<meta content=""><meta content="">');
    expect(prerendered.get('/login')).toBe(`${application}no help`);
  });

  it('are none where the application has not been built', async () => {
    expect((await readPages(nobody, join(built, 'elsewhere'))).application).toBeUndefined();
  });
});
