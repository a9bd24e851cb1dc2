import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { openPdf } from '#server/files/sanitizing/pdf-opening.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import type { HostileFile } from '#testing/hostile-files/hostile-file.ts';
import { makeHostileFiles, makeSomeHostileFiles } from '#testing/hostile-files/hostile-files.ts';
import { CANARY } from '#testing/hostile-files/payloads.ts';
import { activeParts } from '#testing/hostile-files/stored-pdf.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  buildDrafter,
  type Drafter,
  expectNothingKept,
  filePart,
  filesOnDisk,
  uploadFields,
  uploadParts,
} from '#testing/uploads.ts';

/** Each hostile file is either refused with its reason, or stored in a safe form (docs/decisions/0016). */

const LEAST = rounds(50, 200);
const files = await (full ? makeHostileFiles() : makeSomeHostileFiles());
let done = 0;

const app = appOfFile();
let drafter: Drafter;
beforeAll(async () => {
  drafter = await buildDrafter(app);
});
afterAll(async () => {
  if (done < files.length) return; // one of them failed
  const [drawn, rewritten] = ['drawn', 'rewritten'].map(
    (expected) => files.filter((file) => file.expected === expected).length,
  );
  proved(
    'hostile-files',
    `${done} hostile files: ${drawn} drawn anew, ${rewritten} rewritten without anything that acts (by qpdf and pdf.js), all others refused`,
  );
});

function send({ fileName, type, content }: HostileFile) {
  return uploadParts(drafter.caller, [
    ...uploadFields({ invoiceTag: drafter.invoice.tag, typeId: 1 }),
    filePart(content, fileName, type),
  ]);
}

async function storedContent(tag: string) {
  const row = await app.platform.db
    .selectFrom('documents')
    .selectAll()
    .where('tag', '=', tag)
    .executeTakeFirstOrThrow();
  return { row, content: await buffer((await app.platform.files.read(row.storage_key)).content) };
}

/** If a stored picture contains any of these, it was not redrawn. */
const traces = [CANARY, '<script', '<svg', '<?php', 'PK\x05\x06', '#!/bin', 'EICAR', 'onerror', 'http://ns.adobe'];

async function expectSanitizedPicture(content: Buffer, mediaType: string): Promise<void> {
  const text = content.toString('latin1');
  expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
  const found = await sharp(content).metadata();
  expect(`image/${found.format}`).toBe(mediaType);
  const { exif, xmp, icc, iptc, comments, orientation, pages } = found;
  expect({ exif, xmp, icc, iptc, comments, orientation, pages }).toEqual({});
  expect(found.width * found.height).toBeLessThanOrEqual(12_500_000);
  await sharp(content, { failOn: 'warning' }).stats(); // it is whole
}

describe('hostile files', () => {
  it(`are ${LEAST} or more, each of them another`, () => {
    expect(files.length).toBeGreaterThanOrEqual(LEAST);
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
    expect(new Set(files.map(({ content }) => content.toString('base64'))).size).toBeGreaterThan(LEAST);
  });

  it('would leave traces without re-encoding: the canary', async () => {
    const withPayload = files.filter(({ name }) => /^(png|jpeg|webp): page /.test(name));
    expect(withPayload.length).toBeGreaterThan(10);
    for (const { content, type } of withPayload) await expect(expectSanitizedPicture(content, type)).rejects.toThrow();
    canaryFound(
      'hostile-files',
      `of ${withPayload.length} pictures with a page in them, as they came, each left traces`,
    );
  });

  it.each(files.filter(({ expected }) => expected === 'drawn'))(
    '$name: re-encoded',
    async (file) => {
      const { status, body } = await send(file);
      expect([status, body.code]).toEqual([200, undefined]);
      const { row, content } = await storedContent(body.data.tag);
      expect(row.media_type).toBe(file.type);
      expect(row.file_name).toMatch(/\.(png|jpe?g|webp)$/);
      await expectSanitizedPicture(content, file.type);
      expect(await filesOnDisk(app)).toHaveLength(1);
      done += 1;
    },
    MINUTE_MS,
  );

  it('would act if they were stored as they came: the canary', async () => {
    const active = files.filter(({ name }) => /in plain sight$/.test(name));
    for (const { content } of active) expect(await activeParts(content)).not.toEqual([]);
    expect(active.length).toBeGreaterThan(0);
    canaryFound('hostile-files', `qpdf found what acts in each of ${active.length} PDFs that act`);
  });

  it.each(files.filter(({ expected }) => expected === 'rewritten'))('$name: rewritten', async (file) => {
    const { status, body } = await send(file);
    expect([status, body.code]).toEqual([200, undefined]);
    const { row, content } = await storedContent(body.data.tag);
    expect(row.file_name).toMatch(/\.pdf$/);
    expect(await activeParts(content)).toEqual([]);
    expect(await openPdf(content)).toEqual({ outcome: 'opened', isActive: false });
    const text = content.toString('latin1');
    expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
    done += 1;
  });

  it.each(files.filter(({ expected }) => !['drawn', 'rewritten'].includes(expected)))(
    '$name: $expected',
    async (file) => {
      await expectNothingKept(app, async () => {
        const { body } = await send(file);
        expect(body).toMatchObject({ success: false, code: file.expected });
      });
      done += 1;
    },
    MINUTE_MS,
  );

  it.each([6, 8])('a picture turned %i stands upright, the others keep their size', async (orientation) => {
    for (const file of files.filter(({ name }) => name.endsWith(`: turned ${orientation}`))) {
      const { body } = await send(file);
      const { content } = await storedContent(body.data.tag);
      expect(await sharp(content).metadata()).toMatchObject({ width: 120, height: 160 });
    }
  });
});
