import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type BuiltInvoice,
  type BuiltPerson,
  buildBusiness,
  buildInvoice,
  buildReadyInvoice,
  buildSignedIn,
} from './builders.ts';
import type { Answer, TestApp, TestCaller } from './test-app.ts';

/** A client with a draft invoice, for tests of documents. */
export interface Drafter {
  readonly caller: TestCaller;
  readonly person: BuiltPerson & { readonly businessId: number };
  readonly invoice: BuiltInvoice;
}

/** A {@link Drafter} with their own business. */
export async function buildDrafter(app: TestApp): Promise<Drafter> {
  const { id: businessId } = await buildBusiness(app);
  const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
  const owner = { ...person, businessId };
  return { caller, person: owner, invoice: await buildInvoice(app, owner) };
}

/** A part of a multipart body: a field, or a file if it has a file name. */
export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  readonly fileName?: string;
  readonly type?: string;
}

/** The file part of an upload. */
export function filePart(content: Buffer, fileName = 'scan.pdf', type = 'application/octet-stream'): Part {
  return { name: 'file', content, fileName, type };
}

export interface EncodedForm {
  readonly payload: Buffer;
  readonly headers: Record<string, string>;
}

/** A multipart body of these parts, in this order, unchanged byte for byte. */
export function encodeForm(parts: readonly Part[]): EncodedForm {
  const boundary = `----kasente${randomBytes(8).toString('hex')}`;
  const pieces = parts.flatMap(({ name, content, fileName, type }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '' : `\r\ncontent-type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return {
    payload: Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece))),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** Posts these parts to /files/upload. */
export function uploadParts(
  caller: TestCaller,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = encodeForm(parts);
  return caller.call({
    method: 'POST',
    url: '/files/upload',
    payload: form.payload,
    headers: { ...form.headers, ...headers },
  });
}

/** Uploads a document the way the web does: fields first. */
export function upload(
  caller: TestCaller,
  fields: { readonly invoiceTag: string; readonly typeId: number },
  content: Buffer,
  fileName?: string,
  headers?: Record<string, string>,
): Promise<Answer> {
  return uploadParts(caller, [...uploadFields(fields), filePart(content, fileName)], headers);
}

/** The fields of an upload. */
export function uploadFields({ invoiceTag, typeId }: { readonly invoiceTag: string; readonly typeId: number }): Part[] {
  return [
    { name: 'invoiceTag', content: invoiceTag },
    { name: 'typeId', content: String(typeId) },
  ];
}

/** A submitted invoice of the drafter's, and one of its documents. */
export async function buildSubmitted(
  app: TestApp,
  { caller, person }: Drafter,
): Promise<BuiltInvoice & { readonly documentTag: string }> {
  const invoice = await buildReadyInvoice(app, person);
  const answer = await caller.post(`/applications/${invoice.tag}/submit`);
  if (answer.status !== 200) throw new Error(`submit answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return invoice;
}

/** Every file in the app's documents folder, including the inbox. */
export async function filesOnDisk(app: TestApp): Promise<string[]> {
  const entries = await readdir(join(app.platform.config.dataDir, 'documents'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Runs something that must not change any rows or files. */
export async function expectNothingKept(app: TestApp, attempt: () => Promise<unknown>): Promise<void> {
  const { db } = app.platform;
  const count = async () => ({
    files: (await filesOnDisk(app)).sort(),
    documents: await db.selectFrom('documents').select('tag').orderBy('id').execute(),
    events: await db.selectFrom('audit_events').select('id').orderBy('id').execute(),
    pending: await db.selectFrom('pending_files').selectAll().execute(),
    discarded: await db.selectFrom('discarded_files').selectAll().execute(),
  });
  const before = await count();
  await attempt();
  expect(await count()).toEqual(before);
}
