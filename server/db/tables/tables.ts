import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DeclineReason } from '#contract/applications/decline-reasons.ts';
import type { RecordedStep, Status } from '#contract/applications/lifecycle.ts';
import type { PersonStatus } from '#contract/people/schema.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import type { AccountTables } from './account-tables.ts';
import type { AuditTables } from './audit-tables.ts';
import type { CollectionTables } from './collection-tables.ts';
import type { FlagTables } from './flag-tables.ts';
import type { InstallationTables } from './installation-tables.ts';
import type { JournalTables } from './journal-tables.ts';
import type { OfferTables } from './offer-tables.ts';
import type { PayoutTables } from './payout-tables.ts';
import type { StatementTables } from './statement-tables.ts';
import type { TaxRates } from './tax-rates.ts';

/**
 * The database's tables for TypeScript; the migrations define them. Money columns are NUMERIC(15,2): read as minor
 * units (number), written as `minorToNumeric` text. DATE is YYYY-MM-DD text.
 */

export type Money = ColumnType<number, string, string>;
type MoneyOrNull = ColumnType<number | null, string | null, string | null>;
type MoneyWithDefault = ColumnType<number, string | undefined, string>;

export interface Named {
  id: number;
  name: string;
}

export interface Businesses {
  id: Generated<number>;
  tag: Generated<string>;
  name: string;
  industry_id: number;
  district_id: number;
  is_client: boolean;
  is_buyer: boolean;
  active: boolean;
  created_at: Date;
  /** Whether it is or was a buyer: every client sees its name. */
  ever_buyer: Generated<boolean>;
  /** The TIN: 10 digits, unique. */
  tin: string | null;
  /** After how many days it usually pays, as a buyer; null if unknown. */
  usual_terms_days: number | null;
  /** A designated withholding-tax agent. */
  withholds_tax: Generated<boolean>;
  /** A VAT-withholding agent. */
  withholds_vat: Generated<boolean>;
}

/** A buyer that a client requested; a closed request has a buyer or a reason. */
export interface BuyerRequests {
  id: Generated<number>;
  tag: Generated<string>;
  business_id: number;
  name: string;
  requested_at: Date;
  requested_by: number;
  closed_at: Date | null;
  closed_by: number | null;
  buyer_id: number | null;
  refusal: string | null;
}

export interface Persons {
  id: Generated<number>;
  tag: Generated<string>;
  username: string;
  username_kind: 'email' | 'phone';
  password_hash: string;
  status: PersonStatus;
  permissions: Generated<PermissionCode[]>;
  first_name: string | null;
  last_name: string | null;
  designation: string | null;
  gender: string | null;
  phone: string | null;
  email: string | null;
  business_id: number | null;
  industry_id: number | null;
  district_id: number | null;
  created_at: Date;
  last_login_at: Date | null;
  /** What a person who waits for activation said about their business. */
  stated_business: string | null;
  stated_tin: string | null;
  /** The officer who let them act for their business, and when; null if unknown or by the command line. */
  placed_by: number | null;
  placed_at: Date | null;
  /** When they became an officer; null if unknown or never. */
  officer_since: Date | null;
  /** Granted by the command line when there was no other officer. */
  first_officer: Generated<boolean>;
  /** Waits for activation: first in the users list. */
  waiting: GeneratedAlways<boolean>;
  /** Name, phone and e-mail as searched by the users list: without case, accents and punctuation. */
  search_form: GeneratedAlways<string>;
}

export interface Invoices {
  id: Generated<number>;
  tag: Generated<string>;
  version: Generated<number>;
  business_id: number;
  buyer_id: number;
  currency_id: number;
  invoice_number: string;
  invoice_number_key: string;
  invoice_date: string;
  face_value: Money;
  /** When the buyer pays, by the invoice; null if the client named no day. */
  payment_due_on: string | null;
  /** The VAT in the face value; null if the client named none. */
  vat: MoneyOrNull;
  status: Generated<Status>;
  /** The sort key of the lists: the application date, before there is one the creation date. */
  listed_on: string;
  created_at: Date;
  created_by: number;
  application_tag: string | null;
  application_version: number | null;
  application_reference: string | null;
  application_date: string | null;
  advance: MoneyOrNull;
  financing_period_id: number | null;
  tenor_days: number | null;
  fee_rate_bps: number | null;
  discount_fee: MoneyOrNull;
  net_proceeds: MoneyOrNull;
  submitted_at: Date | null;
  submitted_by: number | null;
  /** The assigned officer. */
  holder_id: number | null;
  held_since: Date | null;
  first_approved_by: number | null;
  first_approved_at: Date | null;
  /** The SLA's target at submission, in milliseconds of working time. */
  decision_target_ms: number | null;
  clock_runs_since: Date | null;
  clock_used_ms: Generated<number>;
  decide_by: Date | null;
  /** When the client was told that the SLA was missed. */
  promise_missed_at: Date | null;
  decided_at: Date | null;
  decided_by: number | null;
  decline_reason: DeclineReason | null;
  decline_note: string | null;
  due_on: string | null;
  /** The day until which its fee is posted as earned; null before the first day. */
  fee_earned_until: string | null;
  /** Basis points a day of the late unpaid part, as of the submission. */
  late_charge_bps: Generated<number>;
  /** The day of the payout; null while the due date is that day plus the tenor. */
  paid_out_on: string | null;
  outstanding: MoneyOrNull;
  /** Received above what was owed and not yet passed on to the client; stored for the desk. */
  surplus_owed: MoneyWithDefault;
  /** The day on which the advance was fully paid back. */
  settled_on: string | null;
  /** When that was recorded: growth of limits counts from it. */
  settled_at: Date | null;
  /** The number's key for look-alikes: without punctuation, similar letters as one (0020-officers-who-cheat). */
  invoice_number_look: GeneratedAlways<string>;
  /** The reference of its repayments, derived from the id (contract/payments/repayment-reference.ts). */
  repayment_reference: GeneratedAlways<string>;
}

