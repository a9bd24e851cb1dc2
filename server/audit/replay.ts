import { z } from 'zod';
import { isRecordedStep, type StepName, statusTraits, stepOfRecord, steps } from '#contract/applications/lifecycle.ts';
import type { Approval } from '#contract/desk/rules.ts';
import { balanceOf, paidOutOn, type StandingEntry, settledOn } from '#contract/payments/balance.ts';
import { proposalKinds } from '#contract/payments/schema.ts';
import { addDays } from '#contract/time/calendar.ts';
import { ReplayedJournal } from './replay-journal.ts';
import { type Standing, stepFaults } from './rules.ts';

/**
 * Rebuilds an invoice, its steps and its payments from the log alone (docs/decisions/0015-audit-chain.md). Replays the
 * chained events from first to last, and computes every status, date and sum.
 */

/** An event of an invoice, as stored in its chain. */
interface ReplayedEvent {
  readonly id: number;
  readonly at: Date;
  readonly actorTag: string | null;
  readonly action: string;
  readonly after: unknown;
}

type Value = string | number | null;
/** Values by column: people by tag, times in milliseconds since 1970, amounts in minor units. */
export type Columns = Readonly<Record<string, Value>>;

const terms = z.object({
  invoiceNumber: z.string(),
  invoiceDate: z.string(),
  currencyId: z.number(),
  buyerId: z.number(),
  faceValue: z.number(),
  /** Absent in events of releases without these fields. */
  paymentDueOn: z.string().nullish(),
  vat: z.number().nullish(),
});
const application = z.object({
  reference: z.string(),
  date: z.string(),
  advance: z.number(),
  financingPeriodId: z.number(),
  tenorDays: z.number(),
  feeRateBps: z.number(),
  discountFee: z.number(),
  netProceeds: z.number(),
});
const acceptance = z.object({ version: z.string(), sha256: z.string() });
const offered = z.object({ offer: application.omit({ reference: true, date: true }) });
const extended = z.object({ dueOn: z.string() });
const submitted = terms.partial().extend({
  businessId: z.number().optional(),
  application: application.optional(),
  keyFacts: acceptance.optional(),
  /** Absent if late days cost nothing. */
  lateChargeBps: z.number().default(0),
});
const holder = z.object({ holder: z.string().nullable() });
const declined = z.object({ reason: z.string(), note: z.string() });
/** Events of earlier releases have no `approval`; there it was the first one. */
const givenAgain = z.object({ approval: z.enum(['first', 'decision']).default('first') });
const stepTaken = z.object({
  status: z.string(),
  note: z.string().optional(),
  entry: z.unknown(),
  dueOn: z.string().nullish(),
});
const asked = z.object({ documents: z.array(z.string()) });
const journalEvent = z.object({ entry: z.unknown() });
const payoutEvent = z.object({ payout: z.string() });

/** The state before the first event. */
const UNTOUCHED: Columns = {
  status: 'Draft',
  submitted_at: null,
  submitted_by: null,
  holder: null,
  first_approved_at: null,
  first_approved_by: null,
  decided_at: null,
  decided_by: null,
  decline_reason: null,
  decline_note: null,
  due_on: null,
  outstanding: null,
  surplus_owed: 0,
  settled_on: null,
  settled_at: null,
};

/** Replays the events of one invoice. `tagOf` finds the payment that a reversal refers to. */
export class Replay {
  /** The invoice according to the log. Columns that never occurred in the log are absent. */
  invoice: Record<string, Value> = { ...UNTOUCHED };
  readonly steps: Columns[] = [];
  readonly journal: ReplayedJournal;
  /** The accepted key facts; undefined if the log doesn't have them. */
  keyFacts: Columns | undefined;
  /** The accepted key facts of counter-offers, oldest first. */
  readonly offerFacts: Columns[] = [];
  /** Contradictions within the log, or to Kasente's rules, one sentence each. */
  readonly contradictions: string[] = [];
  isDeleted = false;
  /** The state after each step, with the step's event. */
  readonly #stood: (Standing & { readonly from: number })[] = [];
  /** Who prepared each payout. */
  readonly #prepared = new Map<string, string | null>();
  /** Who proposed the last write-off. */
  #proposer: string | null | undefined;
  /** Who last offered more time. */
  #extender: string | null | undefined;
  #firstSettled: number | undefined;
  /** The newest counter-offer: its terms, and who made it. */
  #offer: { readonly terms: Columns; readonly by: string | null } | undefined;

  constructor(tagOf: (ledgerId: number) => string | undefined) {
    this.journal = new ReplayedJournal(tagOf);
  }

  /** Throws a ZodError for an event that Kasente doesn't write. */
  next(event: ReplayedEvent): void {
    const { action, after } = event;
    if (action === 'invoice.created' || action === 'invoice.changed')
      this.#save(action, termColumns(terms.parse(after)));
    else if (action === 'invoice.deleted') this.isDeleted = true;
    else if (action === 'application.created' || action === 'application.changed')
      this.#save(action, applicationColumns(application.parse(after)));
    else if (action.startsWith('payout.')) this.#payOut(event);
    else if (isProposal(action)) this.#propose(event);
    else if (action.startsWith('journal.')) this.#enter(event, journalEvent.parse(after).entry);
    else if (action.startsWith('case.')) this.#set({ holder: holder.parse(after).holder });
    else this.#step(event);
  }

