import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DeclineReason } from '#contract/applications/decline-reasons.ts';
import type { RecordedStep, Status } from '#contract/applications/lifecycle.ts';
import type { CollectionKind, ContactChannel } from '#contract/collections/schema.ts';
import type { DuplicateKind, FlagKind } from '#contract/desk/schema.ts';
import type { TaxKind } from '#contract/invoices/expected-cash.ts';
import type { AccountCode, AccountKind, CashMethod } from '#contract/journal/accounts.ts';
import type { Deduction, OutsideKind, PostedKind } from '#contract/journal/position.ts';
import type { Payer, ProposalKind } from '#contract/payments/schema.ts';
import type { ProviderCode } from '#contract/payouts/account.ts';
import type { HolderState } from '#contract/payouts/holders.ts';
import type { PayoutKind } from '#contract/payouts/schema.ts';
import type { PersonStatus } from '#contract/people/schema.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import type { Rail, StatementAccount } from '#contract/statements/layouts.ts';
import type { TransferState } from '#contract/transfers/asking.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';

/**
 * The database's tables for TypeScript, written by `npx vitest run server/migrations/schema.test.ts -u`: change the
 * migrations and server/migrations/column-types.harness.ts, not this file. Money columns are NUMERIC(15,2): read as minor
 * units (number), written as `minorToNumeric` text. DATE is YYYY-MM-DD text.
 */

type Money = ColumnType<number, string, string>;
type MoneyOrNull = ColumnType<number | null, string | null, string | null>;
type MoneyWithDefault = ColumnType<number, string | undefined, string>;

export interface AddressLimits {
  expire: number | null;
  key: string;
  points: Generated<number>;
}

export interface ApplicationSteps {
  at: Date;
  by_person: number | null;
  from_status: Status;
  id: Generated<number>;
  invoice_id: number;
  note: string | null;
  step: RecordedStep;
  to_status: Status;
}

export interface AuditAnchorHeads {
  anchor_id: number;
  hash: Buffer;
  sequence: number;
  subject_tag: string;
}

export interface AuditAnchors {
  at: Date;
  id: Generated<number>;
  /** From 1 without gaps. */
  number: number;
  seal: Buffer;
}

export interface AuditEvents {
  action: string;
  actor_tag: string | null;
  after: unknown;
  at: Date;
  before: unknown;
  hash: GeneratedAlways<Buffer>;
  id: Generated<number>;
  ip: string | null;
  request_id: string | null;
  /** The event's number and link in its subject's chain; written by a trigger. */
  sequence: GeneratedAlways<number>;
  subject_tag: string;
  subject_type: string;
}

export interface Businesses {
  active: boolean;
  created_at: Date;
  district_id: number;
  /** Whether it is or was a buyer: every client sees its name. */
  ever_buyer: Generated<boolean>;
  id: Generated<number>;
  industry_id: number;
  is_buyer: boolean;
  is_client: boolean;
  name: string;
  search_form: GeneratedAlways<string>;
  tag: Generated<string>;
  /** The TIN, NIN or URSB number, unique. */
  tin: string | null;
  /** After how many days it usually pays, as a buyer; null if unknown. */
  usual_terms_days: number | null;
  /** A designated withholding-tax agent. */
  withholds_tax: Generated<boolean>;
  /** A VAT-withholding agent. */
  withholds_vat: Generated<boolean>;
}

export interface BuyerRequests {
  business_id: number;
  buyer_id: number | null;
  closed_at: Date | null;
  closed_by: number | null;
  id: Generated<number>;
  name: string;
  refusal: string | null;
  requested_at: Date;
  requested_by: number;
  tag: Generated<string>;
}

export interface CodeAttempts {
  closed_at: Date | null;
  code_digest: Buffer;
  code_expires_at: Date;
  created_at: Date;
  id: string;
  person_id: number | null;
  purpose: 'sign-up' | 'reset';
  recipient: string;
  wrong_tries: Generated<number>;
}

export interface CodeBudgets {
  blocked_until: Date | null;
  /** Whether the owner was sent the link that lifts the current block. */
  link_sent: Generated<boolean>;
  recipient: string;
  reset_sent_at: Date | null;
  /** The times of the last codes, within a day. */
  sent_at: Generated<Date[]>;
  sign_up_sent_at: Date | null;
  touched_at: Date;
  /** The times of wrong codes since the last right one, within a day. */
  wrong_at: Generated<Date[]>;
}

