import type { APIRequestContext, APIResponse, Page, Route } from '@playwright/test';
import { acknowledgement, type Draft, type Flagged } from './arrange.ts';
import { DEMONSTRATION_PASSWORD, expect, type Kasente, kampalaDay } from './fixtures.ts';

/** The other side of a client's journey: officers who act by calls, each with a session. */

const headers = { 'X-Requested-With': 'fetch' };

/** A logged-in person who acts by calls. */
export class Officer {
  private readonly request: APIRequestContext;

  constructor(request: APIRequestContext) {
    this.request = request;
  }

  /** A call that must succeed. */
  async post(path: string, data: object = {}): Promise<void> {
    await this.call('POST', path, data);
  }

  async put(path: string, data: object): Promise<void> {
    await this.call('PUT', path, data);
  }

  /** The first row of a list under a phrase. */
  async firstRow<T>(path: string, searchPhrase: string): Promise<T> {
    const [row] = await (await this.call('POST', path, { page: 1, searchPhrase })).json();
    return row;
  }

  private async call(method: string, path: string, data: object): Promise<APIResponse> {
    const answer = await this.request.fetch(`/api/v1${path}`, { method, headers, data });
    expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
    return answer;
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.request.get(`/api/v1${path}`, { headers });
    expect(answer.status(), path).toBe(200);
    return answer.json();
  }

  /** A step on the desk: `take`, `start_review`, `approve` … */
  onDesk({ tag }: Draft, act: string, data: object = {}): Promise<void> {
    return this.post(`/desk/cases/${tag}/${act}`, data);
  }

  /** Takes the case, begins to review it and answers for its possible duplicates. */
  async review(application: Draft): Promise<void> {
    await this.onDesk(application, 'start_review');
    await this.acknowledge(application);
  }

  /** Answers for every open flag of a case. */
  async acknowledge(application: Draft): Promise<void> {
    const given = acknowledgement(await this.get<Flagged>(`/desk/cases/${application.tag}`));
    if (given !== undefined) await this.onDesk(application, 'acknowledge', given);
  }
}

interface Payout {
  readonly next: { readonly amount: number } | null;
  readonly account: { readonly tag: string } | null;
  readonly prepared: {
    readonly tag: string;
    readonly amount: number;
    readonly account: { readonly tag: string };
  } | null;
}

/** One officer prepares what is due to an application's client, to the account that is shown. */
export async function preparePayout(preparer: Officer, { tag }: Draft): Promise<void> {
  const { next, account } = await preparer.get<Payout>(`/applications/${tag}/payout`);
  expect(account, 'the client has no account').not.toBeNull();
  await preparer.post(`/applications/${tag}/payout/prepare`, { amount: next?.amount, accountTag: account?.tag });
}

/** An officer verifies the account that an application is paid to, and its day of waiting passes. */
export async function verifyAccount(by: Officer, kasente: Kasente, { tag }: Draft): Promise<void> {
  const { account } = await by.get<Payout>(`/applications/${tag}/payout`);
  await by.post(`/payout_accounts/${account?.tag}/verify`);
  await kasente.letAccountsWait();
}

/** One officer prepares what is due, another releases it today. */
export async function payOut(
  { preparer, releaser }: { readonly preparer: Officer; readonly releaser: Officer },
  application: Draft,
  reference: string,
): Promise<void> {
  await preparePayout(preparer, application);
  const { prepared } = await releaser.get<Payout>(`/applications/${application.tag}/payout`);
  await releaser.post(`/applications/${application.tag}/payout/release`, {
    payoutTag: prepared?.tag,
    amount: prepared?.amount,
    accountTag: prepared?.account.tag,
    reference,
    date: kampalaDay(),
    password: DEMONSTRATION_PASSWORD,
  });
}

/** An officer of the demonstration, in a browser context of their own. */
export async function officer(page: Page, kasente: Kasente, username = 'staff@kasente.test'): Promise<Officer> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const context = await browser.newContext({ baseURL: kasente.address });
  const answer = await context.request.post('/api/v1/users/login', {
    headers,
    data: { username, password: DEMONSTRATION_PASSWORD },
  });
  expect(answer.status(), username).toBe(200);
  return new Officer(context.request);
}

/** An officer who has asked the client something about a submitted application, and for documents of these types. */
export async function askClient(page: Page, kasente: Kasente, application: Draft, typeNames: readonly string[]) {
  const staff = await officer(page, kasente);
  await staff.review(application);
  const types = await staff.get<{ type: string; typeId: number }[]>(`/invoices/documents/${application.tag}`);
  const typeIds = types.filter(({ type }) => typeNames.includes(type)).map(({ typeId }) => typeId);
  await staff.onDesk(application, 'request_information', { question: 'Which account is it paid to?', typeIds });
  return staff;
}

/** The desk's rows, every second one with the longest names there are and all that can be said of a case. */
export async function longNamed(route: Route): Promise<void> {
  const response = await route.fetch();
  const rows: object[] = JSON.parse(await response.text());
  const officer = { tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12', name: 'Nakabugo-Ssemwanga Josephine' };
  const long = {
    client: 'Kampala Metropolitan Agricultural Processing and Export Traders Cooperative Society Ltd',
    buyer: 'Uganda National Roads and Infrastructure Maintenance Authority, Northern Region',
    invoiceNumber: 'KMAPETCS/2026/NR/000123-B',
    flags: 2,
    mark: 'answered',
    holder: officer,
    firstApprovalBy: officer,
    pending: [
      { kind: 'moreTime', by: officer },
      { kind: 'writeOff', by: officer },
    ],
  };
  await route.fulfill({ response, json: rows.map((row, index) => (index % 2 === 0 ? { ...row, ...long } : row)) });
}
