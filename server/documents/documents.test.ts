import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildInvoice, buildSignedIn } from '#testing/builders.ts';
import { eventsOf } from '#testing/case-builders.ts';
import { pageTexts } from '#testing/hostile-files/stored-pdf.ts';
import { sampleJpeg, samplePdf, samplePng, sampleWebp } from '#testing/sample-files.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';
import { buildDrafter, buildSubmitted, type Drafter, filesOnDisk, upload } from '#testing/uploads.ts';
import { selectMissingMandatory } from './documents.queries.ts';

const NOT_FOUND = { success: false, code: 'NOT_FOUND', msg: 'Not found' };
const PICTURE_POLICY =
  "default-src 'none'; sandbox; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const app = appOfFile();
let drafter: Drafter;
beforeEach(async () => {
  drafter = await buildDrafter(app);
});

async function uploaded(typeId: number, content = samplePng(), fileName = 'scan.png'): Promise<string> {
  const { status, body } = await upload(drafter.caller, { invoiceTag: drafter.invoice.tag, typeId }, content, fileName);
  expect(status).toBe(200);
  return body.data.tag;
}

function remove(tag: string, caller = drafter.caller) {
  return caller.call({ method: 'DELETE', url: `/files/${tag}` });
}

async function storageKeyOf(tag: string): Promise<string> {
  const { storage_key } = await app.platform.db
    .selectFrom('documents')
    .select('storage_key')
    .where('tag', '=', tag)
    .executeTakeFirstOrThrow();
  return storage_key;
}

const view = (tag: string, caller = drafter.caller, dest = 'document') =>
  app.server.inject({
    method: 'GET',
    url: `/api/v1/files/view/${tag}`,
    cookies: Object.fromEntries(caller.cookies),
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest },
  });

describe.each(['/invoices/documents/TAG', '/options/supporting-doc-types/TAG'])('GET %s', (path) => {
  const list = (tag: string, caller = drafter.caller) => caller.get(path.replace('TAG', tag));

  it('lists every type in its order, with what is uploaded', async () => {
    const documentTag = await uploaded(2, sampleJpeg(), 'delivery note.jpg');
    const { status, body } = await list(drafter.invoice.tag);
    expect(status).toBe(200);
    expect(body).toEqual([
      { type: 'Invoice copy', typeId: 1, mandatory: true },
      {
        type: 'Proof of delivery or completed work',
        typeId: 2,
        mandatory: true,
        documentTag,
        fileName: 'delivery note.jpg',
        mediaType: 'image/jpeg',
        size: (await view(documentTag)).rawPayload.length,
      },
      { type: 'Contract or purchase order', typeId: 3, mandatory: true },
      { type: 'Bank statement', typeId: 4, mandatory: false },
      { type: 'Tax invoice or EFRIS receipt', typeId: 5, mandatory: false },
      { type: 'Other', typeId: 6, mandatory: false },
    ]);
  });

  it('shows nothing of another invoice', async () => {
    await uploaded(1);
    const other = await buildInvoice(app, drafter.person);
    const { body } = await list(other.tag);
    expect(JSON.stringify(body)).not.toContain('documentTag');
  });

  it('is for the owner and staff; to others the invoice does not exist', async () => {
    const stranger = await buildDrafter(app);
    const staff = await buildSignedIn(app, { perms: ['KSTAF'] });
    const nobody = await buildSignedIn(app, { perms: [] });
    expect((await list(drafter.invoice.tag, staff.caller)).status).toBe(200);
    expect((await list(drafter.invoice.tag, nobody.caller)).status).toBe(403);
    expect((await list(drafter.invoice.tag, app.visitor())).status).toBe(401);
    for (const tag of [drafter.invoice.tag, randomUUID(), 'no-tag']) {
      const { status, body } = await list(tag, stranger.caller);
      expect([status, body]).toEqual([404, NOT_FOUND]);
    }
  });
});