export interface CodeHandles {
  attempt_id: string;
  expires_at: Date;
  token_hash: Buffer;
}

export interface CollectionEntries {
  amount: MoneyOrNull;
  at: Date;
  by_person: number;
  channel: ContactChannel | null;
  /** The day of the buyer's payment, of a promise, or of the next step. */
  day: string | null;
  id: Generated<number>;
  invoice_id: number;
  kind: CollectionKind;
  next_step: string | null;
  note: string | null;
  tag: Generated<string>;
}

export interface Contradictions {
  amount: MoneyOrNull;
  details: string | null;
  id: Generated<number>;
  line_id: number;
  occurred_on: string | null;
  payer_name: string | null;
  payer_number: string | null;
  statement_id: number;
}

export interface CounterOfferAcceptances {
  accepted_at: Date;
  accepted_by: number;
  facts: unknown;
  offer_id: number;
  version: string;
}

export interface CounterOffers {
  advance: Money;
  discount_fee: Money;
  fee_rate_bps: number;
  financing_period_id: number;
  id: Generated<number>;
  invoice_id: number;
  /** Whether two officers had to approve it when it was made. */
  needs_two: boolean;
  net_proceeds: Money;
  offered_at: Date;
  offered_by: number;
  reason: string;
  tenor_days: number;
}

export interface Currencies {
  code: string;
  id: number;
  name: string;
}

export interface Devices {
  last_login_at: Date;
  person_id: number;
  token_hash: Buffer;
  wrong_tries: Generated<number>;
}

export interface DiscardedFiles {
  storage_key: string;
  turn: Generated<number>;
}

export interface Districts {
  id: number;
  kind: string;
  name: string;
  region: string;
}

export interface DocumentTypes {
  id: number;
  mandatory: boolean;
  name: string;
  position: number;
}

export interface Documents {
  document_type_id: number;
  file_name: string;
  id: Generated<number>;
  invoice_id: number;
  media_type: string;
  /** What was removed from the file before it was stored (contract/documents/removals.ts), separated by commas. */
  removed: string | null;
  /** The digest of the file as it was uploaded. */
  sha256: Buffer;
  size_bytes: number;
  storage_key: string;
  /** The digest of the stored file: pictures are redrawn and PDFs rewritten before they are stored. */
  stored_sha256: Buffer;
  tag: Generated<string>;
  uploaded_at: Date;
  uploaded_by: number;
}

export interface DrawnLetters {
  asked_at: Date;
  content: Buffer;
  digest: Buffer;
  seal: Buffer;
}

export interface ExplainedDifferences {
  currency_id: number;
  day: string;
  difference: string;
  explained_at: Date;
  explained_by: number;
  id: Generated<number>;
  rail: Rail;
  reason: string;
  tag: Generated<string>;
}

export interface Extensions {
  agreed_at: Date | null;
  agreed_by: number | null;
  asked_at: Date | null;
  asked_by: number | null;
  closed_at: Date | null;
  closed_by: number | null;
  due_on: string | null;
  facts: unknown;
  fee: MoneyOrNull;
  financing_period_id: number;
  id: Generated<number>;
  invoice_id: number;
  offered_at: Date | null;
  offered_by: number | null;
  reason: string;
  tenor_days: number;
  version: string | null;
}

export interface FeeModes {
  code: string;
  id: number;
  name: string;
}

export interface FinancingPeriods {
  days: number;
  id: number;
  name: string;
}

export interface FlagAcknowledgements {
  acknowledged_at: Date;
  acknowledged_by: number;
  /** The fact that was acknowledged; if it changes, the flag is open again. */
  fact: string | null;
  /** The files that both invoices had in common then; another one opens the flag again. */
  files: Generated<string[]>;
  id: Generated<number>;
  invoice_id: number;
  kind: FlagKind;
  /** Null for a flag about the case itself. */
  other_invoice_id: number | null;
  reason: string;
}

export interface FundingLimits {
  amount: Money;
  business_id: number;
  currency_id: number;
  set_at: Date;
  set_by: number;
}

export interface IdempotencyKeys {
  created_at: Date;
  key: string;
  person_id: number;
  reply: unknown;
  request_hash: Buffer;
}