  /** The invoice's state at an event of one of its documents. */
  standingAt(eventId: number): Standing {
    return this.#stood.findLast(({ from }) => from < eventId) ?? { status: String(UNTOUCHED.status), asked: [] };
  }

  #set(columns: Columns): void {
    Object.assign(this.invoice, columns);
  }

  /** Records the saved fields of a draft. */
  #save(action: string, columns: Columns): void {
    const { status } = this.invoice;
    if (status !== 'Draft') this.contradictions.push(`${action}: recorded in ${status}; only a draft may be changed`);
    this.#set(columns);
  }

  #step(event: ReplayedEvent): void {
    // The first version's format of a submission.
    const recorded = event.action
      .replace(/^application\.submitted$/, 'application.submit')
      .replace(/^application\./, '');
    if (!isRecordedStep(recorded)) return;
    const name = stepOfRecord(recorded);
    const { status, note, entry, dueOn: due } = stepTaken.parse({ entry: undefined, ...Object(event.after) });
    const from = this.invoice.status ?? null;
    const at = event.at.getTime();
    // Releases without a digest of the key facts let an approver pay out.
    const given = { name, to: status, by: event.actorTag, approval: approvalOf(name, event) };
    this.contradictions.push(...stepFaults(given, this.invoice, this.keyFacts !== undefined));
    this.steps.push({
      step: recorded,
      from_status: from,
      to_status: status,
      at,
      by: event.actorTag,
      note: note ?? null,
    });
    const { to } = steps[name];
    this.#set({ status, ...(to === 'same' || statusTraits[to].undecided ? {} : { holder: null }) });
    this.#set(this.#effectOf(name, event));
    this.#stand(name, event);
    if (entry === undefined) return;
    this.#enter(event, entry);
    this.#settle(at, due);
  }

  #stand(name: StepName, { id: from, after }: ReplayedEvent): void {
    const before = this.#stood.at(-1)?.asked ?? [];
    const documents = name === 'requestInformation' ? asked.parse(after).documents : before;
    this.#stood.push({ from, status: String(this.invoice.status), asked: documents });
  }

  #effectOf(name: StepName, { at: moment, actorTag: by, after }: ReplayedEvent): Columns {
    const at = moment.getTime();
    switch (name) {
      case 'submit':
        this.#submit(submitted.parse(after), { at, by });
        return { submitted_at: at, submitted_by: by };
      case 'approveFirst':
        return { first_approved_at: at, first_approved_by: by, holder: null };
      case 'approveAgain':
        return approvalOf(name, { after }) === 'first'
          ? { first_approved_at: at, first_approved_by: by }
          : { decided_by: by };
      case 'counterOffer':
        this.#offer = { terms: offerColumns(offered.parse(after).offer), by };
        return { first_approved_at: null, first_approved_by: null };
      case 'acceptOffer':
        return { ...this.#acceptOffer(after, { at, by }), decided_at: at, decided_by: this.#offer?.by ?? null };
      case 'acceptOfferFirst':
        return {
          ...this.#acceptOffer(after, { at, by }),
          first_approved_at: at,
          first_approved_by: this.#offer?.by ?? null,
          holder: null,
        };
      case 'offerExtension':
        this.#extender = by;
        return {};
      case 'agreeExtension':
        if (by === this.#extender) this.contradictions.push('more time: agreed by the officer who offered it');
        return {};
      case 'acceptExtension':
        return { due_on: extended.parse(after).dueOn };
      case 'sendBack':
      case 'voidApproval':
      case 'voidFirstApproval':
        return { first_approved_at: null, first_approved_by: null };
      case 'withdraw': // an approval keeps its officer
        return this.invoice.decided_at === null ? { first_approved_at: null, first_approved_by: null } : {};
      case 'approve':
        return { decided_at: at, decided_by: by };
      case 'decline': {
        const { reason, note } = declined.parse(after);
        return { decided_at: at, decided_by: by, decline_reason: reason, decline_note: note };
      }
      default:
        return {};
    }
  }

  /** Applies the terms of the newest offer. */
  #acceptOffer(after: unknown, accepted: Columns): Columns {
    this.offerFacts.push({ ...z.object({ keyFacts: acceptance }).parse(after).keyFacts, ...accepted });
    return this.#offer?.terms ?? {};
  }

  /** The submitted data must equal the saved data: nobody may have changed the row in between. */
  #submit(
    { keyFacts, businessId, application: applied, lateChargeBps, ...rest }: z.output<typeof submitted>,
    accepted: Columns,
  ): void {
    if (keyFacts !== undefined) this.keyFacts = { ...keyFacts, ...accepted };
    const given: Columns = {
      ...termColumns(rest),
      ...(applied === undefined ? {} : applicationColumns(applied)),
      ...(businessId === undefined ? {} : { business_id: businessId }),
    };
    for (const [column, value] of Object.entries(given)) {
      const saved = this.invoice[column];
      if (saved !== undefined && saved !== value)
        this.contradictions.push(`${column}: ${saved} was saved, but ${value} submitted`);
    }
    this.#set({ ...given, late_charge_bps: lateChargeBps });
  }

  #enter({ at, actorTag }: ReplayedEvent, entry: unknown): void {
    const { face_value: faceValue, advance, net_proceeds: netProceeds } = this.invoice;
    const known = typeof faceValue === 'number' && typeof advance === 'number' && typeof netProceeds === 'number';
    const terms = known ? { faceValue, advance, netProceeds } : undefined;
    const recorded = { recorded_at: at.getTime(), recorded_by: actorTag };
    this.contradictions.push(...this.journal.enter(entry, terms, recorded));
    if (typeof advance !== 'number') return;
    const { outstanding, surplusOwed } = balanceOf(advance, this.journal.standing);
    const isOut = this.invoice.status !== 'Approved';
    this.#set({ outstanding: isOut ? outstanding : null, surplus_owed: surplusOwed });
  }

  /** Sets the days on the invoice's row that follow from its payments. */
  #settle(at: number, due: string | null | undefined): void {
    const { advance, tenor_days: tenorDays, status } = this.invoice;
    if (typeof advance !== 'number' || typeof tenorDays !== 'number') return;
    const { standing } = this.journal;
    const isSettled = status === 'Settled';
    if (isSettled) this.#firstSettled ??= at;
    this.#set({
      due_on: due === undefined ? earlierDueOn(tenorDays, standing) : due,
      settled_on: settledOn(advance, standing),
      settled_at: isSettled ? (this.#firstSettled ?? null) : null,
    });
  }

  /** An officer's proposal about money must be confirmed by another officer. */
  #propose({ action, actorTag }: ReplayedEvent): void {
    const [kind, what] = action.split('.');
    if (what === 'proposed') this.#proposer = actorTag;
    if (what === 'confirmed' && this.#proposer === actorTag)
      this.contradictions.push(`${kind === 'writeOff' ? 'write-off' : kind}: confirmed by the officer who proposed it`);
  }

  /** A payout must be released by an officer other than the one who prepared it. */
  #payOut({ action, actorTag, after }: ReplayedEvent): void {
    const { payout } = payoutEvent.parse(after);
    if (action === 'payout.prepared') this.#prepared.set(payout, actorTag);
    if (action === 'payout.released' && this.#prepared.get(payout) === actorTag)
      this.contradictions.push(`payout ${payout}: released by the officer who prepared it`);
  }
}

