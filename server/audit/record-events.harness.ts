import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import { plantedPayment } from '#server/journal/planted.harness.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildAssignedCase,
  buildOnceApprovedCase,
  buildReviewedCase,
  buildSubmittedCase,
  type Someone,
} from '#testing/case-builders.ts';
import { invoice } from './record-rows.harness.ts';

/**
 * Events that Kasente never writes, added with matching rows as the server's role could. For each: a description, the
 * case, and the fault that the verification must report.
 */

/** A case, and the context for adding to its log. */
export interface Tampered extends BuiltCase {
  readonly now: Date;
  /** An officer who has nothing to do with the case. */
  readonly other: Someone;
}

type By = Pick<Someone, 'person'>;

/** Adds an event as the server's role could. The database adds it to the chain. */
export const event = (of: Omit<Tampered, 'other'>, action: string, after: RawBuilder<unknown>, by: By = of.officer) =>
  sql`insert into audit_events (at, actor_tag, action, subject_type, subject_tag, after)
    select ${of.now}, ${by.person.tag}, ${action}, 'invoice', tag, ${after} from invoices where id = ${of.id}`;

/** Turns triggers, including those of foreign keys, on or off for the next statements; only the owner may. */
export const triggers = (work: boolean) =>
  sql`set local session_replication_role = ${sql.raw(work ? 'origin' : 'replica')}`;

interface Added {
  readonly by?: By;
  /** The event's content. */
  readonly after?: object;
}

/** A step in log, timeline and row, so that they agree. */
function addedStep(
  of: Tampered,
  name: string,
  [from, to]: readonly [Status, Status],
  set: string,
  { by = of.officer, after = {} }: Added = {},
) {
  return [
    event(of, `application.${name}`, sql`${{ status: to, ...after }}::jsonb`, by),
    sql`insert into application_steps (invoice_id, step, from_status, to_status, at, by_person)
      values (${of.id}, ${name}, ${from}, ${to}, ${of.now}, ${by.person.id})`,
    sql`update invoices set status = ${to}, ${sql.raw(set)} where id = ${of.id}`,
  ];
}

const FREE = 'holder_id = null, held_since = null, clock_runs_since = null';
const decided = (of: Tampered, by: By = of.officer) =>
  `${FREE}, decided_at = '${of.now.toISOString()}', decided_by = ${by.person.id}`;

/** Changes the assignee only in the log; the next step unassigns the case. */
const held = (of: Tampered, holder: string | null) => event(of, 'case.taken', sql`${{ holder }}::jsonb`);

/** A payout in log, journal and rows. */
function addedPayout(of: Tampered, by: By) {
  const tag = randomUUID();
  const paid = { kind: 'disbursement', paid_on: '2026-11-20', method: 'bank', reference: tag };
  const entry = { tag, amount: 80_100_000, ...paid };
  return [
    plantedPayment({ id: of.id, tag, at: of.now, by: by.person.id }),
    ...addedStep(of, 'disburse', ['Approved', 'Disbursed'], `due_on = '2026-12-20', outstanding = advance`, {
      by,
      after: { entry },
    }),
  ];
}

const OTHER_TYPE = 6;
const PLANTED_TAG = '6f1f6a0e-0000-4000-8000-000000000000';
const plantedDocument = { typeId: OTHER_TYPE, fileName: 'planted.pdf', mediaType: 'application/pdf', size: 1 };
const documentEvent = (of: Tampered, action: string, tag: string, after: object) =>
  sql`insert into audit_events (at, actor_tag, action, subject_type, subject_tag, after)
    values (${of.now}, ${of.client.person.tag}, ${action}, 'document', ${tag}, ${{ invoiceTag: of.tag, ...after }}::jsonb)`;

/** A document in log and database. */
const addedDocument = (of: Tampered) => [
  documentEvent(of, 'document.uploaded', PLANTED_TAG, plantedDocument),
  sql`insert into documents (tag, invoice_id, document_type_id, storage_key, file_name, media_type, size_bytes, sha256,
      stored_sha256, uploaded_at, uploaded_by)
    values (${PLANTED_TAG}, ${of.id}, ${OTHER_TYPE}, 'planted', ${plantedDocument.fileName}, ${plantedDocument.mediaType}, ${plantedDocument.size},
      sha256(''), sha256(''), ${of.now}, ${of.client.person.id})`,
];