export interface ImportedLines {
  /** Below 0 for outgoing money. */
  amount: Money;
  currency_id: number;
  details: string;
  id: Generated<number>;
  occurred_on: string;
  payer_name: string | null;
  payer_number: string | null;
  /** Its line number in the file. */
  place: number;
  provider_id: string;
  provider_key: GeneratedAlways<string>;
  rail: Rail;
  /** By referenceKey(). */
  reference_key: GeneratedAlways<string>;
  statement_id: number;
  tag: Generated<string>;
  withdrawn_before: Generated<number>;
}

export interface InformationRequestDocuments {
  document_type_id: number;
  /** The document at the time of the request, which a new one replaces. */
  earlier_document_id: number | null;
  request_id: number;
  /** Whether it had arrived when the request was closed. */
  uploaded: Generated<boolean>;
}

export interface InformationRequests {
  answer: string | null;
  answered_by: number | null;
  asked_at: Date;
  asked_by: number;
  closed_at: Date | null;
  id: Generated<number>;
  invoice_id: number;
  question: string;
  recalled: Generated<boolean>;
  tag: Generated<string>;
}

export interface Installation {
  only_one: Generated<boolean>;
  secret_check: Buffer;
  tag: string;
}

export interface InvoiceFlags {
  files: Generated<string[]>;
  found_at: Date;
  invoice_id: number;
  kind: DuplicateKind;
  other_invoice_id: number;
}

export interface Invoices {
  advance: MoneyOrNull;
  application_date: string | null;
  application_reference: string | null;
  application_tag: string | null;
  application_version: number | null;
  business_id: number;
  buyer_id: number;
  clock_runs_since: Date | null;
  clock_used_ms: Generated<number>;
  created_at: Date;
  created_by: number;
  currency_id: number;
  decide_by: Date | null;
  decided_at: Date | null;
  decided_by: number | null;
  /** The SLA's target at submission, in milliseconds of working time. */
  decision_target_ms: number | null;
  decline_note: string | null;
  decline_reason: DeclineReason | null;
  discount_fee: MoneyOrNull;
  due_on: string | null;
  face_value: Money;
  /** The day until which its fee is posted as earned; null before the first day. */
  fee_earned_until: string | null;
  fee_rate_bps: number | null;
  financing_period_id: number | null;
  first_approved_at: Date | null;
  first_approved_by: number | null;
  held_since: Date | null;
  /** The assigned officer. */
  holder_id: number | null;
  id: Generated<number>;
  invoice_date: string;
  invoice_number: string;
  invoice_number_key: string;
  /** The number's key for look-alikes: without punctuation, similar letters as one. */
  invoice_number_look: GeneratedAlways<string>;
  /** Basis points a day of the late unpaid part, as of the submission. */
  late_charge_bps: Generated<number>;
  /** The sort key of the lists: the application date, or the creation date before there is one. */
  listed_on: string;
  net_proceeds: MoneyOrNull;
  outstanding: MoneyOrNull;
  /** The day of the payout; null while the due date is that day plus the tenor. */
  paid_out_on: string | null;
  /** When the buyer pays, by the invoice; null if the client named no day. */
  payment_due_on: string | null;
  /** When the client was notified that the SLA was missed. */
  promise_missed_at: Date | null;
  /** The reference of its repayments, derived from the id (contract/payments/repayment-reference.ts). */
  repayment_reference: GeneratedAlways<string>;
  /** When that was recorded: growth of limits counts from it. */
  settled_at: Date | null;
  /** The day on which the advance was fully paid back. */
  settled_on: string | null;
  status: Generated<Status>;
  submitted_at: Date | null;
  submitted_by: number | null;
  /** The amount received above what was owed and not yet passed on to the client; stored for the desk. */
  surplus_owed: MoneyWithDefault;
  tag: Generated<string>;
  tenor_days: number | null;
  /** The VAT in the face value; null if the client named none. */
  vat: MoneyOrNull;
  version: Generated<number>;
}

export interface JournalAccounts {
  code: AccountCode;
  kind: AccountKind;
  name: string;
}

export interface JournalEntries {
  amount: Money;
  carried: MoneyWithDefault;
  certificate: string | null;
  currency_id: number;
  deduction: Deduction | null;
  id: Generated<number>;
  /** Null for an entry without an application. */
  invoice_id: number | null;
  kind: PostedKind | OutsideKind;
  method: CashMethod | null;
  occurred_on: string;
  payer: Payer | null;
  reason: string | null;
  recorded_at: Date;
  /** Null for Kasente's own entries. */
  recorded_by: number | null;
  reference: string | null;
  reverses: number | null;
  rounded: MoneyWithDefault;
  /** The line of a statement that brought the money. */
  statement_line_id: number | null;
  tag: Generated<string>;
  /** The request to pay that brought the money. */
  transfer_id: number | null;
}

