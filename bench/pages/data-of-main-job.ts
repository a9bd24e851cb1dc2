import { type CDPSession, chromium, type Page } from '@playwright/test';
import type { Row } from '#bench/row.ts';
import { startServer } from '#e2e/support/server.ts';
import { chromium as bundled } from '#scripts/chromium.mjs';

/**
 * Measures the data of the main job, for people who pay per megabyte: `node bench/pages/data-of-main-job.ts`. A phone with an
 * empty cache signs up, confirms the PIN, logs in, enters an invoice, applies, uploads three documents and submits. The
 * browser counts both directions with headers, but without the documents.
 */

const COMMAND = 'node scripts/ensure-build.mjs && node bench/pages/data-of-main-job.ts';
const GOAL_BYTES = 450_000;
const PASSWORD = 'Boda-boda-2026!';
const DOCUMENTS = ['Invoice copy', 'Proof of delivery or completed work', 'Contract or purchase order'] as const;

/** A JPEG of one pixel, because the size of documents does not count. */
const PHOTO = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
);

/** The traffic so far, in bytes. */
interface Counted {
  received: number;
  sent: number;
  requests: number;
  /** The headers of replies, which `received` includes. */
  headers: number;
  /** Received bytes by type: 'Script', 'Stylesheet', 'Fetch', … */
  readonly kinds: Map<string, number>;
}

/** Starts counting a page's traffic. */
async function count(cdp: CDPSession): Promise<Counted> {
  const counted: Counted = { received: 0, sent: 0, requests: 0, headers: 0, kinds: new Map() };
  const kindOf = new Map<string, string>();
  const isDocument = (url: string) => /\/api\/v1\/files\/(upload$|uploads\/.*\/parts\/)/.test(url);
  await cdp.send('Network.enable');
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    counted.requests += 1;
    counted.sent += isDocument(request.url) ? 0 : Buffer.byteLength(request.postData ?? '');
  });
  cdp.on('Network.requestWillBeSentExtraInfo', ({ headers }) => {
    counted.sent += Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 30);
  });
  cdp.on('Network.responseReceivedExtraInfo', ({ headersText = '' }) => {
    counted.headers += headersText.length;
  });
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    kindOf.set(requestId, type);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kindOf.get(requestId) ?? 'Other';
    counted.received += encodedDataLength;
    counted.kinds.set(kind, (counted.kinds.get(kind) ?? 0) + encodedDataLength);
  });
  return counted;
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).first().click();
}

async function signUp(page: Page, address: string, phone: string): Promise<void> {
  await page.goto(`${address}/signup`);
  await page.getByLabel('Phone Number / Email').fill(phone);
  await page.getByRole('radio', { name: 'Female' }).check();
  await choose(page, 'Sector', 'Wholesale and retail trade');
  await choose(page, 'District/Location', 'Kampala');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await page.getByRole('heading', { name: 'Enter PIN' }).waitFor();
  await page.getByLabel('Enter PIN').pressSequentially(await pinFor(address, phone));
  await page.getByText('Account created successfully! Please log in.').waitFor();
}

async function pinFor(address: string, phone: string): Promise<string> {
  const messages: { to: string; body: string }[] = JSON.parse(
    await (await fetch(`${address}/api/v1/dev/messages`)).text(),
  );
  const body = messages.find(({ to }) => to === phone)?.body ?? '';
  return /(?<!\d)\d{5}(?!\d)/.exec(body)?.[0] ?? '';
}

/** Assigns the newcomer to a business, as an administrator on another device does. */
async function activate(address: string, phone: string): Promise<void> {
  const headers = { 'x-requested-with': 'fetch', 'content-type': 'application/json' };
  const post = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const answer = await fetch(`${address}/api/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const login = await post('users/login', { username: 'admin@kasente.test', password: 'Kasente-demo-1' });
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const found = await post('persons', { page: 1, size: 10, searchPhrase: phone }, cookie);
  const people: { tag: string }[] = JSON.parse(await found.text());
  const profiles = await fetch(`${address}/api/v1/profiles/ida_clients`, { headers: { ...headers, cookie } });
  const businesses: { id: number; name: string }[] = JSON.parse(await profiles.text());
  const businessId = businesses.find(({ name }) => name === 'Nakasero Traders Ltd')?.id;
  const names = { firstName: 'Ruth', lastName: 'Atuhaire' };
  await post('persons/update_minimal_business', { ...names, phone, businessId, tag: people[0]?.tag }, cookie);
}

async function logIn(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Phone or Email').fill(phone);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('link', { name: 'Apply Now' }).waitFor();
}

async function apply(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await page.getByLabel('Invoice number').fill('INV/2026-450');
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('5 Jan 2026');
  await page.getByLabel('Amount', { exact: true }).fill('1000000');
  await choose(page, 'Currency', 'UGX');
  await choose(page, 'Buyer', 'Pearl Hotels Group');
  await page.getByText('Your invoice is now saved.').waitFor();
  await page.getByLabel('Amount applied for').fill('900000');
  await choose(page, 'Financing period', '30 days');
  await page.getByText('Your Application was saved successfully. You can edit or submit.').waitFor();
}

async function uploadAndSubmit(page: Page): Promise<void> {
  for (const type of DOCUMENTS) {
    await page.getByRole('button', { name: `Upload ${type}` }).click();
    const dialog = page.getByRole('dialog', { name: `Upload ${type}` });
    await dialog.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: PHOTO });
    await dialog.getByRole('button', { name: 'Upload Document' }).click();
    await page.getByText(`${type} was uploaded successfully`).waitFor();
  }
  await page.getByRole('button', { name: 'Submit Application' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Agree and submit' }).click();
  await page.getByText('Submitted for Processing').first().waitFor();
}

/** Does the main job once; logs the counts after each step. */
export async function run(): Promise<Row[]> {
  const server = await startServer();
  const browser = await chromium.launch(await bundled());
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: 'en-UG' });
    const counted = await count(await page.context().newCDPSession(page));
    const phone = '0778450450';
    const steps: [string, () => Promise<void>][] = [
      ['signed up', () => signUp(page, server.address, phone)],
      ['activated, logged in', () => activate(server.address, phone).then(() => logIn(page, phone))],
      ['applied', () => apply(page)],
      ['submitted', () => uploadAndSubmit(page)],
    ];
    for (const [name, step] of steps) {
      await step();
      // Prefetched data counts too.
      await page.waitForLoadState('networkidle');
      console.log(`${name}: ${kB(counted.received)} received, ${kB(counted.sent)} sent, ${counted.requests} requests`);
    }
    for (const [kind, bytes] of counted.kinds) console.log(`  ${kind}: ${kB(bytes)}`);
    console.log(`  of which headers: ${kB(counted.headers)}`);
    const total = counted.received + counted.sent;
    return [
      {
        work: 'data of the whole main job on a new phone, sign-up to submit, without the documents',
        goal: `at most ${kB(GOAL_BYTES)}`,
        figure: `${kB(total)} (${kB(counted.received)} received, ${kB(counted.sent)} sent, ${counted.requests} requests)`,
        holds: total <= GOAL_BYTES,
        command: COMMAND,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

function kB(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

if (import.meta.main) console.table(await run());
