import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_VIRUS } from '#server/files/sanitizing/test-virus.ts';
import { samplePdf, samplePng } from '#testing/sample-files.ts';
import { startClamav, type TestClamav } from '#testing/servers/clamav.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { buildDrafter, type Drafter, expectNothingKept, upload } from '#testing/uploads.ts';

/** Uploads with a virus scanner configured in `CLAMAV_URL`. */

let clamav: TestClamav;
let app: TestApp;
let drafter: Drafter;
beforeAll(async () => {
  clamav = await startClamav(TEST_VIRUS);
  app = await createTestApp({ CLAMAV_URL: clamav.url });
  drafter = await buildDrafter(app);
});
afterAll(async () => {
  await app.close();
  await clamav.close();
});

const send = (content: Buffer) => upload(drafter.caller, { invoiceTag: drafter.invoice.tag, typeId: 1 }, content);
const large = Buffer.concat([samplePng(), Buffer.alloc(900_000, 'x')]);
const infected = Buffer.concat([samplePng(), TEST_VIRUS]);

describe('an upload that is shown to a virus scanner', () => {
  it('is stored where nothing is found, and was seen whole and as it came', async () => {
    for (const content of [samplePdf(), large]) {
      expect((await send(content)).status).toBe(200);
      expect(clamav.seen.at(-1)?.equals(content)).toBe(true);
    }
  });

  it('is refused for a finding, although re-encoding would have removed it', async () => {
    await expectNothingKept(app, async () => {
      const { status, body } = await send(infected);
      expect([status, body]).toEqual([
        422,
        { success: false, code: 'FILE_INFECTED', msg: 'A virus was found in this file, so it was not saved' },
      ]);
    });
  });

  it.each(['fail', 'hang up', 'babble'] as const)(
    'is refused with 503 where the scanner does %s',
    async (behaviour) => {
      clamav.behave(behaviour);
      await expectNothingKept(app, async () => {
        for (const content of [samplePdf(), large]) {
          const { status, body, headers } = await send(content);
          expect([status, body.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '30']);
        }
      });
      clamav.behave('scan');
      expect((await send(samplePdf())).status).toBe(200);
    },
  );

  it('is refused with 503 where there is no scanner, and other routes live', async () => {
    const away = await startClamav(TEST_VIRUS);
    await away.close();
    const alone = await createTestApp({ CLAMAV_URL: away.url });
    const { caller, invoice } = await buildDrafter(alone);
    await expectNothingKept(alone, async () => {
      const { status } = await upload(caller, { invoiceTag: invoice.tag, typeId: 1 }, samplePdf());
      expect(status).toBe(503);
      expect((await caller.get(`/invoices/documents/${invoice.tag}`)).status).toBe(200);
    });
    await alone.close();
  });
});
