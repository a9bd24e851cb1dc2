import { crc32, deflateSync } from 'node:zlib';
import { TEST_VIRUS } from '#server/files/sanitizing/test-virus.ts';

/** Payloads of hostile files. Any part of one that runs shows {@link CANARY} as the page's title and in a dialog. */

export const CANARY = 'kasente-canary';

const script = `document.title='${CANARY}';alert('${CANARY}')`;

/** A page whose script runs wherever the page is displayed: the detector must find it. */
export const page = Buffer.from(`<!doctype html><html><body><script>${script}</script></body></html>`);

/** A ZIP with one stored file; archivers find it at the end of any file. */
export function zipOf(name: string, content: Buffer): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  local.copy(central, 6, 4, 30);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + content.length, 16);
  return Buffer.concat([local, Buffer.from(name), content, central, Buffer.from(name), end]);
}

export const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`,
);

/** Payloads for real pictures, by name. */
export const payloads: Readonly<Record<string, Buffer>> = {
  page,
  svg,
  'a script after a comment': Buffer.from(`*/=1;${script};/*`),
  'an event handler': Buffer.from(`"><img src=x onerror="${script}">`),
  php: Buffer.from(`<?php system($_GET['c']); // ${CANARY} ?>`),
  'a shell script': Buffer.from(`\n#!/bin/sh\necho ${CANARY}\n`),
  'an archive': zipOf(`${CANARY}.html`, page),
  'a test virus': Buffer.concat([TEST_VIRUS, Buffer.from(CANARY)]),
};

/** A chunk of a PNG. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Bytes that unpack to a far larger size. */
export function bomb(unpackedBytes: number): Buffer {
  return deflateSync(Buffer.alloc(unpackedBytes, ' '), { level: 9 });
}