/** Releases that didn't record a due date counted the tenor from the payout, even to a Sunday or holiday. */
function earlierDueOn(tenorDays: number, standing: readonly StandingEntry[]): string | null {
  const paidOut = paidOutOn(standing);
  return paidOut && addDays(paidOut, tenorDays);
}

function isProposal(action: string): boolean {
  return proposalKinds.some((kind) => action.startsWith(`${kind}.`));
}

const TERM_COLUMNS = {
  invoiceNumber: 'invoice_number',
  invoiceDate: 'invoice_date',
  currencyId: 'currency_id',
  buyerId: 'buyer_id',
  faceValue: 'face_value',
} as const satisfies Partial<Record<keyof z.output<typeof terms>, string>>;

const BUYER_TERM_COLUMNS = {
  paymentDueOn: 'payment_due_on',
  vat: 'vat',
} as const satisfies Partial<Record<keyof z.output<typeof terms>, string>>;

const APPLICATION_COLUMNS = {
  reference: 'application_reference',
  date: 'application_date',
  advance: 'advance',
  financingPeriodId: 'financing_period_id',
  tenorDays: 'tenor_days',
  feeRateBps: 'fee_rate_bps',
  discountFee: 'discount_fee',
  netProceeds: 'net_proceeds',
} as const satisfies Record<keyof z.output<typeof application>, string>;

function termColumns(given: Partial<z.output<typeof terms>>): Columns {
  return renamed({ ...TERM_COLUMNS, ...BUYER_TERM_COLUMNS }, given);
}

function applicationColumns(given: z.output<typeof application>): Columns {
  return renamed(APPLICATION_COLUMNS, given);
}

function offerColumns(given: z.output<typeof offered>['offer']): Columns {
  return renamed(APPLICATION_COLUMNS, given);
}

function renamed(names: Readonly<Record<string, string>>, given: Readonly<Record<string, Value | undefined>>): Columns {
  const columns: Record<string, Value> = {};
  for (const [key, column] of Object.entries(names)) {
    const value = given[key];
    if (value !== undefined) columns[column] = value;
  }
  return columns;
}

/** The columns that the log must have to cover an invoice. */
export const coveredColumns: readonly string[] = Object.values(TERM_COLUMNS);
export const applicationColumnNames: readonly string[] = Object.values(APPLICATION_COLUMNS);

/** Which of the two approvals a step gives. */
function approvalOf(name: StepName, { after }: Pick<ReplayedEvent, 'after'>): Approval {
  return name === 'approveAgain' ? givenAgain.parse(after).approval : 'decision';
}
