import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { type FailureCode, failures } from '#contract/errors.ts';
import { buildBusiness, buildPerson, buildReadyInvoice, buildSession, buildSignedIn } from '#testing/builders.ts';
import { buildCaseClient, buildOfficer, type CaseClient, caseBuilders, type Someone } from '#testing/case-builders.ts';
import { cookieHeader } from '#testing/servers/server-process.ts';
import type { TestApp } from '#testing/test-app.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { Known } from './fuzz-values.ts';

/** The senders of requests, the rows that requests can name, and the rows that must not change. */

export const roles = ['visitor', 'client', 'staff', 'admin'] as const;
export type Role = (typeof roles)[number];

/** A database with a person of each role, and a stranger with a case in every state. */
export class FuzzWorld {
  readonly known: Known;
  readonly client: CaseClient;
  readonly #app: TestApp;
  readonly #stranger: CaseClient;
  readonly #cookies = new Map<Role, string>();

  private constructor(app: TestApp, client: CaseClient, stranger: CaseClient, known: Known) {
    this.#app = app;
    this.client = client;
    this.#stranger = stranger;
    this.known = known;
  }

  static async create(app: TestApp): Promise<FuzzWorld> {
    const [client, stranger] = [await buildCaseClient(app), await buildCaseClient(app)];
    const officer = await buildOfficer(app);
    const cases = [];
    for (const owner of [client, stranger]) {
      for (const build of Object.values(caseBuilders)) cases.push(await build(app, { client: owner, officer }));
    }
    const drafts = [];
    for (const owner of [client, client, client, stranger]) drafts.push(await buildReadyInvoice(app, owner.person));
    const businesses = [await buildBusiness(app), await buildBusiness(app)];
    const buyers = [await buildBusiness(app, { kind: 'buyer' }), await buildBusiness(app, { kind: 'buyer' })];
    const entries = await app.platform.db.selectFrom('journal_entries').select('tag').execute();
    const { person: admin } = await buildSignedIn(app, { perms: ['KADMIN'] });
    const bystander = await buildPerson(app, { status: 'Verified' });
    const known: Known = {
      tags: {
        cases: [...cases, ...drafts].map(({ tag }) => tag),
        documents: [...cases, ...drafts].map(({ documentTag }) => documentTag),
        businesses: businesses.map(({ tag }) => tag),
        sessions: [await buildSession(app, client.person), await buildSession(app, stranger.person)],
        entries: entries.map(({ tag }) => tag),
        people: [client.person, stranger.person, officer.person, admin, bystander].map(({ tag }) => tag),
      },
      businessIds: [...businesses.map(({ id }) => id), client.person.businessId, stranger.person.businessId],
      buyerIds: buyers.map(({ id }) => id),
      usernames: [client.person.username, '0700000009', 'nobody@kasente.test'],
    };
    const world = new FuzzWorld(app, client, stranger, known);
    // The owner of the cases and their officer.
    world.#cookies.set('client', cookieHeader(client.caller));
    world.#cookies.set('staff', cookieHeader(officer.caller));
    return world;
  }

