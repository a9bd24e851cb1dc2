import { randomBytes, randomUUID } from 'node:crypto';
import { takeIn } from '#server/statements/statements.harness.ts';
import { buildBusiness, buildInvoice, buildPerson, buildReadyInvoice, buildSession } from '#testing/builders.ts';
import { buildOfficer, caseBuilders } from '#testing/case-builders.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import type { TestApp } from '#testing/test-app.ts';
import type { Part } from '#testing/uploads.ts';
import { type CallerKind, callerKinds, type MatrixCaller } from './matrix-callers.ts';

/** The rows that the permission matrix's calls name: a caller's own, somebody else's, and none. */

export const rowKinds = ['own', 'foreign', 'absent'] as const;
export type RowKind = (typeof rowKinds)[number];

/** The request of a case. */
export interface MatrixRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly bytes?: Buffer;
  readonly form?: { readonly fields: readonly Part[]; readonly file: Buffer };
}

type Outcome = number | Readonly<Partial<Record<CallerKind, number>> & { other: number }>;

/** One endpoint's cases: who has permission, the request, and the expected outcome. */
export interface Sample {
  /** Who has permission; any other caller with a session gets 403. */
  readonly who: 'public' | 'session' | 'client' | 'staff' | 'clientOrStaff' | 'admin';
  readonly request?: (row: Rows) => Promise<MatrixRequest>;
  readonly own: Outcome;
  readonly foreign?: Outcome;
  readonly absent?: Outcome;
}

/** The kinds of caller that each permission allows. */
export const admitted: Record<Sample['who'], readonly CallerKind[]> = {
  public: callerKinds,
  session: ['noPermission', 'client', 'staff', 'admin'],
  client: ['client'],
  staff: ['staff', 'admin'],
  clientOrStaff: ['client', 'staff', 'admin'],
  admin: ['admin'],
};

interface Reading {
  readonly isRead: boolean;
}

interface StrangersRow {
  readonly tag: string;
  readonly documentTag: string;
}

const strangersRows = new WeakMap<TestApp, Map<string, Promise<StrangersRow>>>();

/**
 * One stranger's row, shared by all callers who don't change it: they only read it, or are refused before it is read.
 */
function strangersRow(app: TestApp, name: string, build: () => Promise<StrangersRow>): Promise<StrangersRow> {
  const made = strangersRows.get(app) ?? new Map<string, Promise<StrangersRow>>();
  strangersRows.set(app, made);
  const known = made.get(name) ?? build();
  made.set(name, known);
  return known;
}

/** Rows of the kind that a case needs, made for that case's caller. */
export class Rows {
  readonly app: TestApp;
  readonly caller: MatrixCaller;
  readonly kind: RowKind;
  /** Whether the call leaves a stranger's row unchanged. */
  readonly #changesNothing: boolean;

  constructor(app: TestApp, caller: MatrixCaller, kind: RowKind, { who, isRead }: Pick<Sample, 'who'> & Reading) {
    this.app = app;
    this.caller = caller;
    this.kind = kind;
    const isAdmitted = who === 'public' || (caller.person !== null && admitted[who].includes(caller.kind));
    this.#changesNothing = !isAdmitted || (isRead && kind === 'foreign');
  }

  /** The tag of a draft that is ready to be submitted, and of one of its documents. */
  async invoice(): Promise<{ tag: string; documentTag: string }> {
    if (this.kind === 'absent') return { tag: randomUUID(), documentTag: randomUUID() };
    const { person } = this.caller;
    if (this.kind === 'own' && person !== null && person.businessId !== null)
      return buildReadyInvoice(this.app, { id: person.id, businessId: person.businessId });
    const build = async () => buildReadyInvoice(this.app, await this.#stranger());
    return this.#changesNothing ? strangersRow(this.app, 'Draft', build) : build();
  }

  async #stranger() {
    const business = await buildBusiness(this.app);
    const person = await buildPerson(this.app, { perms: ['BIDA'], businessId: business.id });
    return { id: person.id, businessId: business.id };
  }