export interface JournalLines {
  account: AccountCode;
  amount: Money;
  entry_id: number;
}

export interface KeyFactsAcceptances {
  accepted_at: Date;
  accepted_by: number;
  facts: unknown;
  invoice_id: number;
  version: string;
}

export interface KnownReceipts {
  entry_id: number;
  id: Generated<number>;
  line_id: number;
}

export interface LedgerEntries {
  amount: Money;
  id: Generated<number>;
  invoice_id: number;
  kind: string;
  method: string;
  paid_on: string;
  payer: string | null;
  reason: string | null;
  recorded_at: Date;
  recorded_by: number;
  reference: string;
  reverses: number | null;
  tag: Generated<string>;
}

export interface LimitProposals {
  amount: Money;
  business_id: number;
  closed_at: Date | null;
  closed_by: number | null;
  currency_id: number;
  id: Generated<number>;
  outcome: 'confirmed' | 'declined' | 'replaced' | null;
  proposed_at: Date;
  proposed_by: number;
  reason: string;
  /** The limit that it would replace. */
  replaces: Money;
  tag: Generated<string>;
}

export interface LoginThrottles {
  failures: Generated<number>;
  last_failed_at: Date;
  retry_at: Date | null;
  username_digest: Buffer;
}

export interface MatchedStatements {
  matched_at: Date;
  statement_id: number;
}

export interface Messages {
  about: string | null;
  attempts: Generated<number>;
  body: Buffer | null;
  /** The person whose act caused it, if it counts among their texts. */
  caused_by: number | null;
  channel: 'email' | 'sms';
  claim: string | null;
  created_at: Date;
  due_at: Date | null;
  expires_at: Date | null;
  handed_over_at: Date | null;
  id: Generated<number>;
  last_error: string | null;
  recipient: string;
  sent_at: Date | null;
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'expired'>;
  subject: string;
  tag: Generated<string>;
}

export interface PayoutAccounts {
  added_at: Date;
  added_by: number;
  bank_name: string | null;
  business_id: number;
  /** How often it was frozen; each freeze invalidates earlier links. */
  freezes: Generated<number>;
  frozen_at: Date | null;
  frozen_by: number | null;
  holder_asked_at: Date | null;
  holder_name: string;
  holder_said: string | null;
  /** The provider's last answer about the holder, and the time of the question. */
  holder_state: HolderState | null;
  id: Generated<number>;
  number: string;
  provider: ProviderCode;
  replaced_at: Date | null;
  /** The account that it replaces once it is verified. */
  replaces: number | null;
  /** Whether it could be paid to as soon as it was verified. */
  skips_wait: Generated<boolean>;
  tag: Generated<string>;
  verified_at: Date | null;
  verified_by: number | null;
  /** Why the account is right although another business has it, too. */
  verified_reason: string | null;
}

export interface PayoutBatches {
  currency: string;
  from_name: string;
  from_number: string;
  id: Generated<number>;
  made_at: Date;
  made_by: number;
  number: number;
  payout_count: number;
  rail: string;
  sha256: Buffer;
  tag: Generated<string>;
  total: Money;
}

export interface PayoutChoices {
  account_id: number;
  chosen_at: Date;
  chosen_by: number;
  invoice_id: number;
}

export interface Payouts {
  account_id: number;
  amount: Money;
  cancel_reason: string | null;
  cancelled_at: Date | null;
  cancelled_by: number | null;
  /** The journal entry of its payment. */
  entry_tag: string | null;
  /** When its provider finally refused it. */
  failed_at: Date | null;
  id: Generated<number>;
  invoice_id: number;
  kind: PayoutKind;
  /** The payout of which it is a later part; its amount is what was left then. */
  part_of: number | null;
  prepared_at: Date;
  prepared_by: number;
  /** The reference of its transfer at the provider. */
  reference: string;
  released_at: Date | null;
  released_by: number | null;
  tag: Generated<string>;
}

export interface PendingFiles {
  started_at: Date;
  storage_key: string;
}