describe.each(['/invoices/documents/TAG/validate', '/files/validate-mandatory/TAG'])('GET %s', (path) => {
  const check = (tag: string, caller = drafter.caller) => caller.get(path.replace('TAG', tag));

  it('names what is missing, in order, until every mandatory document is there', async () => {
    const [invoiceCopy, proof, contract] = [
      'Invoice copy',
      'Proof of delivery or completed work',
      'Contract or purchase order',
    ];
    expect((await check(drafter.invoice.tag)).body).toEqual({
      success: false,
      missing: [invoiceCopy, proof, contract],
    });
    await uploaded(2);
    await uploaded(4);
    expect((await check(drafter.invoice.tag)).body).toEqual({ success: false, missing: [invoiceCopy, contract] });
    await uploaded(3);
    const copy = await uploaded(1);
    expect((await check(drafter.invoice.tag)).body).toEqual({ success: true, missing: [] });
    expect(await selectMissingMandatory(app.platform.db, drafter.invoice.id)).toEqual([]);
    await remove(copy);
    expect((await check(drafter.invoice.tag)).body).toEqual({ success: false, missing: [invoiceCopy] });
    expect(await selectMissingMandatory(app.platform.db, drafter.invoice.id)).toEqual([invoiceCopy]);
  });

  it('answers 404 for a foreign invoice and one that does not exist', async () => {
    const stranger = await buildDrafter(app);
    for (const tag of [drafter.invoice.tag, randomUUID(), '1']) {
      const { status, body } = await check(tag, stranger.caller);
      expect([status, body]).toEqual([404, NOT_FOUND]);
    }
  });
});