  /** The tag of the caller, of somebody else who waits for activation, or of nobody. */
  async person(): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    if (this.kind === 'own' && this.caller.person !== null) return this.caller.person.tag;
    return (await buildPerson(this.app, { status: 'Verified' })).tag;
  }

  /**
   * The tag of a case in that status: the caller's own, as its client or as its assigned officer; otherwise a
   * stranger's.
   */
  async case(status: keyof typeof caseBuilders): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    const { caller, person } = this.caller;
    const isOwn = this.kind === 'own' && person !== null && person.businessId !== null;
    if (this.#changesNothing && !isOwn)
      return (await strangersRow(this.app, status, () => caseBuilders[status](this.app))).tag;
    const given = {
      ...(isOwn ? { client: { caller, person: { ...person, businessId: person.businessId, username: '' } } } : {}),
      // A case's only approver may not pay it out.
      ...(person !== null && status !== 'Approved' && admitted.staff.includes(this.caller.kind)
        ? { officer: { caller, person: { ...person, username: '' } } }
        : {}),
    };
    return (await caseBuilders[status](this.app, given)).tag;
  }

  /** The tag of the only ledger entry of a case that is paid out. */
  async entry(): Promise<string> {
    const tag = await this.case('Disbursed');
    const entry = await this.app.platform.db
      .selectFrom('journal_entries')
      .innerJoin('invoices', 'invoices.id', 'journal_entries.invoice_id')
      .where('invoices.tag', '=', tag)
      .select('journal_entries.tag')
      .executeTakeFirst();
    return entry?.tag ?? randomUUID();
  }

  /** The tag of money that waits in the suspense account; it belongs to nobody. */
  async received(): Promise<string> {
    return (await this.#imported()).line;
  }

  /** The tag of a statement with one line. */
  async statement(): Promise<string> {
    return (await this.#imported()).statement;
  }

  async #imported(): Promise<{ readonly line: string; readonly statement: string }> {
    if (this.kind === 'absent') return { line: randomUUID(), statement: randomUUID() };
    const id = randomUUID();
    await takeIn(this.app, await buildOfficer(this.app), [{ id, amount: 1_000 }]);
    return this.app.platform.db
      .selectFrom('statement_lines as line')
      .innerJoin('statements', 'statements.id', 'line.statement_id')
      .where('provider_id', '=', id)
      .select(['line.tag as line', 'statements.tag as statement'])
      .executeTakeFirstOrThrow();
  }

  /**
   * The tag of an upload begun by the caller, by somebody else, or by nobody; of {@link samplePdf}, with none of it
   * arrived.
   */
  async upload(): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    const { person } = this.caller;
    const own = this.kind === 'own' && person !== null && person.businessId !== null;
    const owner = own ? { id: person.id, businessId: person.businessId ?? 0 } : await this.#stranger();
    const invoice = await buildInvoice(this.app, owner);
    const { tag } = await this.app.platform.db
      .insertInto('unfinished_uploads')
      .values({
        person_id: owner.id,
        invoice_id: invoice.id,
        document_type_id: 4,
        file_name: 'scan.pdf',
        size_bytes: samplePdf().length,
        sha256: randomBytes(32),
        touched_at: this.app.clock.now(),
        document_tag: null,
      })
      .returning('tag')
      .executeTakeFirstOrThrow();
    return tag;
  }

  /** The tag of another session of the caller, of somebody else's session, or of none. */
  async session(): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    const { person } = this.caller;
    const owner = this.kind === 'own' && person !== null ? person : await buildPerson(this.app);
    return buildSession(this.app, owner);
  }

  async officer(): Promise<string> {
    return (await buildOfficer(this.app)).person.tag;
  }

  async business(): Promise<string> {
    return this.kind === 'absent' ? randomUUID() : (await buildBusiness(this.app)).tag;
  }

  /** The tag of a limit that another officer proposed for some client. */
  async limitProposal(): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    const { id } = await buildPerson(this.app, { perms: ['KSTAF'] });
    const business = await buildBusiness(this.app);
    const { tag } = await this.app.platform.db
      .insertInto('limit_proposals')
      .values({
        business_id: business.id,
        currency_id: 1,
        replaces: '50000000',
        amount: '60000000',
        reason: 'It has grown',
        proposed_at: this.app.clock.now(),
        proposed_by: id,
        closed_at: null,
        closed_by: null,
        outcome: null,
      })
      .returning('tag')
      .executeTakeFirstOrThrow();
    return tag;
  }

  /** The tag of some client's open request for a buyer. */
  async buyerRequest(): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    const { id, businessId } = await this.#stranger();
    const { tag } = await this.app.platform.db
      .insertInto('buyer_requests')
      .values({ business_id: businessId, name: randomUUID(), requested_at: this.app.clock.now(), requested_by: id })
      .returning('tag')
      .executeTakeFirstOrThrow();
    return tag;
  }

  /** The tag of a payout account of the caller's business, of another business, or of none. */
  async payoutAccount(state: 'verified' | 'unverified' = 'verified'): Promise<string> {
    if (this.kind === 'absent') return randomUUID();
    const { caller, person } = this.caller;
    const isOwn = this.kind === 'own' && state === 'verified' && person !== null && person.businessId !== null;
    const owner = isOwn ? { id: person.id, businessId: person.businessId ?? 0 } : await this.#stranger();
    const client = { caller, person: { ...owner, tag: randomUUID(), username: '' } };
    const officer = { person: await buildPerson(this.app, { perms: ['KSTAF'] }) };
    return buildPayoutAccount(this.app, client, officer, state === 'verified' ? {} : { verifiedAt: null });
  }

  async clientBusinessId(): Promise<number> {
    return (await buildBusiness(this.app)).id;
  }

  async buyerId(): Promise<number> {
    return (await buildBusiness(this.app, { kind: 'buyer' })).id;
  }
}