export interface Persons {
  business_id: number | null;
  created_at: Date;
  designation: string | null;
  district_id: number | null;
  email: string | null;
  first_name: string | null;
  /** Whether the command line made them an officer when there was no other. */
  first_officer: Generated<boolean>;
  gender: string | null;
  id: Generated<number>;
  industry_id: number | null;
  last_login_at: Date | null;
  last_name: string | null;
  /** When they became an officer; null if unknown or never. */
  officer_since: Date | null;
  password_hash: string;
  permissions: Generated<PermissionCode[]>;
  phone: string | null;
  placed_at: Date | null;
  /** The officer who let them act for their business, and when; null if unknown or by the command line. */
  placed_by: number | null;
  /** Name, phone and e-mail as searched by the users list: without case, accents and punctuation. */
  search_form: GeneratedAlways<string>;
  search_text: GeneratedAlways<string>;
  /** The business entered by a person who is waiting for activation. */
  stated_business: string | null;
  /** The name that the mobile money of their own number is in, by a person who is waiting for activation. */
  stated_holder: string | null;
  stated_tin: string | null;
  status: PersonStatus;
  tag: Generated<string>;
  username: string;
  username_kind: 'email' | 'phone';
  /** Whether the person is waiting for activation, and so is first in the users list. */
  waiting: GeneratedAlways<boolean>;
}

export interface PossibleRepeats {
  answered_at: Date | null;
  answered_by: number | null;
  is_same: boolean | null;
  line_id: number;
  of_line_id: number;
}

export interface ProviderRecords {
  amount: MoneyOrNull;
  asked_at: Date;
  known_at: Date | null;
  outcome: 'paid' | 'notPaid' | null;
  provider_reference: string | null;
  said: string;
  transfer_id: number;
}

export interface PublicHolidays {
  date: string;
  name: string;
  source: string;
}

export interface ReconciledDays {
  by_journal: Money;
  by_statement: Money;
  closed_at: Date;
  closed_by: number;
  currency_id: number;
  day: string;
  id: Generated<number>;
  rail: Rail;
  tag: Generated<string>;
}

export interface ReconciliationNews {
  day: string;
  differences: number;
  told_at: Date;
}

export interface RecoveryCodes {
  code_digest: Buffer;
  person_id: number;
  used_at: Date | null;
}

export interface RepaymentReminders {
  at: Date;
  /** Counted from the due date. */
  day: number;
  due_on: string;
  invoice_id: number;
  /** How many people got the message. */
  told: number;
}

export interface ResetGrants {
  expires_at: Date;
  person_id: number;
  token_hash: Buffer;
}

export interface RowCounts {
  list: 'invoices' | 'persons';
  rows: Generated<number>;
  scope: number;
}

export interface SecondFactorEnrolments {
  expires_at: Date;
  person_id: number;
  secret: Buffer;
  wrong_tries: Generated<number>;
}

export interface SecondFactors {
  /** The time step (RFC 6238) of the newest used code. */
  last_step: number;
  person_id: number;
  secret: Buffer;
  set_up_at: Date;
}

export interface SecondSteps {
  device_hash: Buffer | null;
  expires_at: Date;
  person_id: number;
  token_hash: Buffer;
}

export interface Sectors {
  id: number;
  isic: string | null;
  name: string;
  position: number;
}

export interface Sessions {
  created_at: Date;
  ip: string | null;
  last_active_at: Date;
  person_id: number;
  /** Whether it was opened or confirmed with a second factor. */
  second_factor: Generated<boolean>;
  tag: Generated<string>;
  token_hash: Buffer;
  user_agent: string | null;
}

export interface StatementWithdrawals {
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  dropped_by: number | null;
  id: Generated<number>;
  proposed_at: Date;
  proposed_by: number;
  reason: string;
  statement_id: number;
  tag: Generated<string>;
}

export interface Statements {
  /** For incoming money, for outgoing money, or for both. */
  account: Generated<StatementAccount>;
  /** The account's last withdrawal before the import: the same file may come again after one. */
  after_withdrawal: number | null;
  currency_id: number;
  file_name: string;
  from_on: string;
  id: Generated<number>;
  imported_at: Date;
  imported_by: number;
  line_count: number;
  new_count: number;
  rail: Rail;
  received: Money;
  sent: Money;
  sha256: Buffer;
  tag: Generated<string>;
  until_on: string;
}