export const inTheRecord = [
  [
    'the face value, after the submission',
    buildSubmittedCase,
    (of: Tampered) => [
      event(
        of,
        'invoice.changed',
        sql`jsonb_build_object('invoiceNumber', invoice_number, 'invoiceDate', invoice_date, 'currencyId', currency_id,
          'buyerId', buyer_id, 'faceValue', (face_value * 100)::integer + 100)`,
      ),
      invoice('face_value = face_value + 1')(of),
    ],
    'invoice.changed: recorded in Submitted; only a draft may be changed',
  ],
  [
    'the fee, after the submission',
    buildSubmittedCase,
    (of: Tampered) => [
      event(
        of,
        'application.changed',
        sql`(select after -> 'application' || jsonb_build_object('discountFee', (discount_fee * 100)::integer - 100,
            'netProceeds', (net_proceeds * 100)::integer + 100)
          from audit_events where subject_tag = invoices.tag and action = 'application.submit')`,
      ),
      invoice('discount_fee = discount_fee - 1, net_proceeds = net_proceeds + 1')(of),
    ],
    'application.changed: recorded in Submitted; only a draft may be changed',
  ],
  [
    'an approval while the client is asked',
    buildAskedCase,
    (of: Tampered) => addedStep(of, 'approve', ['Info Requested', 'Approved'], decided(of)),
    'approve: recorded in Info Requested, which does not allow it',
  ],
  [
    'a step that leads elsewhere',
    buildAssignedCase,
    (of: Tampered) =>
      addedStep(of, 'startReview', ['Submitted', 'Info Requested'], 'clock_runs_since = null, decide_by = null'),
    'startReview: recorded as leading to Info Requested, but it leads to In Review',
  ],
  [
    'both approvals by one officer',
    buildOnceApprovedCase,
    (of: Tampered) => [
      triggers(true),
      sql`alter table invoices drop constraint invoices_two_officers`,
      held(of, of.officer.person.tag),
      ...addedStep(of, 'approve', ['In Review', 'Approved'], decided(of)),
    ],
    'approve: taken by the officer who gave the other approval',
  ],
  [
    'a payout by the only officer who approved',
    buildApprovedCase,
    (of: Tampered) => addedPayout(of, of.officer),
    'disburse: taken by the only officer who approved',
  ],
  [
    'a payout by who submitted the application',
    buildApprovedCase,
    (of: Tampered) => addedPayout(of, of.client),
    'disburse: taken by the person who submitted the application; only an officer may take it',
  ],
  [
    'a payout released by the officer who prepared it',
    buildApprovedCase,
    (of: Tampered) => [
      event(of, 'payout.prepared', sql`${{ payout: PLANTED_TAG }}::jsonb`),
      event(of, 'payout.released', sql`${{ payout: PLANTED_TAG }}::jsonb`),
    ],
    `payout ${PLANTED_TAG}: released by the officer who prepared it`,
  ],
  [
    'a write-off confirmed by the officer who proposed it',
    buildApprovedCase,
    (of: Tampered) => [event(of, 'writeOff.proposed', sql`null`), event(of, 'writeOff.confirmed', sql`null`)],
    'write-off: confirmed by the officer who proposed it',
  ],
  [
    'an approval by an officer who had given the case back',
    buildReviewedCase,
    (of: Tampered) => [held(of, null), ...addedStep(of, 'approve', ['In Review', 'Approved'], decided(of))],
    'approve: taken by somebody to whom the case was not assigned',
  ],
  [
    'an approval by an officer who never had the case',
    buildReviewedCase,
    (of: Tampered) => addedStep(of, 'approve', ['In Review', 'Approved'], decided(of, of.other), { by: of.other }),
    'approve: taken by somebody to whom the case was not assigned',
  ],
  [
    'a first approval sent back by an officer with whom the case is not',
    buildOnceApprovedCase,
    (of: Tampered) =>
      addedStep(of, 'sendBack', ['In Review', 'In Review'], 'first_approved_by = null, first_approved_at = null', {
        by: of.other,
      }),
    'sendBack: taken by somebody to whom the case was not assigned',
  ],
  [
    'a withdrawal by the officer who has the case',
    buildAssignedCase,
    (of: Tampered) => addedStep(of, 'withdraw', ['Submitted', 'Withdrawn'], `${FREE}, decide_by = null`),
    'withdraw: taken by an officer of the case; only the client may take it',
  ],
  [
    'a document after the approval',
    buildApprovedCase,
    addedDocument,
    `document ${PLANTED_TAG}: recorded in Approved, which accepts no documents`,
  ],
  [
    'a document that was not asked for',
    buildAskedCase,
    addedDocument,
    `document ${PLANTED_TAG}: recorded in Info Requested, but not requested`,
  ],
  [
    'a document deleted after the submission',
    buildSubmittedCase,
    (of: Tampered) => [
      documentEvent(of, 'document.deleted', of.documentTag, { typeId: 1 }),
      sql`delete from documents where tag = ${of.documentTag}`,
    ],
    /document [0-9a-f-]{36}: deleted in Submitted; only documents of a draft may be deleted$/,
  ],
] as const;