describe('GET /files/view/{tag}', () => {
  it.each([
    ['image/png', 'a.png', samplePng(), PICTURE_POLICY],
    ['image/jpeg', 'a.jpg', sampleJpeg(), PICTURE_POLICY],
    ['image/webp', 'a.webp', sampleWebp(), PICTURE_POLICY],
    ['application/pdf', 'a.pdf', samplePdf(), PDF_POLICY],
  ])('shows a %s and lets it do nothing else', async (mediaType, name, content, policy) => {
    const { statusCode, headers, rawPayload } = await view(await uploaded(1, content, name));
    expect(statusCode).toBe(200);
    if (mediaType === 'application/pdf') expect(await pageTexts(rawPayload)).toEqual(await pageTexts(content));
    else expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 24, height: 16 });
    expect(headers).toMatchObject({
      'content-type': mediaType,
      'content-length': String(rawPayload.length),
      'content-disposition': `inline; filename="${name}"; filename*=UTF-8''${name}`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('writes a name that is not ASCII in both forms, and lets none break out of the header', async () => {
    const { headers } = await view(await uploaded(1, samplePng(), "Ssebo's š (1)* 100%; x=y.png"));
    expect(headers['content-disposition']).toBe(
      'inline; filename="Ssebo\'s _ (1)* 100_; x=y.png"; ' +
        "filename*=UTF-8''Ssebo%27s%20%C5%A1%20%281%29%2A%20100%25%3B%20x%3Dy.png",
    );
  });

  it('is for the owner and staff; to others the document does not exist', async () => {
    const tag = await uploaded(1);
    const stranger = await buildDrafter(app);
    const colleague = await buildSignedIn(app, { perms: ['BIDA'], businessId: drafter.person.businessId });
    for (const perms of [['KSTAF'], ['KADMIN'], ['BIDA', 'KSTAF']] as const) {
      const { caller } = await buildSignedIn(app, { perms });
      expect((await view(tag, caller)).statusCode).toBe(200);
    }
    expect((await view(tag, colleague.caller)).statusCode).toBe(200);
    expect((await view(tag, app.visitor())).statusCode).toBe(401);
    expect((await view(tag, (await buildSignedIn(app, { perms: [] })).caller)).statusCode).toBe(403);
    for (const absent of [tag, randomUUID(), 'x', '..%2F..%2Fetc%2Fpasswd']) {
      const answer = await view(absent, stranger.caller, 'empty');
      expect([answer.statusCode, answer.json()]).toEqual([404, NOT_FOUND]);
    }
  });

  it('that cannot be shown is said in words where a person opened a tab, and in JSON to programs', async () => {
    const tag = await uploaded(1, samplePng());
    const tab = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' };
    const old = { 'sec-fetch-dest': '', 'sec-fetch-mode': '', 'sec-fetch-site': '', accept: tab.accept };
    const open = (caller: TestCaller, shown: string, headers: Record<string, string>) =>
      caller.call({ method: 'GET', url: `/files/view/${shown}`, headers });
    for (const headers of [tab, old]) {
      const visitor = await open(app.visitor(), tag, headers);
      expect([visitor.status, visitor.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(visitor.body).toContain('<p>Please log in to continue.</p>\n<p><a href="/login">Log in</a></p>');
      const absent = await open(drafter.caller, randomUUID(), headers);
      expect([absent.status, absent.headers['cache-control']]).toEqual([404, 'no-store']);
      expect(absent.body).toContain('It may have been deleted or replaced.');
      expect(absent.body).toContain('<a href="/">Open Kasente</a>');
      expect(absent.headers['content-security-policy']).toContain("default-src 'none'");
      expect((await open(drafter.caller, tag, headers)).status).toBe(200);
    }
    expect((await app.visitor().get(`/files/view/${tag}`, { accept: 'text/html' })).body.code).toBe('NOT_SIGNED_IN');
    expect((await app.visitor().get('/sectors/none', tab)).body.code).toBe('NOT_FOUND');
  });

  it('still shows the file once the application is submitted', async () => {
    const { documentTag } = await buildSubmitted(app, drafter);
    expect((await view(documentTag)).statusCode).toBe(200);
  });

  it('says so when the file is missing or not the one that was stored', async () => {
    const tag = await uploaded(1);
    const path = join(app.platform.config.dataDir, 'documents', await storageKeyOf(tag));
    const failure = {
      success: false,
      code: 'FILE_UNAVAILABLE',
      msg: 'We cannot read this document right now. Try again in a minute',
    };
    const altered = await readFile(path);
    altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
    for (const content of ['something shorter', altered]) {
      await writeFile(path, content);
      const other = await view(tag, drafter.caller, 'empty');
      expect([other.statusCode, other.json()]).toEqual([502, failure]);
    }
    await rm(path);
    const missing = await view(tag, drafter.caller, 'empty');
    expect([missing.statusCode, missing.json()]).toEqual([502, failure]);
    expect(missing.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(missing.headers['content-disposition']).toBeUndefined();
    const inTab = await view(tag);
    expect([inTab.statusCode, inTab.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
    expect(inTab.body).toContain('<p>We cannot read this document right now. Try again in a minute.</p>');
  });
});

describe('DELETE /files/{tag}', () => {
  it('deletes the document and its file, and tells the audit', async () => {
    const tag = await uploaded(1, samplePng(), 'copy.png');
    const filesBefore = await filesOnDisk(app);
    const { status, body } = await remove(tag);
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await drafter.caller.get(`/files/view/${tag}`)).status).toBe(404);
    expect(await filesOnDisk(app)).toHaveLength(filesBefore.length - 1);
    const events = await eventsOf(app, { tag });
    expect(events[1]).toMatchObject({
      action: 'document.deleted',
      actor_tag: drafter.person.tag,
      before: { invoiceTag: drafter.invoice.tag, typeId: 1, fileName: 'copy.png', mediaType: 'image/png' },
      after: null,
    });
    expect((await remove(tag)).status).toBe(404);
    await uploaded(1);
  });

  it('is the owner’s alone, on a draft alone', async () => {
    const tag = await uploaded(1);
    const stranger = await buildDrafter(app);
    const staff = await buildSignedIn(app, { perms: ['KSTAF'] });
    expect((await remove(tag, stranger.caller)).body).toEqual(NOT_FOUND);
    expect((await remove(randomUUID())).body).toEqual(NOT_FOUND);
    expect((await remove(tag, staff.caller)).status).toBe(403);
    expect((await remove(tag, app.visitor())).status).toBe(401);
    const { documentTag } = await buildSubmitted(app, drafter);
    const refused = await remove(documentTag);
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_EDITABLE']);
    expect((await remove(documentTag, stranger.caller)).status).toBe(404);
    for (const kept of [tag, documentTag]) {
      expect((await drafter.caller.get(`/files/view/${kept}`)).status).toBe(200);
    }
  });

  it('deletes one document once for ten callers at once', async () => {
    const tag = await uploaded(1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(tag)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });
});