/** The steps, oldest first by id; append-only. */
export interface ApplicationSteps {
  id: Generated<number>;
  invoice_id: number;
  step: RecordedStep;
  from_status: Status;
  to_status: Status;
  at: Date;
  by_person: number | null;
  note: string | null;
}

export interface InformationRequests {
  id: Generated<number>;
  tag: Generated<string>;
  invoice_id: number;
  question: string;
  asked_at: Date;
  asked_by: number;
  closed_at: Date | null;
  answer: string | null;
  answered_by: number | null;
  recalled: Generated<boolean>;
}

export interface InformationRequestDocuments {
  request_id: number;
  document_type_id: number;
  /** The document at the time of the request, which a new one replaces. */
  earlier_document_id: number | null;
  /** Whether it had arrived when the request was closed. */
  uploaded: Generated<boolean>;
}

/** Accepted key facts; append-only. */
export interface KeyFactsAcceptances {
  invoice_id: number;
  version: string;
  facts: unknown;
  accepted_at: Date;
  accepted_by: number;
}

export interface FundingLimits {
  business_id: number;
  currency_id: number;
  amount: Money;
  set_at: Date;
  set_by: number;
}

export interface LimitProposals {
  id: Generated<number>;
  tag: Generated<string>;
  business_id: number;
  currency_id: number;
  /** The limit that it would replace. */
  replaces: Money;
  amount: Money;
  reason: string;
  proposed_at: Date;
  proposed_by: number;
  closed_at: Date | null;
  closed_by: number | null;
  outcome: 'confirmed' | 'declined' | 'replaced' | null;
}

export interface Documents {
  id: Generated<number>;
  tag: Generated<string>;
  invoice_id: number;
  document_type_id: number;
  storage_key: string;
  file_name: string;
  media_type: string;
  size_bytes: number;
  /** The digest of the file as it was uploaded. */
  sha256: Buffer;
  /** The digest of the stored file: pictures are redrawn and PDFs rewritten before they are stored. */
  stored_sha256: Buffer;
  /** What was taken out of the file before it was stored (contract/documents/removals.ts), separated by commas. */
  removed: string | null;
  uploaded_at: Date;
  uploaded_by: number;
}

/** Files that are being stored. */
export interface PendingFiles {
  storage_key: string;
  started_at: Date;
}

/** An upload in parts, kept for a while after it became a document (docs/decisions/0025-uploads-that-resume.md). */
export interface UnfinishedUploads {
  id: Generated<number>;
  tag: Generated<string>;
  person_id: number;
  invoice_id: number;
  document_type_id: number;
  file_name: string;
  size_bytes: number;
  sha256: Buffer;
  touched_at: Date;
  /** The document that it became; then its parts are gone. */
  document_tag: string | null;
}

export interface UploadParts {
  upload_id: number;
  part: number;
  content: Buffer;
}

/** The store audit's current findings. */
export interface StoreFindings {
  storage_key: string;
  finding: 'orphan' | 'missing' | 'altered';
  found_at: Date;
}

/** Files to remove from the store, in order; their documents are gone. */
export interface DiscardedFiles {
  storage_key: string;
  turn: ColumnType<number, never, number>;
}

export interface IdempotencyKeys {
  person_id: number;
  key: string;
  request_hash: Buffer;
  reply: unknown;
  created_at: Date;
}

export interface Messages {
  id: Generated<number>;
  tag: Generated<string>;
  channel: 'email' | 'sms';
  recipient: string;
  subject: string;
  body: Buffer | null;
  created_at: Date;
  expires_at: Date | null;
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'expired'>;
  attempts: Generated<number>;
  claim: string | null;
  handed_over_at: Date | null;
  sent_at: Date | null;
  last_error: string | null;
  about: string | null;
  /** The person whose act caused it, if it counts among their texts. */
  caused_by: number | null;
  due_at: Date | null;
}

/** Exact row counts of growing lists, kept by triggers; `scope` is a business's id or a shard's number. */
export interface RowCounts {
  list: 'invoices' | 'persons';
  scope: number;
  rows: number;
}

export interface Tables
  extends AccountTables,
    AuditTables,
    CollectionTables,
    FlagTables,
    InstallationTables,
    JournalTables,
    OfferTables,
    PayoutTables,
    StatementTables {
  sectors: Named & { isic: string | null; position: number };
  districts: Named & { kind: string; region: string };
  currencies: { id: number; code: string; name: string };
  financing_periods: Named & { days: number };
  fee_modes: Named & { code: string };
  document_types: Named & { mandatory: boolean; position: number };
  tax_rates: TaxRates;
  businesses: Businesses;
  buyer_requests: BuyerRequests;
  persons: Persons;
  invoices: Invoices;
  documents: Documents;
  application_steps: ApplicationSteps;
  information_requests: InformationRequests;
  information_request_documents: InformationRequestDocuments;
  key_facts_acceptances: KeyFactsAcceptances;
  funding_limits: FundingLimits;
  limit_proposals: LimitProposals;
  public_holidays: { date: string; name: string; source: string };
  pending_files: PendingFiles;
  discarded_files: DiscardedFiles;
  store_findings: StoreFindings;
  unfinished_uploads: UnfinishedUploads;
  upload_parts: UploadParts;
  drawn_letters: { digest: Buffer; content: Buffer; seal: Buffer; asked_at: Date };
  idempotency_keys: IdempotencyKeys;
  row_counts: RowCounts;
  messages: Messages;
}
