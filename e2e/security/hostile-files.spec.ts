import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { newDraft } from '#e2e/support/arrange.ts';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import type { HostileFile } from '#testing/hostile-files/hostile-file.ts';
import { makeHostileFiles, makeSomeHostileFiles } from '#testing/hostile-files/hostile-files.ts';
import { CANARY, page as hostilePage } from '#testing/hostile-files/payloads.ts';

/** No stored hostile file runs a script when it is opened in a tab (docs/decisions/0016). */

const INVOICE_COPY = 1;

/** Opens an address in a new tab and returns what ran there: a dialog, a title, or a call by the canary. */
async function whatRuns(page: Page, address: string): Promise<string[]> {
  const tab = await page.context().newPage();
  const ran: string[] = [];
  tab.on('dialog', (dialog) => {
    ran.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  // Without a viewer the browser downloads a PDF: the tab stays empty, and so does the list.
  await tab.goto(address).catch((error: unknown) => {
    if (!String(error).includes('Download is starting')) throw error;
  });
  if ((await tab.title()).includes(CANARY)) ran.push('title');
  await tab.close();
  return ran;
}

/** Serves content under the media type its sender claimed, without any protection. */
async function serveUnprotected(content: Buffer): Promise<{ server: Server; address: string }> {
  const server = createServer((_, reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end(content));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('it listens on no port');
  return { server, address: `http://127.0.0.1:${bound.port}/photo.html` };
}

async function upload(page: Page, invoiceTag: string, { fileName, type, content }: HostileFile) {
  const answer = await page.request.post('/api/v1/files/upload', {
    headers: { 'X-Requested-With': 'fetch' },
    multipart: { invoiceTag, typeId: INVOICE_COPY, file: { name: fileName, mimeType: type, buffer: content } },
  });
  const { data } = JSON.parse(await answer.text());
  return { status: answer.status(), tag: data?.tag };
}

const isKept = (expected: HostileFile['expected']): boolean => ['drawn', 'rewritten'].includes(expected);

test('the canary: without protection a page runs scripts, and so does a picture with a page in it', async ({
  page,
}) => {
  const files = await makeSomeHostileFiles();
  const polyglots = files.filter(({ name }) => /^(png|jpeg|webp): page after its end$/.test(name));
  expect(polyglots).toHaveLength(3);
  for (const content of [hostilePage, ...polyglots.map((file) => file.content)]) {
    const { server, address } = await serveUnprotected(content);
    expect(await whatRuns(page, address)).toEqual([`dialog: ${CANARY}`, 'title']);
    server.close();
  }
  canaryFound(
    'hostile-files-in-browser',
    `served unprotected, a page and ${polyglots.length} pictures with a page in them ran`,
  );
});

test('no stored hostile file runs a script in the browser', async ({ page }) => {
  test.setTimeout(600_000);
  const hostile = await (full ? makeHostileFiles() : makeSomeHostileFiles());
  expect(hostile.length).toBeGreaterThanOrEqual(rounds(50, 200));
  // The server's tests check whether each is kept or refused; here the browser opens those that are kept, or some of
  // each kind.
  const files = full ? hostile : hostile.filter(({ expected }, index) => isKept(expected) && index % 6 === 0);
  await signIn(page, '0700000001');
  const draft = await newDraft(page);
  let shown = 0;
  for (const file of files) {
    const { status, tag } = await upload(page, draft.tag, file);
    const isAccepted = isKept(file.expected);
    expect([file.name, status === 200]).toEqual([file.name, isAccepted]);
    if (!isAccepted) continue;
    expect([file.name, await whatRuns(page, `/api/v1/files/view/${tag}`)]).toEqual([file.name, []]);
    shown += 1;
  }
  expect(shown).toBeGreaterThan(rounds(5, 100));
  proved(
    'hostile-files-in-browser',
    `${shown} stored files of ${files.length} hostile ones opened in Chromium: 0 scripts run`,
  );
});
