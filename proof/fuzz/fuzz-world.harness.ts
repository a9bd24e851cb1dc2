import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { type FailureCode, failures } from '#contract/errors.ts';
import {
  buildBusiness,
  buildPerson,
  buildReadyInvoice,
  buildSession,
  buildSignedIn,
} from '#server/testing/builders.ts';
import {
  buildCaseClient,
  buildOfficer,
  type CaseClient,
  caseBuilders,
  type Someone,
} from '#server/testing/case-builders.ts';
import type { TestApp, TestCaller } from '#server/testing/test-app.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { Known } from './fuzz-values.ts';

/** Whom requests are sent as, what exists that they can name, and what must not change by them. */

export const roles = ['visitor', 'client', 'staff', 'admin'] as const;
export type Role = (typeof roles)[number];

/** A world with somebody of each role, and a stranger with a case in every state. */
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
    // Whose the cases are, and who has them on their desk.
    world.#cookies.set('client', cookieOf(client.caller));
    world.#cookies.set('staff', cookieOf(officer.caller));
    return world;
  }

  /** Sends a request as somebody of that role, who logs in again where the last request logged them out. */
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

  /** The cookie of somebody of that role, who logs in for it where nobody of it is. */
  async session(role: Exclude<Role, 'visitor'>): Promise<string> {
    const known = this.#cookies.get(role);
    if (known !== undefined) return known;
    const { caller } = await this.#somebody(role);
    const cookie = cookieOf(caller);
    this.#cookies.set(role, cookie);
    return cookie;
  }

  #somebody(role: Exclude<Role, 'visitor'>): Promise<Someone> {
    if (role === 'client')
      return buildSignedIn(this.#app, { perms: ['BIDA'], businessId: this.client.person.businessId });
    return buildSignedIn(this.#app, { perms: [role === 'staff' ? 'KSTAF' : 'KADMIN'] });
  }

  /** A hash of everything that neither visitors nor clients may change: the stranger's rows, staff, and what all share. */
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

  /** A hash of what KSTAF must not change: who administers. */
  administrators(): Promise<string> {
    return this.#hash([sql`select t::text as line from persons t where permissions && array['KADMIN']`]);
  }

  async #hash(parts: readonly ReturnType<typeof sql>[]): Promise<string> {
    const lines = sql.join([...parts], sql` union all `);
    const { rows } = await sql<{ hash: string }>`select md5(coalesce(string_agg(line, '|' order by line), '')) as hash
      from (${lines}) as lines`.execute(this.#app.platform.db);
    return rows[0]?.hash ?? '';
  }

  /** What clients are by now: one that made itself more would stand out. */
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

function cookieOf({ cookies }: TestCaller): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** A carrier has many: the limits by address are another claim's. */
function someAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

interface Judged {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with an answer, or undefined: that it is of 500 or more, or not what the OpenAPI document says. */
export function faultOf(
  { operation }: Pick<FuzzRequest, 'operation'>,
  { statusCode, headers, body }: Judged,
): string | undefined {
  if (statusCode >= 500) return `answered ${statusCode}: ${body.slice(0, 200)}`;
  if (statusCode === 200 && operation.isFile) return undefined;
  const type = String(headers['content-type']);
  // A person who opens a document in a tab is told in words.
  if (operation.isFile && type.startsWith('text/html')) return undefined;
  if (!type.startsWith('application/json')) return `answered ${statusCode} as ${type}`;
  const read: { code?: string; msg?: string } = JSON.parse(body);
  const off = operation.offSchema(statusCode, read);
  if (off !== undefined) return `answered ${statusCode} off the schema: ${off}`;
  if (statusCode === 200) return undefined;
  const known = Object.entries(failures).find(([code]) => code === read.code)?.[1];
  if (known?.status !== statusCode || !isSaid(read, known.msg))
    return `answered ${statusCode} as ${read.code}: ${read.msg}`;
  return undefined;
}

const WAIT = /^Try again in [\d,]+ (second|minute|hour)s?$/;
/** What is said after a failure's own text: what in particular, or how long to wait. After any other's nothing is. */
const SAID_AFTER: Partial<Record<FailureCode, RegExp>> = {
  LOGIN_THROTTLED: WAIT,
  SECOND_FACTOR_THROTTLED: WAIT,
  SUBMITTED_TOO_SOON: WAIT,
  CODE_COOLDOWN: WAIT,
  CODE_BLOCKED: WAIT,
  TOO_MANY_REQUESTS: WAIT,
  CODE_LIMIT: new RegExp(`${WAIT.source.slice(0, -1)}(\\. You can sign up with your email now)?$`),
  NEW_OFFICER: /^You can do this from \d\d:\d\d (today|tomorrow|on [A-Z][a-z]+ \d{1,2} [A-Z][a-z]{2})$/,
  // Numbers of invoices and names of clients are theirs to choose.
  FLAG_OPEN: /^Open: .+ of .+$/s,
  FLAG_ACKNOWLEDGED: /^.+ of .+$/s,
};

function isSaid({ code, msg }: { readonly code?: string; readonly msg?: string }, text: string): boolean {
  const after = Object.entries(SAID_AFTER).find(([name]) => name === code)?.[1];
  if (after === undefined) return msg === text;
  const start = `${text}. `;
  return msg?.startsWith(start) === true && after.test(msg.slice(start.length));
}
