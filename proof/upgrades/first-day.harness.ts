import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { kampalaDate } from '#contract/time/calendar.ts';
import { succeed } from '#testing/case-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import type { MailServer } from '#testing/servers/mail-server.ts';
import { remoteCaller } from '#testing/servers/server-process.ts';
import type { TestCaller } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { upload } from '#testing/uploads.ts';

/**
 * The commands of docs/upgrading.md, what people do on a server of release 1.1.0, and the server's state seen from
 * outside.
 */

const PORTS = [3000, 3001];
const CLIENT = 'client@kasente.example';
const CLIENT_PASSWORD = 'Matooke-2026-katogo';

/** The page's command blocks, in order. */
export function blocksOf(page: string): readonly string[] {
  return [...page.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

export const administrator = {
  username: 'admin@kasente.example',
  password: `Aa1-${randomBytes(12).toString('hex')}`,
};

/** What a client has done on the old release. */
export interface Done {
  readonly invoiceNumber: string;
  readonly documentTag: string;
  readonly document: Buffer;
}

function visitor(port = PORTS[0]): TestCaller {
  return remoteCaller(() => `http://127.0.0.1:${port}`);
}

/** Somebody signs up, is activated by an administrator, and submits an application with its document. */
export async function applyOnce(mails: MailServer): Promise<Done> {
  const client = visitor();
  const signUp = { email: CLIENT, password: CLIENT_PASSWORD, gender: 'female', industryId: 1, districtId: '2' };
  const { body: registered } = await succeed(client.post('/users/register', signUp));
  await until(async () => pinIn(mails) !== undefined);
  await succeed(client.post('/users/verify_username', { userTag: registered.userTag, pin: pinIn(mails) }));
  const businesses = await letIn();

  await logIn(client);
  const { body: profile } = await succeed(client.get('/persons/profile'));
  const invoiceNumber = `FIRST-DAY-${randomBytes(4).toString('hex')}`;
  const invoice = {
    businessTag: businesses.client.tag,
    invoiceNumber,
    date: kampalaDate(new Date()),
    currencyId: '1',
    buyerId: String(businesses.buyer.id),
    amount: 1_000_000,
  };
  const { body: saved } = await succeed(client.post('/invoices', { userTag: profile.tag, invoice }));
  const invoiceTag: string = saved.data.invoice.tag;
  const application = {
    invoiceTag,
    reference: randomUUID(),
    applicationDate: kampalaDate(new Date()),
    amountAppliedFor: 900_000,
    feesCharged: 99_000,
    amountReceived: 801_000,
    financingPeriodId: '3',
  };
  const { body: applied } = await succeed(client.post('/invoices', { application }));
  const { body: types } = await succeed(client.get(`/invoices/documents/${invoiceTag}`));
  for (const { typeId, mandatory } of types)
    if (mandatory) await succeed(upload(client, { invoiceTag, typeId }, samplePdf()));
  const { body: facts } = await succeed(client.get(`/applications/${applied.data.tag}/key_facts`));
  await succeed(client.post(`/applications/${applied.data.tag}/submit`, { keyFactsVersion: facts.version }));
  const { body: documents } = await succeed(client.get(`/invoices/documents/${invoiceTag}`));
  const documentTag: string = documents[0].documentTag;
  const { raw } = await succeed(client.get(`/files/view/${documentTag}`));
  return { invoiceNumber, documentTag, document: raw };
}

function pinIn(mails: MailServer): string | undefined {
  const texts = mails.mails.all.map(({ text }) => text ?? '');
  return texts.map((text) => /(?<!\d)\d{5}(?!\d)/.exec(text)?.[0]).findLast((pin) => pin !== undefined);
}

async function logIn(client: TestCaller): Promise<void> {
  await succeed(client.post('/users/login', { username: CLIENT, password: CLIENT_PASSWORD }));
}

/** The administrator sets up a second factor, adds a client and a buyer, and activates the person who signed up. */
async function letIn() {
  const admin = visitor();
  await succeed(admin.post('/users/login', administrator));
  const { password } = administrator;
  const { body: begun } = await succeed(admin.post('/users/second_factor/begin', { password }));
  const code = new TOTP({ secret: begun.secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate();
  await succeed(admin.post('/users/second_factor/confirm', { code }));
  const place = { industryId: '1', districtId: '2' };
  await succeed(admin.post('/businesses', { name: 'Nakasero Traders Ltd', ...place, isClient: true, isBuyer: false }));
  await succeed(admin.post('/businesses', { name: 'Mukwano Stores Ltd', ...place, isClient: false, isBuyer: true }));
  const { body: rows } = await succeed(admin.post('/businesses/paged', {}));
  const named = (name: string) => rows.find((row: { name: string }) => row.name.startsWith(name));
  const [client, buyer] = [named('Nakasero'), named('Mukwano')];
  const { body: persons } = await succeed(admin.post('/persons', { searchPhrase: CLIENT }));
  const given = { firstName: 'Akello', lastName: 'Grace', businessId: String(client.id), tag: persons[0].tag };
  await succeed(admin.post('/persons/update_minimal_business', given));
  return { client, buyer };
}

/** Throws unless the client can log in, find the application and read the document, on each server. */
export async function expectData({ invoiceNumber, documentTag, document }: Done): Promise<void> {
  for (const port of PORTS) {
    const client = visitor(port);
    await logIn(client);
    const { body } = await succeed(client.post('/invoices/paged', {}));
    expect(JSON.stringify(body)).toContain(invoiceNumber);
    expect((await succeed(client.get(`/files/view/${documentTag}`))).raw.equals(document)).toBe(true);
  }
  const admin = await visitor().post('/users/login', administrator);
  expect([admin.status, admin.body.code]).toEqual([403, 'SECOND_FACTOR']);
}

/** Throws unless each server reports this build, and serves the web application of this folder. */
export async function expectBuild(build: { version: string; commit: string }, webFolder: string): Promise<void> {
  for (const port of PORTS) {
    expect(await readyzOf(port)).toEqual([200, JSON.stringify({ status: 'ok', ...build })]);
    await expectWeb(port, webFolder);
  }
}

/** The status and body of `/readyz`. */
export async function readyzOf(port: number): Promise<readonly [status: number, body: string]> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return [answer.status, await answer.text()];
}

export async function expectWeb(port: number, webFolder: string): Promise<void> {
  const address = `http://127.0.0.1:${port}`;
  const assetsOf = (html: string): string[] =>
    [...html.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path).toSorted();
  const assets = assetsOf(readFileSync(join(webFolder, 'index.html'), 'utf8'));
  expect(assets.length).toBeGreaterThan(1);
  expect(assetsOf(await (await fetch(`${address}/home`)).text())).toEqual(assets);
  for (const asset of assets) {
    const served = Buffer.from(await (await fetch(address + asset)).arrayBuffer());
    expect(served.equals(readFileSync(join(webFolder, asset))), asset).toBe(true);
  }
}
