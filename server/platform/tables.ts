import type { ColumnType, Generated } from 'kysely';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { PersonStatus } from '#contract/people/schema.ts';
import type { PermissionCode } from '#contract/permissions.ts';

/**
 * The database as TypeScript sees it; migrations are the truth. Money columns are NUMERIC(15,2): read as minor
 * units (number), written as `minorToNumeric` text. DATE is YYYY-MM-DD text.
 */

type Money = ColumnType<number, string, string>;
type MoneyOrNull = ColumnType<number | null, string | null, string | null>;

interface Named {
  id: number;
  name: string;
}

interface Businesses {
  id: Generated<number>;
  tag: Generated<string>;
  name: string;
  industry_id: number;
  district_id: number;
  is_client: boolean;
  is_buyer: boolean;
  active: boolean;
  created_at: Date;
}

interface Persons {
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
}

interface Sessions {
  token_hash: Buffer;
  person_id: number;
  created_at: Date;
  last_active_at: Date;
  ip: string | null;
  user_agent: string | null;
}

interface Invoices {
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
  status: Generated<Status>;
  /** What the lists are sorted by: the application date, before there is one the date of creation. */
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
}

interface Documents {
  id: Generated<number>;
  tag: Generated<string>;
  invoice_id: number;
  document_type_id: number;
  storage_key: string;
  file_name: string;
  media_type: string;
  size_bytes: number;
  sha256: Buffer;
  uploaded_at: Date;
  uploaded_by: number;
}

interface AuditEvents {
  id: Generated<number>;
  at: Date;
  actor_tag: string | null;
  action: string;
  subject_type: string;
  subject_tag: string;
  before: unknown;
  after: unknown;
  ip: string | null;
  request_id: string | null;
}

interface IdempotencyKeys {
  person_id: number;
  key: string;
  request_hash: Buffer;
  reply: unknown;
  created_at: Date;
}

/** Exact row counts of lists that grow, kept by triggers: `scope` is a business's id or a shard. */
interface RowCounts {
  list: 'invoices' | 'persons';
  scope: number;
  rows: number;
}

export interface Tables {
  sectors: Named & { isic: string | null; position: number };
  districts: Named & { kind: string; region: string };
  currencies: { id: number; code: string; name: string };
  financing_periods: Named & { days: number };
  fee_modes: Named & { code: string };
  document_types: Named & { mandatory: boolean; position: number };
  businesses: Businesses;
  persons: Persons;
  sessions: Sessions;
  invoices: Invoices;
  documents: Documents;
  audit_events: AuditEvents;
  idempotency_keys: IdempotencyKeys;
  row_counts: RowCounts;
}