  /** Sends a request as a person of that role, who logs in again if the last request logged them out. */
  async send(role: Role, { operation, url, headers, payload }: FuzzRequest) {
    const cookie = role === 'visitor' ? undefined : await this.session(role);
    const answer = await this.#app.server.inject({
      method: operation.method,
      url,
      remoteAddress: someAddress(),
      headers: {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    if (answer.statusCode === 401) this.#cookies.delete(role);
    return answer;
  }

  /** The cookie of a person in that role, who logs in first if they have no session. */
  async session(role: Exclude<Role, 'visitor'>): Promise<string> {
    const known = this.#cookies.get(role);
    if (known !== undefined) return known;
    const { caller } = await this.#signedIn(role);
    const cookie = cookieHeader(caller);
    this.#cookies.set(role, cookie);
    return cookie;
  }

  #signedIn(role: Exclude<Role, 'visitor'>): Promise<Someone> {
    if (role === 'client')
      return buildSignedIn(this.#app, { perms: ['BIDA'], businessId: this.client.person.businessId });
    return buildSignedIn(this.#app, { perms: [role === 'staff' ? 'KSTAF' : 'KADMIN'] });
  }

  /** A hash of all rows that visitors and clients may not change: the stranger's rows, staff, and shared rows. */
  async foreignRows(): Promise<string> {
    const { id, businessId } = this.#stranger.person;
    const ofStranger = sql`select id from invoices where business_id = ${businessId}`;
    const parts = [
      sql`select t::text as line from invoices t where business_id = ${businessId}`,
      sql`select t::text from documents t where invoice_id in (${ofStranger})`,
      sql`select t::text from journal_entries t where invoice_id in (${ofStranger})`,
      sql`select t::text from persons t where id = ${id} or permissions && array['KADMIN', 'KSTAF']`,
      sql`select t::text from sessions t where person_id = ${id}`,
      sql`select t::text from businesses t`,
      sql`select t::text from currencies t`,
      sql`select t::text from financing_periods t`,
    ];
    return this.#hash(parts);
  }

  /** A hash of the administrators, which KSTAF may not change. */
  administrators(): Promise<string> {
    return this.#hash([sql`select t::text as line from persons t where permissions && array['KADMIN']`]);
  }

  async #hash(parts: readonly ReturnType<typeof sql>[]): Promise<string> {
    const lines = sql.join([...parts], sql` union all `);
    const { rows } = await sql<{ hash: string }>`select md5(coalesce(string_agg(line, '|' order by line), '')) as hash
      from (${lines}) as lines`.execute(this.#app.platform.db);
    return rows[0]?.hash ?? '';
  }

  /** The clients' permissions and states, in which an escalation would show. */
  async clientsPermissions(): Promise<readonly string[]> {
    const rows = await this.#app.platform.db
      .selectFrom('persons')
      .where('business_id', '=', this.client.person.businessId)
      .select(['permissions', 'status'])
      .distinct()
      .execute();
    return rows.map(({ permissions, status }) => `${permissions.join()} ${status}`);
  }
}

/** A random address, because limits by address are another claim's subject. */
function someAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

interface Judged {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with a reply, or undefined: a status of 500 or more, or a difference from the OpenAPI document. */
export function faultOf(
  { operation }: Pick<FuzzRequest, 'operation'>,
  { statusCode, headers, body }: Judged,
): string | undefined {
  if (statusCode >= 500) return `answered ${statusCode}: ${body.slice(0, 200)}`;
  if (statusCode === 200 && operation.isFile) return undefined;
  const type = String(headers['content-type']);
  // A document that fails to open in a tab shows a page.
  if (operation.isFile && type.startsWith('text/html')) return undefined;
  if (!type.startsWith('application/json')) return `answered ${statusCode} as ${type}`;
  const read: { code?: string; msg?: string } = JSON.parse(body);
  const off = operation.offSchema(statusCode, read);
  if (off !== undefined) return `answered ${statusCode} off the schema: ${off}`;
  if (statusCode === 200) return undefined;
  const known = Object.entries(failures).find(([code]) => code === read.code)?.[1];
  if (known?.status !== statusCode || !hasText(read, known.msg))
    return `answered ${statusCode} as ${read.code}: ${read.msg}`;
  return undefined;
}

const WAIT = /^Try again in [\d,]+ (second|minute|hour)s?$/;
/** The failures whose text has a variable end: details, or a wait. */
const VARIABLE_END: Partial<Record<FailureCode, RegExp>> = {
  LOGIN_THROTTLED: WAIT,
  SECOND_FACTOR_THROTTLED: WAIT,
  SUBMITTED_TOO_SOON: WAIT,
  CODE_COOLDOWN: WAIT,
  CODE_BLOCKED: WAIT,
  TOO_MANY_REQUESTS: WAIT,
  CODE_LIMIT: new RegExp(`${WAIT.source.slice(0, -1)}(\\. You can sign up with your email now)?$`),
  NEW_OFFICER: /^You can do this from \d\d:\d\d (today|tomorrow|on [A-Z][a-z]+ \d{1,2} [A-Z][a-z]{2})$/,
  // Clients choose invoice numbers and names.
  FLAG_OPEN: /^Open: .+ of .+$/s,
  FLAG_ACKNOWLEDGED: /^.+ of .+$/s,
};

function hasText({ code, msg }: { readonly code?: string; readonly msg?: string }, text: string): boolean {
  const after = Object.entries(VARIABLE_END).find(([name]) => name === code)?.[1];
  if (after === undefined) return msg === text;
  const start = `${text}. `;
  return msg?.startsWith(start) === true && after.test(msg.slice(start.length));
}