export interface StoreFindings {
  finding: 'orphan' | 'missing' | 'altered';
  found_at: Date;
  storage_key: string;
}

export interface Suspense {
  amount: Money;
  line_id: number;
}

export interface SuspenseReturns {
  amount: Money;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  dropped_by: number | null;
  entry_tag: string | null;
  id: Generated<number>;
  line_id: number;
  proposed_at: Date;
  proposed_by: number;
  reason: string;
  tag: Generated<string>;
}

export interface TaxRates {
  confidence: 'high' | 'medium' | 'low';
  kind: TaxKind;
  rate_bps: number;
  source: string;
  threshold: MoneyOrNull;
  valid_from: string;
}

export interface TransferEndings {
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  /** Null if the provider answered first. */
  dropped_by: number | null;
  id: Generated<number>;
  outcome: 'paid' | 'notPaid';
  proposed_at: Date;
  proposed_by: number;
  provider_reference: string | null;
  reason: string;
  /** The provider's words when it was proposed. */
  said: string;
  tag: Generated<string>;
  transfer_id: number;
}

export interface Transfers {
  amount: Money;
  asked_at: Date | null;
  /** How many exchanges there were with the provider. */
  asks: Generated<number>;
  /** The file for the bank that contains it. */
  batch_id: number | null;
  created_at: Date;
  created_by: number;
  currency: string;
  direction: 'out' | 'in';
  /** The journal entry of its success. */
  entry_tag: string | null;
  /** Its reference in that file and on the bank's statement. */
  file_reference: GeneratedAlways<string>;
  holder_name: string | null;
  id: Generated<number>;
  invoice_id: number;
  /** Whether an officer has proposed to end it by hand; if so, nothing more is sent. */
  is_ending: Generated<boolean>;
  known_at: Date | null;
  label: string;
  /** Null for a payout by file, because there is no provider to ask. */
  next_ask_at: Date | null;
  /** The account's number when it was sent. */
  number: string;
  payout_id: number | null;
  provider_reference: string | null;
  /** The folder of its rail in server/rails/. */
  rail: string;
  /** Its reference at the provider, forever. */
  reference: string;
  refusal: Refusal | null;
  /** When the provider refused to accept it, if it ever did; the refusal only counts once its status call agrees. */
  refused_at: Date | null;
  /** The provider's last words. */
  said: string | null;
  sent_at: Date | null;
  state: TransferState;
  tag: Generated<string>;
  /** When officers were notified that it is late. */
  told_at: Date | null;
}

export interface UnfinishedUploads {
  /** The document that it became; its parts are deleted then. */
  document_tag: string | null;
  document_type_id: number;
  file_name: string;
  id: Generated<number>;
  invoice_id: number;
  person_id: number;
  sha256: Buffer;
  size_bytes: number;
  tag: Generated<string>;
  touched_at: Date;
}

export interface UploadParts {
  content: Buffer;
  part: number;
  upload_id: number;
}

export interface WriteOffProposals {
  amount: Money;
  confirmed_at: Date | null;
  confirmed_by: number | null;
  dropped_at: Date | null;
  dropped_by: number | null;
  /** The resulting entry; not stored for write-offs. */
  entry_tag: string | null;
  id: Generated<number>;
  invoice_id: number;
  kind: Generated<ProposalKind>;
  /** The terms of a receipt. */
  method: CashMethod | null;
  paid_on: string | null;
  payer: Payer | null;
  proposed_at: Date;
  proposed_by: number;
  reason: string;
  reference: string | null;
  /** The proposer has seen where else the reference is used. */
  reference_confirmed: Generated<boolean>;
  /** The entry that a reversal reverses. */
  reversed_entry: number | null;
  tag: Generated<string>;
}

export interface Tables {
  /** Calls counted by address; `expire` ends the window, in milliseconds since 1970. */
  address_limits: AddressLimits;
  /** The steps, oldest first by id; append-only. */
  application_steps: ApplicationSteps;
  audit_anchor_heads: AuditAnchorHeads;
  /** Seals over the chains' changed heads. */
  audit_anchors: AuditAnchors;
  audit_events: AuditEvents;
  businesses: Businesses;
  /** A buyer that a client requested; a closed request has a buyer or a reason. */
  buyer_requests: BuyerRequests;
  code_attempts: CodeAttempts;
  code_budgets: CodeBudgets;
  code_handles: CodeHandles;
  /** Notes and actions about advances to be paid back; append-only (docs/decisions/0046-paying-back.md). */
  collection_entries: CollectionEntries;
  /** A line that a statement lacks or contradicts, with the statement's version of it. */
  contradictions: Contradictions;
  counter_offer_acceptances: CounterOfferAcceptances;
  counter_offers: CounterOffers;
  currencies: Currencies;
  devices: Devices;
  /** Files to remove from the store, in order. Their documents are deleted. */
  discarded_files: DiscardedFiles;
  districts: Districts;
  document_types: DocumentTypes;
  documents: Documents;
  drawn_letters: DrawnLetters;
  explained_differences: ExplainedDifferences;
  /** More time to pay back (docs/decisions/0046-paying-back.md); accepted ones have their key facts. */
  extensions: Extensions;
  fee_modes: FeeModes;
  financing_periods: FinancingPeriods;
  /** Acknowledgements, on one of the two invoices; append-only. */
  flag_acknowledgements: FlagAcknowledgements;
  funding_limits: FundingLimits;
  idempotency_keys: IdempotencyKeys;
  /** Every line, also of withdrawn statements; for the history of entries. */
  imported_lines: ImportedLines;
  information_request_documents: InformationRequestDocuments;
  information_requests: InformationRequests;
  /** Ties a database, a store and a secret together. */
  installation: Installation;
  invoice_flags: InvoiceFlags;
  invoices: Invoices;
  journal_accounts: JournalAccounts;
  /** Entries of the journal; append-only. A reversal has a negative amount. */
  journal_entries: JournalEntries;
  /** A debit is above 0, a credit below. */
  journal_lines: JournalLines;
  /** Accepted key facts; append-only. */
  key_facts_acceptances: KeyFactsAcceptances;
  known_receipts: KnownReceipts;
  ledger_entries: LedgerEntries;
  limit_proposals: LimitProposals;
  login_throttles: LoginThrottles;
  /** Statements whose lines have been matched; one without a row is still being matched. */
  matched_statements: MatchedStatements;
  messages: Messages;
  payout_accounts: PayoutAccounts;
  /** Never changed, so that the file can be written again from it. */
  payout_batches: PayoutBatches;
  payout_choices: PayoutChoices;
  payouts: Payouts;
  /** Files that are being stored. */
  pending_files: PendingFiles;
  persons: Persons;
  /** A line that may be the payment of another line, and whether it is. */
  possible_repeats: PossibleRepeats;
  /** The provider's last answer about a transfer, and its last final one. */
  provider_records: ProviderRecords;
  public_holidays: PublicHolidays;
  reconciled_days: ReconciledDays;
  /** The days on which officers were notified of open differences. */
  reconciliation_news: ReconciliationNews;
  recovery_codes: RecoveryCodes;
  repayment_reminders: RepaymentReminders;
  reset_grants: ResetGrants;
  /** Exact row counts of growing lists, kept by triggers; `scope` is a business's id or a shard's number. */
  row_counts: RowCounts;
  /** A second factor that is being set up. */
  second_factor_enrolments: SecondFactorEnrolments;
  second_factors: SecondFactors;
  /** Logins at their second step. */
  second_steps: SecondSteps;
  sectors: Sectors;
  sessions: Sessions;
  /** A view without withdrawn statements. */
  standing_statements: Omit<Statements, 'after_withdrawal'>;
  /** A view without the lines of withdrawn statements. New lines are inserted here. */
  statement_lines: ImportedLines;
  /** A proposal to withdraw a statement, which no longer counts once that is confirmed. */
  statement_withdrawals: StatementWithdrawals;
  statements: Statements;
  /** The store audit's current findings. */
  store_findings: StoreFindings;
  /** The part of a line that is in suspense; the database derives it from the journal's lines. */
  suspense: Suspense;
  suspense_returns: SuspenseReturns;
  /** The value of a rate from a day on; `threshold` in shillings, or null. */
  tax_rates: TaxRates;
  transfer_endings: TransferEndings;
  transfers: Transfers;
  /** An upload in parts, stored for a while after it became a document (docs/decisions/0025-uploads-that-resume.md). */
  unfinished_uploads: UnfinishedUploads;
  upload_parts: UploadParts;
  /** What one officer proposes about an application's money and another confirms; named after its first kind. */
  write_off_proposals: WriteOffProposals;
}
