-- The schema of release 1.1.0 with its reference data, as its 55 migrations made it; 0059-baseline.ts runs it, and adds
-- sectors, districts and public holidays. Every line of a statement that follows a semicolon is indented.

create extension if not exists pg_trgm;

-- Functions that the tables use.
create function scope_business() returns integer language sql stable parallel safe as
  $$ select nullif(current_setting('kasente.business', true), '')::integer $$;

create function scope_person() returns integer language sql stable parallel safe as
  $$ select nullif(current_setting('kasente.person', true), '')::integer $$;

create function find_place(counts integer[], passed integer, backwards boolean, out place integer, out further
  integer) returns record language sql immutable parallel safe as $$
  select case when backwards then coalesce(array_upper(counts, 1), 95988) else coalesce(array_lower(counts, 1), -23987) end,
    passed
$$;

create function repayment_reference_of(id integer) returns text language plpgsql immutable strict parallel safe as $$
  declare
    alphabet constant text := 'ACDEFGHJKMNPRTVWXY34679';
    rest bigint := (id::bigint * 1580030173 + 977) % 3404825447;
    total integer := 0;
    digit integer;
    reference text := '';
  begin
    for weight in 2..8 loop
      digit := (rest % 23)::integer;
      rest := rest / 23;
      total := total + digit * weight;
      reference := substr(alphabet, digit + 1, 1) || reference;
    end loop;
    return reference || substr(alphabet, (23 - total % 23) % 23 + 1, 1);
  end
$$;

create function certificate_key(certificate text) returns text language sql immutable strict parallel safe as $$
  select coalesce(nullif(translate(regexp_replace(lower(translate(normalize(certificate, NFKD),
    'авеѕзкмнорстухіјԁԛԝӏьбαβεζηικμνορτυχϲϳıɩɑɡʟɴʀ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹АВЕЅЗКМНОРСТУХІЈԀԚԜӀЬБΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿIƖⱭꞬʟɴƦ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'abes3kmhopctyxijdqwlb6abezhikmnoptyxcjiiaglnr01234567890123456789abes3kmhopctyxijdqwlb6abezhikmnoptyxcjiiaglnr01234567890123456789') collate "C"), '[^a-z0-9]', '', 'g'), 'oilszb', '011528'), ''),
    btrim(certificate))
$$;

create function reference_key(reference text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(reference collate "C", '[ \t-\r]', '', 'g'))
$$;

create table sectors (
  id integer primary key,
  name text not null unique,
  isic text,
  position integer not null
);

create table districts (
  id integer primary key,
  name text not null unique,
  kind text not null,
  region text not null
);

create table currencies (
  id integer primary key,
  code text not null unique check (code ~ '^[A-Z]{3}$'),
  name text not null
);

create table financing_periods (
  id integer primary key,
  name text not null unique,
  days integer not null unique check (days > 0)
);

create table fee_modes (
  id integer primary key,
  code text not null unique,
  name text not null
);

create table document_types (
  id integer primary key,
  name text not null unique,
  mandatory boolean not null,
  position integer not null
);

create table row_counts (
  list text not null check (list in ('invoices', 'persons')),
  scope integer not null,
  rows integer not null default 0 check (rows >= 0),
  months integer[] not null default '{}'::integer[],
  primary key (list, scope)
) with (fillfactor = 50);
alter table row_counts cluster on row_counts_pkey;
alter table row_counts enable row level security;

create table businesses (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  name text not null check (length(name) between 2 and 120),
  industry_id integer not null references sectors,
  district_id integer not null references districts,
  is_client boolean not null,
  is_buyer boolean not null,
  active boolean not null,
  created_at timestamptz not null,
  ever_buyer boolean not null default false,
  tin text check (tin ~ '^[0-9]{10}$'),
  usual_terms_days integer check (usual_terms_days between 0 and 365),
  withholds_tax boolean not null default false,
  withholds_vat boolean not null default false,
  constraint businesses_check check (is_client or is_buyer)
);
create unique index businesses_name on businesses (lower(name));
create index businesses_search on businesses using gin (lower(name) gin_trgm_ops);
create unique index businesses_tin on businesses (tin) where tin is not null;
alter table businesses enable row level security;

create table persons (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  username text not null,
  username_kind text not null check (username_kind in ('email', 'phone')),
  password_hash text not null,
  status text not null check (status in ('Pending', 'Verified', 'Active', 'Deactivated')),
  permissions text[] not null default '{}'::text[] check (permissions <@ array['BIDA', 'KSTAF', 'KADMIN']),
  first_name text,
  last_name text,
  designation text,
  gender text check (gender in ('male', 'female')),
  phone text,
  email text,
  business_id integer references businesses,
  industry_id integer references sectors,
  district_id integer references districts,
  created_at timestamptz not null,
  last_login_at timestamptz,
  waiting boolean not null generated always as (status = 'Verified') stored,
  search_text text not null generated always as (lower((((((coalesce(first_name, '') || ' ') || coalesce(last_name,
    '')) || chr(10)) || coalesce(phone, '')) || chr(10)) || coalesce(email, ''))) stored,
  stated_business text check (length(stated_business) between 2 and 120),
  stated_tin text check (stated_tin ~ '^[0-9]{10}$'),
  placed_by integer references persons,
  placed_at timestamptz,
  officer_since timestamptz,
  first_officer boolean not null default false,
  constraint persons_username unique (username),
  constraint persons_check check (case username_kind
      when 'phone' then username ~ '^07[0-9]{8}$' and phone = username
      else username = lower(username) and email = username
    end),
  constraint persons_check1 check (permissions = '{}'::text[] or status = 'Active'),
  constraint persons_check2 check (not ('BIDA' = any (permissions)) or business_id is not null),
  constraint persons_placed check (placed_by is null or placed_at is not null),
  constraint persons_first_officer check (not first_officer or officer_since is not null)
);
create index persons_business on persons (business_id);
create index persons_listed on persons (waiting desc, created_at desc, id desc);
create index persons_of_status on persons (status, created_at desc, id desc);
create index persons_search on persons using gin (search_text gin_trgm_ops);
create index persons_by_age on persons (created_at desc, id desc);
create index persons_officers on persons (id) where permissions && array['KADMIN', 'KSTAF'];
create index persons_placed_by on persons (placed_by) where placed_by is not null;
create index persons_made_officers on persons (id) where officer_since is not null;
alter table persons enable row level security;

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  person_id integer not null references persons on delete cascade,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  ip text,
  user_agent text,
  tag uuid not null default gen_random_uuid() unique,
  second_factor boolean not null default false
);
create index sessions_person on sessions (person_id);
create index sessions_age on sessions (created_at);
alter table sessions enable row level security;

create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_tag uuid,
  action text not null,
  subject_type text not null,
  subject_tag uuid not null,
  before jsonb,
  after jsonb,
  ip text,
  request_id text,
  sequence integer not null,
  hash bytea not null,
  constraint audit_events_chain unique (subject_tag, sequence)
);
create index audit_events_documents on audit_events ((coalesce(after, before) ->> 'invoiceTag')) where subject_type =
  'document';
create index audit_events_at on audit_events (at);
alter table audit_events enable row level security;

create table idempotency_keys (
  person_id integer not null references persons on delete cascade,
  key text not null check (length(key) between 1 and 200),
  request_hash bytea not null,
  reply jsonb,
  created_at timestamptz not null,
  primary key (person_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;

create table invoices (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  version integer not null default 1 check (version > 0),
  business_id integer not null references businesses,
  buyer_id integer not null references businesses,
  currency_id integer not null references currencies,
  invoice_number text not null,
  invoice_number_key text not null,
  invoice_date date not null,
  face_value numeric(15,2) not null check (face_value > 0),
  status text not null default 'Draft',
  listed_on date not null,
  created_at timestamptz not null,
  created_by integer not null references persons,
  application_tag uuid unique,
  application_version integer check (application_version > 0),
  application_reference uuid,
  application_date date,
  advance numeric(15,2) check (advance > 0),
  financing_period_id integer references financing_periods,
  tenor_days integer,
  fee_rate_bps integer check (fee_rate_bps between 0 and 10000),
  discount_fee numeric(15,2) check (discount_fee >= 0),
  net_proceeds numeric(15,2) check (net_proceeds >= 0),
  submitted_at timestamptz,
  submitted_by integer references persons,
  holder_id integer references persons,
  held_since timestamptz,
  first_approved_by integer references persons,
  first_approved_at timestamptz,
  decision_target_ms integer check (decision_target_ms > 0),
  clock_runs_since timestamptz,
  clock_used_ms bigint not null default 0 check (clock_used_ms >= 0),
  decide_by timestamptz,
  promise_missed_at timestamptz,
  decided_at timestamptz,
  decided_by integer references persons,
  decline_reason text,
  decline_note text,
  due_on date,
  outstanding numeric(15,2),
  settled_on date,
  settled_at timestamptz,
  surplus_owed numeric(15,2) not null default 0,
  invoice_number_look text generated always as (translate(translate(regexp_replace(normalize(invoice_number_key,
    NFKD), '[-\u0300-\u036f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\uffa0\U000e0100-\U000e01ef]', '', 'g'), 'авеѕзкмнорстухіјԁԛԝӏьбαβεζηικμνορτυχϲϳıɩɑɡʟɴʀ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'abes3kmhopctyxijdqwlb6abezhikmnoptyxcjiiaglnr01234567890123456789'), 'oilszb', '011528')) stored,
  payment_due_on date,
  vat numeric(15,2) check (vat >= 0),
  repayment_reference text not null generated always as (repayment_reference_of(id)) stored,
  paid_out_on date,
  fee_earned_until date,
  late_charge_bps integer not null default 0 check (late_charge_bps between 0 and 10000),
  constraint invoices_reference unique (application_reference),
  constraint invoices_buyer_is_not_seller check (buyer_id <> business_id),
  constraint invoices_application_whole check (num_nulls(application_tag, application_version, application_reference,
    application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee, net_proceeds) = any
    (array[0, 10])),
  constraint invoices_fee_and_net check (advance = (discount_fee + net_proceeds)),
  constraint invoices_submitted_whole check (status = 'Draft' or submitted_at is not null and submitted_by is not
    null and advance is not null and advance <= (face_value * 0.9) and fee_rate_bps > 0),
  constraint invoices_held_whole check ((holder_id is null) = (held_since is null)),
  constraint invoices_two_officers check ((status not in ('Approved', 'Disbursed', 'Settled')) or first_approved_by
    is distinct from decided_by),
  constraint invoices_declined_whole check ((status = 'Declined') = (decline_reason is not null) and (decline_reason
    is null) = (decline_note is null)),
  constraint invoices_disbursed_whole check ((status in ('Disbursed', 'Settled')) = (due_on is not null) and (due_on
    is null) = (outstanding is null)),
  constraint invoices_settled_whole check ((status = 'Settled') = (settled_on is not null) and (settled_on is null) =
    (settled_at is null)),
  constraint invoices_surplus_owed check (surplus_owed = 0 or surplus_owed > 0 and status = 'Settled'),
  constraint invoices_terms check (status = 'Draft' or coalesce(payment_due_on >= invoice_date, true) and
    coalesce(vat <= face_value, true)),
  constraint invoices_first_approval check ((first_approved_by is null) = (first_approved_at is null) and
    (first_approved_by is null or (status not in ('Draft', 'Submitted')) and (status <> 'Withdrawn' or decided_at is
    not null))),
  constraint invoices_outstanding check ((status <> 'Disbursed' or outstanding >= 0) and (status <> 'Settled' or
    outstanding = 0)),
  constraint invoices_status check (status in ('Draft', 'Submitted', 'In Review', 'Info Requested',
    'Counter-offered', 'Approved', 'Declined', 'Withdrawn', 'Cancelled', 'Lapsed', 'Disbursed', 'Settled')),
  constraint invoices_clock check (case
      when status = 'Draft' then decide_by is null and clock_runs_since is null
      when status in ('Submitted', 'In Review') then decide_by is not null and clock_runs_since is not null and
        decision_target_ms is not null
      when status in ('Info Requested', 'Counter-offered') then decide_by is null and clock_runs_since is null
      else clock_runs_since is null
    end),
  constraint invoices_held_undecided check (holder_id is null or (status in ('Submitted', 'In Review',
    'Info Requested', 'Counter-offered'))),
  constraint invoices_decided_whole check ((decided_at is null) = (decided_by is null) and case
      when status in ('Approved', 'Declined', 'Cancelled', 'Disbursed', 'Settled') then decided_at is not null
      when status in ('Withdrawn', 'Lapsed') then true
      else decided_at is null
    end)
) with (fillfactor = 85);
create index invoices_of_business on invoices (business_id, listed_on desc, id desc) include (status);
create index invoices_of_all on invoices (listed_on desc, id desc);
create index invoices_of_status on invoices (status, listed_on desc, id desc);
create index invoices_number_search on invoices using gin (lower(invoice_number) gin_trgm_ops);
create index invoices_by_advance on invoices (advance desc nulls last, id desc) include (status);
create index invoices_by_net_proceeds on invoices (net_proceeds desc nulls last, id desc) include (status);
create index invoices_of_holder on invoices (holder_id) where holder_id is not null;
create index invoices_due on invoices (due_on, id) where status = 'Disbursed';
create index invoices_decided on invoices (decided_at desc, id desc) include (decide_by, promise_missed_at,
  clock_used_ms) where decided_at is not null;
create index invoices_to_disburse on invoices (decided_at, id) where status = 'Approved';
create index invoices_created_by on invoices (created_by);
create index invoices_submitted_by on invoices (submitted_by) where submitted_by is not null;
create index invoices_first_approved_by on invoices (first_approved_by) where first_approved_by is not null;
create index invoices_decided_by on invoices (decided_by) where decided_by is not null;
create index invoices_with_surplus on invoices (settled_at, id) where surplus_owed > 0;
create index invoices_settled on invoices (settled_at desc, id desc) where status = 'Settled';
create index invoices_look on invoices (buyer_id, invoice_number_look) where status <> 'Draft';
create index invoices_of_buyer on invoices (buyer_id, invoice_date);
create unique index invoices_number on invoices (business_id, buyer_id, invoice_number_key) where status not in
  ('Declined', 'Withdrawn', 'Cancelled', 'Lapsed');
create unique index invoices_repayment_reference on invoices (repayment_reference) where submitted_at is not null;
create index invoices_paid_out on invoices (business_id, due_on) include (status, currency_id, tenor_days, advance,
  discount_fee, net_proceeds, outstanding, paid_out_on) where status in ('Disbursed', 'Settled');
create index invoices_settled_on_time on invoices (business_id, currency_id, settled_at) include (advance,
  settled_on, due_on, tenor_days, paid_out_on) where status = 'Settled' and settled_on <= due_on;
create index invoices_fee_to_earn on invoices (id) include (fee_earned_until) where (status in ('Disbursed',
  'Settled')) and (fee_earned_until is null or fee_earned_until < due_on);
create index invoices_undecided on invoices (decide_by, id) where status in ('Submitted', 'In Review',
  'Info Requested', 'Counter-offered');
create index invoices_using_limit on invoices (business_id, currency_id) include (status, advance, outstanding) where
  status in ('Submitted', 'In Review', 'Info Requested', 'Counter-offered', 'Approved', 'Disbursed');
create index invoices_by_due_day on invoices (due_on) include (currency_id, advance) where status in ('Disbursed',
  'Settled');
create index invoices_owed on invoices (outstanding, currency_id) where status = 'Disbursed';
alter table invoices enable row level security;

create table documents (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer not null references invoices on delete cascade,
  document_type_id integer not null references document_types,
  storage_key text not null unique,
  file_name text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  sha256 bytea not null check (length(sha256) = 32),
  uploaded_at timestamptz not null,
  uploaded_by integer not null references persons,
  stored_sha256 bytea not null,
  constraint documents_one_of_a_type unique (invoice_id, document_type_id),
  constraint documents_stored_sha256 check (length(stored_sha256) = 32)
);
create index documents_uploaded_by on documents (uploaded_by);
create index documents_stored_content on documents (stored_sha256);
alter table documents enable row level security;

create table code_attempts (
  id uuid primary key,
  purpose text not null check (purpose in ('sign-up', 'reset')),
  recipient text not null,
  person_id integer references persons on delete cascade,
  code_digest bytea not null check (length(code_digest) = 32),
  code_expires_at timestamptz not null,
  wrong_tries integer not null default 0 check (wrong_tries between 0 and 5),
  created_at timestamptz not null,
  closed_at timestamptz
);
create unique index code_attempts_open on code_attempts (recipient, purpose) where closed_at is null;
create index code_attempts_person on code_attempts (person_id);
create index code_attempts_age on code_attempts (created_at);
alter table code_attempts enable row level security;

create table code_handles (
  token_hash bytea primary key check (length(token_hash) = 32),
  attempt_id uuid not null references code_attempts on delete cascade,
  expires_at timestamptz not null
);
create index code_handles_attempt on code_handles (attempt_id);
create index code_handles_age on code_handles (expires_at);
alter table code_handles enable row level security;

create table reset_grants (
  token_hash bytea primary key check (length(token_hash) = 32),
  person_id integer not null references persons on delete cascade,
  expires_at timestamptz not null
);
create index reset_grants_person on reset_grants (person_id);
create index reset_grants_age on reset_grants (expires_at);
alter table reset_grants enable row level security;

create table code_budgets (
  recipient text primary key,
  wrong_at timestamptz[] not null default '{}'::timestamp with time zone[] check (cardinality(wrong_at) <= 10),
  blocked_until timestamptz,
  link_sent boolean not null default false,
  sent_at timestamptz[] not null default '{}'::timestamp with time zone[] check (cardinality(sent_at) <= 10),
  sign_up_sent_at timestamptz,
  reset_sent_at timestamptz,
  touched_at timestamptz not null
);
create index code_budgets_age on code_budgets (touched_at);
alter table code_budgets enable row level security;

create table login_throttles (
  username_digest bytea primary key check (length(username_digest) = 32),
  failures integer not null default 0 check (failures >= 0),
  last_failed_at timestamptz not null,
  retry_at timestamptz
);
create index login_throttles_age on login_throttles (last_failed_at);
alter table login_throttles enable row level security;

create table devices (
  token_hash bytea not null check (length(token_hash) = 32),
  person_id integer not null references persons on delete cascade,
  wrong_tries integer not null default 0 check (wrong_tries >= 0),
  last_login_at timestamptz not null,
  primary key (token_hash, person_id)
);
create index devices_person on devices (person_id, last_login_at desc);
create index devices_age on devices (last_login_at);
alter table devices enable row level security;

create table address_limits (
  key character varying(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index address_limits_age on address_limits (expire);
alter table address_limits enable row level security;

create table messages (
  id bigint generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  subject text not null,
  body bytea,
  created_at timestamptz not null,
  expires_at timestamptz,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'expired')),
  attempts integer not null default 0 check (attempts >= 0),
  claim uuid,
  handed_over_at timestamptz,
  sent_at timestamptz,
  last_error text,
  about text,
  caused_by integer references persons,
  due_at timestamptz,
  constraint messages_body_while_needed check (body is not null or (state in ('sent', 'failed', 'expired'))),
  constraint messages_sending_is_claimed check (state <> 'sending' or claim is not null),
  constraint messages_handed_over_once check (state <> 'queued' or handed_over_at is null),
  constraint messages_sent_when check ((state = 'sent') = (sent_at is not null)),
  constraint messages_caused_when check (caused_by is null or due_at is not null)
);
create index messages_waiting on messages (created_at) where state in ('queued', 'sending');
create index messages_newest on messages (created_at desc, id desc);
create index messages_caused_by on messages (caused_by, due_at) where caused_by is not null;
create index messages_sent on messages (channel, sent_at) where state = 'sent';
create index messages_dead on messages (channel, created_at) where state in ('failed', 'expired');
create index messages_about on messages (about) where about is not null and state = 'queued';
alter table messages enable row level security;

create table pending_files (
  storage_key text primary key,
  started_at timestamptz not null
);
create index pending_files_age on pending_files (started_at);
alter table pending_files enable row level security;

create table discarded_files (
  storage_key text primary key,
  turn bigint generated always as identity unique
);
alter table discarded_files enable row level security;

create table public_holidays (
  date date primary key,
  name text not null,
  source text not null
);

create table application_steps (
  id bigint generated always as identity primary key,
  invoice_id integer not null references invoices,
  step text not null,
  from_status text not null,
  to_status text not null,
  at timestamptz not null,
  by_person integer references persons,
  note text
);
create index application_steps_of_invoice on application_steps (invoice_id, id);
create index application_steps_by_person on application_steps (by_person) where by_person is not null;
alter table application_steps enable row level security;

create table information_requests (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer not null references invoices,
  question text not null,
  asked_at timestamptz not null,
  asked_by integer not null references persons,
  closed_at timestamptz,
  answer text,
  answered_by integer references persons,
  recalled boolean not null default false,
  constraint information_requests_open check (closed_at is not null or answer is null and answered_by is null and not
    recalled),
  constraint information_requests_recalled check (not recalled or answered_by is null)
);
create unique index information_requests_one_open on information_requests (invoice_id) where closed_at is null;
create index information_requests_of_invoice on information_requests (invoice_id, id);
create index information_requests_asked_by on information_requests (asked_by);
create index information_requests_answered_by on information_requests (answered_by) where answered_by is not null;
alter table information_requests enable row level security;

create table information_request_documents (
  request_id integer not null references information_requests,
  document_type_id integer not null references document_types,
  earlier_document_id integer,
  uploaded boolean not null default false,
  primary key (request_id, document_type_id)
);
alter table information_request_documents enable row level security;

create table key_facts_acceptances (
  invoice_id integer primary key references invoices,
  version text not null,
  facts jsonb not null,
  accepted_at timestamptz not null,
  accepted_by integer not null references persons
);
create index key_facts_acceptances_accepted_by on key_facts_acceptances (accepted_by);
alter table key_facts_acceptances enable row level security;

create table invoice_flags (
  invoice_id integer not null references invoices,
  other_invoice_id integer not null references invoices,
  kind text not null check (kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')),
  files text[] not null default '{}'::text[],
  found_at timestamptz not null,
  primary key (invoice_id, other_invoice_id, kind),
  constraint invoice_flags_check check (invoice_id <> other_invoice_id)
);
create index invoice_flags_other on invoice_flags (other_invoice_id);
alter table invoice_flags enable row level security;

create table ledger_entries (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer not null references invoices,
  kind text not null check (kind in ('disbursement', 'receipt', 'surplus')),
  amount numeric(15,2) not null check (amount <> 0),
  paid_on date not null,
  method text not null check (method in ('mobileMoney', 'bank')),
  reference text not null,
  payer text check (payer in ('buyer', 'client')),
  reverses integer,
  reason text,
  recorded_at timestamptz not null,
  recorded_by integer not null references persons,
  constraint ledger_entries_reversed_once unique (reverses),
  constraint ledger_entries_own unique (id, invoice_id, kind),
  constraint ledger_entries_sign check ((reverses is null) = (amount > 0)),
  constraint ledger_entries_reason check ((reverses is null) = (reason is null)),
  constraint ledger_entries_payer check ((kind = 'receipt') = (payer is not null)),
  constraint ledger_entries_reverses_own foreign key (reverses, invoice_id, kind) references ledger_entries (id,
    invoice_id, kind)
);
create index ledger_entries_of_invoice on ledger_entries (invoice_id, id);
create index ledger_entries_recorded_by on ledger_entries (recorded_by);
alter table ledger_entries enable row level security;

create table funding_limits (
  business_id integer not null references businesses,
  currency_id integer not null references currencies,
  amount numeric(15,2) not null check (amount >= 0),
  set_at timestamptz not null,
  set_by integer not null references persons,
  primary key (business_id, currency_id)
);
create index funding_limits_set_by on funding_limits (set_by);
alter table funding_limits enable row level security;

create table audit_anchors (
  id integer generated always as identity primary key,
  at timestamptz not null,
  seal bytea not null,
  number integer not null,
  constraint audit_anchors_number unique (number),
  constraint audit_anchors_counted check (number > 0)
);
alter table audit_anchors enable row level security;

create table audit_anchor_heads (
  anchor_id integer not null references audit_anchors,
  subject_tag uuid not null,
  sequence integer not null,
  hash bytea not null,
  primary key (subject_tag, sequence)
);
create index audit_anchor_heads_of_anchor on audit_anchor_heads (anchor_id, subject_tag);
alter table audit_anchor_heads enable row level security;

create table store_findings (
  storage_key text primary key,
  finding text not null check (finding in ('orphan', 'missing', 'altered')),
  found_at timestamptz not null
);
alter table store_findings enable row level security;

create table second_factors (
  person_id integer primary key references persons on delete cascade,
  secret bytea not null,
  set_up_at timestamptz not null,
  last_step integer not null check (last_step > 0)
);
alter table second_factors enable row level security;

create table second_factor_enrolments (
  person_id integer primary key references persons on delete cascade,
  secret bytea not null,
  wrong_tries integer not null default 0 check (wrong_tries between 0 and 9),
  expires_at timestamptz not null
);
create index second_factor_enrolments_age on second_factor_enrolments (expires_at);
alter table second_factor_enrolments enable row level security;

create table recovery_codes (
  person_id integer not null references second_factors (person_id) on delete cascade,
  code_digest bytea not null check (length(code_digest) = 32),
  used_at timestamptz,
  primary key (person_id, code_digest)
);
alter table recovery_codes enable row level security;

create table second_steps (
  token_hash bytea primary key check (length(token_hash) = 32),
  person_id integer not null references second_factors (person_id) on delete cascade,
  device_hash bytea check (length(device_hash) = 32),
  expires_at timestamptz not null
);
create index second_steps_person on second_steps (person_id);
create index second_steps_age on second_steps (expires_at);
alter table second_steps enable row level security;

create table unfinished_uploads (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  person_id integer not null references persons,
  invoice_id integer not null references invoices on delete cascade,
  document_type_id integer not null references document_types,
  file_name text not null,
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  sha256 bytea not null check (length(sha256) = 32),
  touched_at timestamptz not null,
  document_tag uuid
);
create unique index unfinished_uploads_same_file on unfinished_uploads (person_id, invoice_id, document_type_id,
  sha256) where document_tag is null;
create index unfinished_uploads_invoice on unfinished_uploads (invoice_id);
create index unfinished_uploads_age on unfinished_uploads (touched_at);
create index unfinished_uploads_person on unfinished_uploads (person_id);
alter table unfinished_uploads enable row level security;

create table upload_parts (
  upload_id integer not null references unfinished_uploads on delete cascade,
  part integer not null check (part >= 0),
  content bytea not null check (length(content) between 1 and 262144),
  primary key (upload_id, part)
);
alter table upload_parts alter content set storage external;
alter table upload_parts enable row level security;

create table invoice_months (
  month date not null,
  shard integer not null check (shard between 0 and 7),
  rows integer not null,
  days integer[] not null check (cardinality(days) = 31),
  primary key (month, shard)
) with (fillfactor = 50);
alter table invoice_months enable row level security;

create table buyer_requests (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  business_id integer not null references businesses,
  name text not null check (length(name) between 2 and 120),
  requested_at timestamptz not null,
  requested_by integer not null references persons,
  closed_at timestamptz,
  closed_by integer references persons,
  buyer_id integer references businesses,
  refusal text check (length(refusal) between 1 and 300),
  constraint buyer_requests_check check ((closed_at is null) = (closed_by is null)),
  constraint buyer_requests_check1 check ((closed_at is not null) = ((buyer_id is null) <> (refusal is null))),
  constraint buyer_requests_check2 check (buyer_id is null or refusal is null)
);
create unique index buyer_requests_open_name on buyer_requests (business_id, lower(name)) where closed_at is null;
create index buyer_requests_open on buyer_requests (requested_at, id) where closed_at is null;
create index buyer_requests_business on buyer_requests (business_id, requested_at);
create index buyer_requests_requested_by on buyer_requests (requested_by);
create index buyer_requests_closed_by on buyer_requests (closed_by) where closed_by is not null;
alter table buyer_requests enable row level security;

create table limit_proposals (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  business_id integer not null references businesses,
  currency_id integer not null references currencies,
  replaces numeric(15,2) not null check (replaces >= 0),
  amount numeric(15,2) not null,
  reason text not null check (length(reason) between 1 and 500),
  proposed_at timestamptz not null,
  proposed_by integer not null references persons,
  closed_at timestamptz,
  closed_by integer references persons,
  outcome text check (outcome in ('confirmed', 'declined', 'replaced')),
  constraint limit_proposals_check check (amount > replaces),
  constraint limit_proposals_closed_whole check ((closed_at is null) = (closed_by is null) and (closed_at is null) =
    (outcome is null)),
  constraint limit_proposals_two_officers check (outcome is distinct from 'confirmed' or closed_by <> proposed_by)
);
create unique index limit_proposals_open on limit_proposals (business_id, currency_id) where closed_at is null;
create index limit_proposals_proposed_by on limit_proposals (proposed_by);
create index limit_proposals_closed_by on limit_proposals (closed_by) where closed_by is not null;
alter table limit_proposals enable row level security;

create table flag_acknowledgements (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  other_invoice_id integer references invoices,
  kind text not null,
  files text[] not null default '{}'::text[],
  reason text not null check (length(reason) between 10 and 1000),
  acknowledged_at timestamptz not null,
  acknowledged_by integer not null references persons,
  fact text,
  constraint flag_acknowledgements_once unique nulls not distinct (invoice_id, other_invoice_id, kind, files, fact),
  constraint flag_acknowledgements_check check (invoice_id <> other_invoice_id),
  constraint flag_acknowledgements_kind check ((other_invoice_id is null) = (fact is not null) and case
      when fact is null then kind in ('sameNumberAndAmount', 'sameFile', 'nearAmountAndDate', 'nearNumber')
      else kind in ('coverage', 'dueDate', 'buyerChanged', 'newPayoutAccount', 'holderDiffers')
    end)
);
create index flag_acknowledgements_other on flag_acknowledgements (other_invoice_id);
create index flag_acknowledgements_acknowledged_by on flag_acknowledgements (acknowledged_by);
alter table flag_acknowledgements enable row level security;

create table drawn_letters (
  digest bytea primary key check (length(digest) = 32),
  content bytea not null check (length(content) > 0),
  seal bytea not null,
  asked_at timestamptz not null
);
create index drawn_letters_age on drawn_letters (asked_at);
alter table drawn_letters alter content set storage external;
alter table drawn_letters enable row level security;

create table installation (
  only_one boolean default true primary key check (only_one),
  tag uuid not null,
  secret_check bytea not null check (length(secret_check) = 32)
);

create table journal_accounts (
  code text primary key,
  name text not null,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense', 'memorandum'))
);

create table journal_entries (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer references invoices,
  currency_id integer not null references currencies,
  kind text not null check (kind in ('disbursement', 'receipt', 'surplus', 'deduction', 'feeEarned', 'extension',
    'lateCharge', 'writeOff', 'arrival', 'returned')),
  amount numeric(15,2) not null check (amount <> 0),
  carried numeric(15,2) not null default 0,
  rounded numeric(15,2) not null default 0,
  occurred_on date not null,
  method text check (method in ('mtn', 'airtel', 'mobileMoney', 'bank')),
  reference text,
  payer text check (payer in ('buyer', 'client')),
  deduction text check (deduction in ('withholdingTax', 'withheldVat', 'creditNote', 'dispute')),
  certificate text,
  reverses integer,
  reason text,
  recorded_at timestamptz not null,
  recorded_by integer references persons,
  statement_line_id integer,
  transfer_id integer,
  constraint journal_entries_reversed_once unique (reverses),
  constraint journal_entries_own unique (id, invoice_id, kind),
  constraint journal_entries_sign check ((reverses is null) = (amount > 0)),
  constraint journal_entries_payer check ((kind = 'receipt') = (payer is not null)),
  constraint journal_entries_deduction check ((kind = 'deduction') = (deduction is not null) and (deduction is null)
    = (certificate is null)),
  constraint journal_entries_carried check (carried = 0 or (kind in ('disbursement', 'surplus'))),
  constraint journal_entries_rounded check (rounded = 0 or (kind in ('receipt', 'surplus', 'writeOff'))),
  constraint journal_entries_reason check (reason is not null or reverses is null and kind <> 'writeOff'),
  constraint journal_entries_payment check ((kind in ('disbursement', 'receipt', 'surplus', 'arrival', 'returned')) =
    (method is not null) and (method is null) = (reference is null)),
  constraint journal_entries_outside check ((invoice_id is null) = (kind in ('arrival', 'returned')) and (invoice_id
    is not null or statement_line_id is not null and reverses is null) and (statement_line_id is null or (kind in
    ('receipt', 'arrival', 'returned')))),
  constraint journal_entries_recorded check (recorded_by is not null or (kind in ('feeEarned', 'lateCharge')) or
    statement_line_id is not null or transfer_id is not null),
  constraint journal_entries_asked_for check (transfer_id is null or kind = 'receipt' and reverses is null and
    statement_line_id is null),
  constraint journal_entries_reverses_own foreign key (reverses, invoice_id, kind) references journal_entries (id,
    invoice_id, kind)
);
create index journal_entries_of_invoice on journal_entries (invoice_id, id);
create index journal_entries_occurred on journal_entries (occurred_on);
create index journal_entries_recorded_by on journal_entries (recorded_by) where recorded_by is not null;
create index journal_entries_by_kind on journal_entries (kind, occurred_on, currency_id) include (id, amount);
create index journal_entries_certificate on journal_entries (certificate_key(certificate)) where certificate is not
  null;
create unique index journal_entries_arrived_once on journal_entries (statement_line_id) where kind = 'arrival';
create index journal_entries_of_line on journal_entries (statement_line_id) where statement_line_id is not null;
create unique index journal_entries_transfer on journal_entries (transfer_id) where transfer_id is not null;
create index journal_entries_reference on journal_entries (method, reference_key(reference)) where reference is not
  null;
create index journal_entries_recorded_at on journal_entries using brin (recorded_at);
create index journal_entries_charged on journal_entries (invoice_id, kind) where kind in ('extension', 'lateCharge',
  'writeOff');
alter table journal_entries enable row level security;

create table journal_lines (
  entry_id integer not null references journal_entries,
  account text not null references journal_accounts (code),
  amount numeric(15,2) not null check (amount <> 0),
  primary key (entry_id, account) include (amount)
);
create index journal_lines_account on journal_lines (account, entry_id) include (amount);
alter table journal_lines enable row level security;

create table tax_rates (
  kind text not null check (kind in ('vat', 'withholdingTax', 'vatWithholding')),
  valid_from date not null,
  rate_bps integer not null check (rate_bps between 0 and 10000),
  threshold numeric(15,2) check (threshold >= 0),
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  source text not null,
  primary key (kind, valid_from)
);

create table payout_accounts (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  business_id integer not null references businesses,
  provider text not null check (provider in ('mtn', 'airtel', 'bank')),
  number text not null check (number ~ '^[0-9]{6,20}$'),
  holder_name text not null check (length(holder_name) between 2 and 100),
  bank_name text check (length(bank_name) between 2 and 100),
  replaces integer references payout_accounts,
  added_at timestamptz not null,
  added_by integer not null references persons,
  verified_at timestamptz,
  verified_by integer references persons,
  verified_reason text check (length(verified_reason) between 1 and 500),
  frozen_at timestamptz,
  frozen_by integer references persons,
  freezes integer not null default 0 check (freezes >= 0),
  replaced_at timestamptz,
  holder_state text,
  holder_said text,
  holder_asked_at timestamptz,
  constraint payout_accounts_bank check ((provider = 'bank') = (bank_name is not null)),
  constraint payout_accounts_verified check ((verified_at is null) = (verified_by is null)),
  constraint payout_accounts_frozen check ((frozen_at is null) = (frozen_by is null)),
  constraint payout_accounts_two_people check (verified_by <> added_by),
  constraint payout_accounts_holder_state check (holder_state in ('active', 'none', 'closed', 'unknown')),
  constraint payout_accounts_holder_said check (holder_said is null or holder_state = 'active' and
    length(holder_said) between 1 and 100),
  constraint payout_accounts_holder_asked check ((holder_state is null) = (holder_asked_at is null))
);
create unique index payout_accounts_own on payout_accounts (business_id, provider, number, coalesce(lower(bank_name),
  '')) where replaced_at is null;
create index payout_accounts_number on payout_accounts (number, provider);
create index payout_accounts_waiting on payout_accounts (added_at, id) where verified_at is null and frozen_at is
  null;
create index payout_accounts_replaces on payout_accounts (replaces) where replaces is not null;
create index payout_accounts_added_by on payout_accounts (added_by);
create index payout_accounts_verified_by on payout_accounts (verified_by) where verified_by is not null;
create index payout_accounts_frozen_by on payout_accounts (frozen_by) where frozen_by is not null;
alter table payout_accounts enable row level security;

create table payout_choices (
  invoice_id integer primary key references invoices on delete cascade,
  account_id integer not null references payout_accounts,
  chosen_at timestamptz not null,
  chosen_by integer not null references persons
);
create index payout_choices_account on payout_choices (account_id);
create index payout_choices_chosen_by on payout_choices (chosen_by);
alter table payout_choices enable row level security;

create table payouts (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer not null references invoices,
  kind text not null check (kind in ('disbursement', 'surplus')),
  account_id integer not null references payout_accounts,
  amount numeric(15,2) not null check (amount > 0),
  prepared_at timestamptz not null,
  prepared_by integer not null references persons,
  released_at timestamptz,
  released_by integer references persons,
  entry_tag uuid,
  cancelled_at timestamptz,
  cancelled_by integer references persons,
  cancel_reason text check (length(cancel_reason) between 1 and 500),
  failed_at timestamptz,
  part_of integer references payouts,
  reference uuid not null default gen_random_uuid(),
  constraint payouts_reference unique (reference),
  constraint payouts_two_officers check (released_by <> prepared_by),
  constraint payouts_released check ((released_at is null) = (released_by is null) and (released_at is not null or
    num_nonnulls(entry_tag, failed_at) = 0)),
  constraint payouts_ended_once check (num_nonnulls(entry_tag, failed_at, cancelled_at) < 2 and
    num_nonnulls(released_at, cancelled_at) < 2),
  constraint payouts_cancelled check ((cancelled_at is null) = (cancel_reason is null) and (cancelled_by is null or
    cancelled_at is not null))
);
create index payouts_waiting on payouts (prepared_at, id) where released_at is null and cancelled_at is null;
create index payouts_invoice on payouts (invoice_id);
create index payouts_account on payouts (account_id);
create index payouts_prepared_by on payouts (prepared_by);
create index payouts_released_by on payouts (released_by) where released_by is not null;
create index payouts_cancelled_by on payouts (cancelled_by) where cancelled_by is not null;
create unique index payouts_open on payouts (invoice_id) where entry_tag is null and failed_at is null and
  cancelled_at is null;
create unique index payouts_entry on payouts (entry_tag) where entry_tag is not null;
create index payouts_part_of on payouts (part_of) where part_of is not null;
alter table payouts enable row level security;

create table repayment_reminders (
  invoice_id integer not null references invoices,
  due_on date not null,
  day integer not null,
  at timestamptz not null,
  told integer not null check (told >= 0),
  primary key (invoice_id, due_on, day)
);
alter table repayment_reminders enable row level security;

create table collection_entries (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer not null references invoices,
  kind text not null,
  at timestamptz not null,
  by_person integer not null references persons,
  note text check (length(note) between 1 and 1000),
  day date,
  amount numeric(15,2) check (amount > 0),
  channel text check (channel in ('call', 'message', 'visit')),
  next_step text check (length(next_step) between 1 and 200),
  constraint collection_entries_whole check (case kind
      when 'buyerLate' then note is not null and day is not null and amount is null and channel is null and next_step
        is null
      when 'dispute' then note is not null and num_nonnulls(day, amount, channel, next_step) = 0
      when 'disputeEnded' then note is not null and num_nonnulls(day, amount, channel, next_step) = 0
      when 'contact' then note is not null and channel is not null and amount is null and (day is null or next_step
        is not null)
      when 'promise' then day is not null and amount is not null and num_nonnulls(channel, next_step) = 0
      when 'note' then note is not null and num_nonnulls(day, amount, channel, next_step) = 0
      else false
    end)
);
create index collection_entries_of_invoice on collection_entries (invoice_id, id);
create index collection_entries_by_person on collection_entries (by_person);
alter table collection_entries enable row level security;

create table write_off_proposals (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  invoice_id integer not null references invoices,
  amount numeric(15,2) not null check (amount > 0),
  reason text not null check (length(reason) between 1 and 500),
  proposed_at timestamptz not null,
  proposed_by integer not null references persons,
  confirmed_at timestamptz,
  confirmed_by integer references persons,
  dropped_at timestamptz,
  dropped_by integer references persons,
  constraint write_off_proposals_confirmed check ((confirmed_at is null) = (confirmed_by is null)),
  constraint write_off_proposals_ended_once check (confirmed_at is null or dropped_at is null),
  constraint write_off_proposals_two_officers check (confirmed_by <> proposed_by),
  constraint write_off_proposals_dropped check (dropped_at is not null or dropped_by is null)
);
create unique index write_off_proposals_open on write_off_proposals (invoice_id) where confirmed_at is null and
  dropped_at is null;
create index write_off_proposals_invoice on write_off_proposals (invoice_id);
create index write_off_proposals_proposed_by on write_off_proposals (proposed_by);
create index write_off_proposals_confirmed_by on write_off_proposals (confirmed_by) where confirmed_by is not null;
create index write_off_proposals_dropped_by on write_off_proposals (dropped_by) where dropped_by is not null;
alter table write_off_proposals enable row level security;

create table counter_offers (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  offered_at timestamptz not null,
  offered_by integer not null references persons,
  needs_two boolean not null,
  advance numeric(15,2) not null check (advance > 0),
  financing_period_id integer not null references financing_periods,
  tenor_days integer not null check (tenor_days > 0),
  fee_rate_bps integer not null check (fee_rate_bps >= 0),
  discount_fee numeric(15,2) not null check (discount_fee >= 0),
  net_proceeds numeric(15,2) not null,
  reason text not null check (length(reason) between 1 and 1000),
  constraint counter_offers_adds_up check (net_proceeds = (advance - discount_fee))
);
create index counter_offers_of_invoice on counter_offers (invoice_id, id);
create index counter_offers_offered_by on counter_offers (offered_by);
alter table counter_offers enable row level security;

create table counter_offer_acceptances (
  offer_id integer primary key references counter_offers,
  version text not null,
  facts jsonb not null,
  accepted_at timestamptz not null,
  accepted_by integer not null references persons
);
create index counter_offer_acceptances_accepted_by on counter_offer_acceptances (accepted_by);
alter table counter_offer_acceptances enable row level security;

create table extensions (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  financing_period_id integer not null references financing_periods,
  tenor_days integer not null check (tenor_days > 0),
  reason text not null check (length(reason) between 1 and 1000),
  asked_at timestamptz,
  asked_by integer references persons,
  offered_at timestamptz,
  offered_by integer references persons,
  agreed_at timestamptz,
  agreed_by integer references persons,
  closed_at timestamptz,
  closed_by integer references persons,
  version text,
  facts jsonb,
  fee numeric(15,2) check (fee >= 0),
  due_on date,
  constraint extensions_asked check ((asked_at is null) = (asked_by is null)),
  constraint extensions_offered check ((offered_at is null) = (offered_by is null) and num_nonnulls(asked_at,
    offered_at) > 0),
  constraint extensions_agreed check ((agreed_at is null) = (agreed_by is null) and (agreed_at is null or offered_at
    is not null)),
  constraint extensions_two_officers check (agreed_by <> offered_by),
  constraint extensions_closed check ((closed_at is null) = (closed_by is null)),
  constraint extensions_accepted check ((num_nonnulls(version, facts, fee, due_on) = any (array[0, 4])) and (version
    is null or agreed_at is not null and closed_at is not null))
);
create unique index extensions_open on extensions (invoice_id) where closed_at is null;
create index extensions_of_invoice on extensions (invoice_id, id);
create index extensions_asked_by on extensions (asked_by) where asked_by is not null;
create index extensions_offered_by on extensions (offered_by) where offered_by is not null;
create index extensions_agreed_by on extensions (agreed_by) where agreed_by is not null;
create index extensions_closed_by on extensions (closed_by) where closed_by is not null;
alter table extensions enable row level security;

create table transfers (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  rail text not null check (rail ~ '^[a-z][a-z0-9-]{0,29}$'),
  direction text not null check (direction in ('out', 'in')),
  invoice_id integer not null references invoices,
  payout_id integer references payouts,
  amount numeric(15,2) not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  number text not null check (number ~ '^[0-9]{6,20}$'),
  holder_name text check (length(holder_name) between 2 and 100),
  label text not null check (length(label) between 1 and 100),
  reference uuid not null unique,
  state text not null check (state in ('released', 'sent', 'unknown', 'succeeded', 'failed', 'reconciled')),
  refusal text,
  said text check (length(said) <= 200),
  provider_reference text check (length(provider_reference) between 1 and 200),
  entry_tag uuid unique,
  created_at timestamptz not null,
  created_by integer not null references persons,
  sent_at timestamptz,
  asked_at timestamptz,
  asks integer not null default 0 check (asks >= 0),
  next_ask_at timestamptz,
  known_at timestamptz,
  told_at timestamptz,
  batch_id integer,
  file_reference text not null generated always as (repayment_reference_of(1500000000 + id)) stored unique,
  is_ending boolean not null default false,
  constraint transfers_payout unique (payout_id),
  constraint transfers_direction check ((direction = 'out') = (payout_id is not null)),
  constraint transfers_known check ((known_at is not null) = (state in ('succeeded', 'failed', 'reconciled'))),
  constraint transfers_refused check (refusal is not null or state <> 'failed'),
  constraint transfers_paid check (num_nonnulls(provider_reference, entry_tag) = 2 or state <> 'succeeded'),
  constraint transfers_sent check ((state <> 'released' or sent_at is null) and ((state in ('released', 'failed')) or
    sent_at is not null)),
  constraint transfers_asked_on check (next_ask_at is null or known_at is null),
  constraint transfers_batched check (batch_id is null or sent_at is not null)
);
create unique index transfers_provider_reference on transfers (rail, provider_reference) where provider_reference is
  not null;
create index transfers_of_invoice on transfers (invoice_id, id);
create index transfers_open on transfers (next_ask_at) where next_ask_at is not null;
create unique index transfers_asked_for on transfers (invoice_id) where direction = 'in' and next_ask_at is not null;
create index transfers_created_by on transfers (created_by);
create index transfers_batch on transfers (batch_id) where batch_id is not null;
create index transfers_unfinished on transfers (id) where known_at is null;
create index transfers_created_at on transfers (created_at);
alter table transfers enable row level security;

create table statements (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  rail text not null check (rail in ('mtn', 'airtel', 'bank')),
  currency_id integer not null references currencies,
  file_name text not null check (length(file_name) between 1 and 200),
  sha256 bytea not null check (length(sha256) = 32),
  from_on date not null,
  until_on date not null,
  line_count integer not null check (line_count > 0),
  new_count integer not null,
  received numeric(15,2) not null check (received >= 0),
  sent numeric(15,2) not null check (sent >= 0),
  imported_at timestamptz not null,
  imported_by integer not null references persons,
  account text not null default 'all' check (account in ('all', 'collection', 'disbursement')),
  constraint statements_once unique (rail, currency_id, sha256, from_on, until_on, account),
  constraint statements_check check (new_count >= 0 and new_count <= line_count),
  constraint statements_period check (from_on <= until_on)
);
create index statements_imported_by on statements (imported_by);
alter table statements enable row level security;

create table statement_lines (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  statement_id integer not null references statements,
  rail text not null check (rail in ('mtn', 'airtel', 'bank')),
  currency_id integer not null references currencies,
  place integer not null check (place > 0),
  provider_id text not null check (length(provider_id) between 1 and 200),
  occurred_on date not null,
  amount numeric(15,2) not null check (amount <> 0),
  payer_number text check (length(payer_number) between 1 and 40),
  payer_name text check (length(payer_name) between 1 and 100),
  details text not null check (length(details) <= 300),
  provider_key text not null generated always as (reference_key(provider_id)) stored,
  constraint statement_lines_once unique (rail, currency_id, provider_key)
);
create index statement_lines_of_statement on statement_lines (statement_id);
create index statement_lines_of_day on statement_lines (rail, currency_id, occurred_on);
alter table statement_lines enable row level security;

create table suspense (
  line_id integer primary key references statement_lines,
  amount numeric(15,2) not null,
  constraint suspense_not_overdrawn check (amount >= 0)
);
create index suspense_waiting on suspense (line_id) where amount > 0;
alter table suspense enable row level security;

create table known_receipts (
  id integer generated always as identity primary key,
  entry_id integer not null unique references journal_entries,
  line_id integer not null references statement_lines
);
create index known_receipts_line on known_receipts (line_id);
alter table known_receipts enable row level security;

create table suspense_returns (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  line_id integer not null references statement_lines,
  amount numeric(15,2) not null check (amount > 0),
  reason text not null check (length(reason) between 1 and 500),
  proposed_at timestamptz not null,
  proposed_by integer not null references persons,
  confirmed_at timestamptz,
  confirmed_by integer references persons,
  entry_tag uuid,
  dropped_at timestamptz,
  dropped_by integer references persons,
  constraint suspense_returns_confirmed check ((confirmed_at is null) = (confirmed_by is null) and (confirmed_at is
    null) = (entry_tag is null)),
  constraint suspense_returns_dropped check ((dropped_at is null) = (dropped_by is null)),
  constraint suspense_returns_ended_once check (confirmed_at is null or dropped_at is null),
  constraint suspense_returns_two_officers check (confirmed_by <> proposed_by)
);
create unique index suspense_returns_open on suspense_returns (line_id) where confirmed_at is null and dropped_at is
  null;
create index suspense_returns_line on suspense_returns (line_id);
create index suspense_returns_proposed_by on suspense_returns (proposed_by);
create index suspense_returns_confirmed_by on suspense_returns (confirmed_by) where confirmed_by is not null;
create index suspense_returns_dropped_by on suspense_returns (dropped_by) where dropped_by is not null;
alter table suspense_returns enable row level security;

create table reconciled_days (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  rail text not null check (rail in ('mtn', 'airtel', 'bank')),
  currency_id integer not null references currencies,
  day date not null,
  by_statement numeric(15,2) not null,
  by_journal numeric(15,2) not null,
  closed_at timestamptz not null,
  closed_by integer not null references persons,
  constraint reconciled_days_once unique (rail, currency_id, day)
);
create index reconciled_days_closed_by on reconciled_days (closed_by);
alter table reconciled_days enable row level security;

create table explained_differences (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  rail text not null check (rail in ('mtn', 'airtel', 'bank')),
  currency_id integer not null references currencies,
  day date not null,
  difference text not null check (length(difference) between 1 and 400),
  reason text not null check (length(reason) between 1 and 500),
  explained_at timestamptz not null,
  explained_by integer not null references persons,
  constraint explained_differences_once unique (rail, currency_id, day, difference)
);
create index explained_differences_explained_by on explained_differences (explained_by);
alter table explained_differences enable row level security;

create table payout_batches (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  number integer not null unique check (number > 0),
  rail text not null check (rail ~ '^[a-z][a-z0-9-]{0,29}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  from_number text not null check (from_number ~ '^[0-9]{6,20}$'),
  from_name text not null check (length(from_name) between 2 and 100),
  payout_count integer not null check (payout_count > 0),
  total numeric(15,2) not null check (total > 0),
  sha256 bytea not null check (length(sha256) = 32),
  made_at timestamptz not null,
  made_by integer not null references persons
);
create index payout_batches_made_by on payout_batches (made_by);
alter table payout_batches enable row level security;

create table provider_records (
  transfer_id integer primary key references transfers,
  asked_at timestamptz not null,
  said text not null check (length(said) <= 200),
  known_at timestamptz,
  outcome text check (outcome in ('paid', 'notPaid')),
  provider_reference text check (length(provider_reference) between 1 and 200),
  amount numeric(15,2) check (amount >= 0),
  constraint provider_records_known check ((known_at is null) = (outcome is null)),
  constraint provider_records_paid check ((provider_reference is not null) = (not outcome is distinct from 'paid')
    and (amount is null or outcome = 'paid'))
);
create index provider_records_number on provider_records (provider_reference) where provider_reference is not null;
alter table provider_records enable row level security;

create table transfer_endings (
  id integer generated always as identity primary key,
  tag uuid not null default gen_random_uuid() unique,
  transfer_id integer not null references transfers,
  outcome text not null check (outcome in ('paid', 'notPaid')),
  provider_reference text check (length(provider_reference) between 1 and 200),
  reason text not null check (length(reason) between 1 and 500),
  said text not null check (length(said) <= 200),
  proposed_at timestamptz not null,
  proposed_by integer not null references persons,
  confirmed_at timestamptz,
  confirmed_by integer references persons,
  dropped_at timestamptz,
  dropped_by integer references persons,
  constraint transfer_endings_number check ((outcome = 'paid') = (provider_reference is not null)),
  constraint transfer_endings_confirmed check ((confirmed_at is null) = (confirmed_by is null)),
  constraint transfer_endings_dropped check (dropped_at is not null or dropped_by is null),
  constraint transfer_endings_ended_once check (confirmed_at is null or dropped_at is null),
  constraint transfer_endings_two_officers check (confirmed_by <> proposed_by)
);
create unique index transfer_endings_open on transfer_endings (transfer_id) where confirmed_at is null and dropped_at
  is null;
create index transfer_endings_transfer on transfer_endings (transfer_id);
create index transfer_endings_proposed_by on transfer_endings (proposed_by);
create index transfer_endings_confirmed_by on transfer_endings (confirmed_by) where confirmed_by is not null;
create index transfer_endings_dropped_by on transfer_endings (dropped_by) where dropped_by is not null;
alter table transfer_endings enable row level security;

create table reconciliation_news (
  day date primary key,
  told_at timestamptz not null,
  differences integer not null check (differences > 0)
);
alter table reconciliation_news enable row level security;

create table contradictions (
  id integer generated always as identity primary key,
  line_id integer not null references statement_lines,
  statement_id integer not null references statements,
  occurred_on date,
  amount numeric(15,2),
  payer_number text,
  payer_name text,
  details text,
  constraint contradictions_once unique (line_id, statement_id),
  constraint contradictions_otherwise check ((amount is null) = (occurred_on is null) and (amount is null) = (details
    is null))
);
create index contradictions_statement on contradictions (statement_id);
alter table contradictions enable row level security;

alter table journal_entries add foreign key (statement_line_id) references statement_lines;
alter table journal_entries add foreign key (transfer_id) references transfers;
alter table transfers add foreign key (batch_id) references payout_batches;

-- Functions that use the tables.
create function count_row(counted text, counted_scope integer, difference integer) returns void language sql as $$
  insert into row_counts as existing (list, scope, rows) values (counted, counted_scope, greatest(difference, 0))
  on conflict (list, scope) do update set rows = existing.rows + difference
$$;

create function count_persons() returns trigger language plpgsql as $$
  declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    perform count_row('persons', changed.shard, changed.persons * difference)
    from (select id % 32 as shard, count(*)::integer as persons from changed_persons group by 1 order by 1) as changed;
    return null;
  end
$$;

create function refuse_change() returns trigger language plpgsql as $$
  begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end
$$;

create function count_invoices() returns trigger language plpgsql as $$
  declare difference integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    perform count_row('invoices', changed.business_id, changed.invoices * difference)
    from (select business_id, count(*)::integer as invoices from changed_invoices group by 1 order by 1) as changed;
    insert into invoice_months as existing (month, shard, rows, days)
    select date '9000-01-01' + pg_backend_pid() % 512, 0, count(*) * difference, array_fill(0, array[31])
    from changed_invoices having count(*) > 0
    on conflict (month, shard) do update set rows = existing.rows + excluded.rows;
    return null;
  end
$$;

create function discard_file() returns trigger language plpgsql as $$
  begin
    insert into discarded_files (storage_key) values (old.storage_key) on conflict do nothing;
    return old;
  end
$$;

create function audit_event_hash(previous bytea, event audit_events) returns bytea language sql stable as $$
  select sha256(coalesce(previous, ''::bytea) || convert_to(concat_ws(chr(10),
    event.sequence, (extract(epoch from event.at) * 1000000)::bigint, coalesce(event.actor_tag::text, '-'),
    event.action, event.subject_type, event.subject_tag, coalesce(event.before::text, '-'),
    coalesce(event.after::text, '-'), coalesce(event.ip, '-'), coalesce(event.request_id, '-')), 'UTF8'))
$$;

create function chain_audit_event() returns trigger language plpgsql as $$
  declare last record;
  begin
    perform pg_advisory_xact_lock(hashtextextended('kasente audit ' || new.subject_tag, 0));
    select sequence, hash into last from audit_events
      where subject_tag = new.subject_tag order by sequence desc limit 1;
    new.sequence := coalesce(last.sequence, 0) + 1;
    new.hash := audit_event_hash(last.hash, new);
    return new;
  end
$$;

create function remember_buyer() returns trigger language plpgsql as $$
  begin
    new.ever_buyer := new.is_buyer or new.ever_buyer;
    return new;
  end
$$;

create function buyers_named(pattern text) returns setof integer language sql stable rows 100 as $$
  select id from businesses where ever_buyer and lower(name) like lower(pattern)
$$;

create function refuse_unbalanced() returns trigger language plpgsql as $$
  declare total numeric; lines integer;
  begin
    select coalesce(sum(amount), 0), count(*) into total, lines from journal_lines where entry_id = new.id;
    if total <> 0 or lines < 2 then
      raise exception 'journal entry % has % lines that sum to %', new.id, lines, total
        using errcode = 'check_violation', constraint = 'journal_entries_balanced';
    end if;
    return null;
  end
$$;

create function refuse_late_line() returns trigger language plpgsql as $$
  begin
    if not exists (select from journal_entries where id = new.entry_id
        and xmin = (pg_current_xact_id()::text::numeric % 4294967296)::text::xid) then
      raise exception 'journal entry % is closed', new.entry_id
        using errcode = 'check_violation', constraint = 'journal_lines_in_time';
    end if;
    return null;
  end
$$;

create function post_payment(payment journal_entries) returns void language sql as $$
  with standing as (
    select * from journal_entries where invoice_id = payment.invoice_id and id <= payment.id),
  total as (
    select coalesce(sum(amount) filter (where kind = 'disbursement'), 0) as disbursed,
      coalesce(sum(amount - carried) filter (where kind = 'disbursement'), 0) as sent,
      coalesce(sum(amount) filter (where kind = 'receipt'), 0) as received,
      coalesce(sum(amount) filter (where kind = 'receipt' and payer = 'buyer'), 0) as from_buyer,
      coalesce(sum(amount) filter (where kind = 'deduction'), 0) as deducted,
      coalesce(sum(amount) filter (where kind in ('extension', 'lateCharge')), 0) as added,
      coalesce(sum(amount) filter (where kind = 'extension'), 0) as extended,
      coalesce(sum(amount) filter (where kind = 'lateCharge'), 0) as charged,
      coalesce(sum(amount) filter (where kind = 'feeEarned'), 0) as earned,
      coalesce(sum(amount) filter (where kind = 'writeOff'), 0) as lost,
      coalesce(sum(amount - carried) filter (where kind = 'surplus'), 0) as surplus_paid,
      sum(carried) as carried, sum(rounded) as rounded
    from standing),
  owed as (
    select total.*, invoices.face_value, invoices.discount_fee, disbursed > 0 as is_out,
      case when disbursed > 0 then invoices.advance + added else 0 end as owed,
      case when disbursed > 0 then invoices.net_proceeds - sent else 0 end as rest
    from total, invoices where invoices.id = payment.invoice_id),
  applied as (select *, least(received, owed - lost) as applied from owed),
  shared as (select *, least(received - applied, lost) as recovered from applied),
  due as (select *, received - applied - recovered - surplus_paid as due from shared),
  cleared as (select *, greatest(0, least(rounded, due)) as rounded_due,
    case when is_out then discount_fee + extended else 0 end as fee from due),
  given as (select *, greatest(0, least(fee - earned, lost)) as fee_given_up from cleared),
  target (account, amount) as (
    select case case when statement_line_id is null then method else 'line' end when 'line' then 'suspense'
        when 'mtn' then 'cashMtn' when 'airtel' then 'cashAirtel' when 'bank' then 'cashBank' else 'cashMobileMoney' end,
      sum(case kind when 'receipt' then amount else -amount end)
    from standing where method is not null group by 1
    union all select account, amount from given, lateral (values
      ('advances', owed - lost - applied),
      ('feesNotEarned', earned - fee + fee_given_up),
      ('feeIncome', -earned),
      ('clientPayable', rounded_due - due - rest),
      ('clientFractions', carried + rounded - rounded_due),
      ('rounding', -rounded),
      ('lateCharges', -charged),
      ('recoveries', -recovered),
      ('writeOffs', lost - fee_given_up),
      ('buyersOwe', case when is_out then greatest(0, face_value - from_buyer - deducted) else 0 end),
      ('financedInvoices', -case when is_out then greatest(0, face_value - from_buyer - deducted) else 0 end)
    ) as line (account, amount)),
  before (account, amount) as (
    select account, sum(line.amount) from journal_lines as line join standing on standing.id = entry_id group by 1)
  insert into journal_lines (entry_id, account, amount)
  select payment.id, account, coalesce(target.amount, 0) - coalesce(before.amount, 0)
  from target full join before using (account)
  where coalesce(target.amount, 0) <> coalesce(before.amount, 0)
$$;

create function copy_to_journal() returns trigger language plpgsql as $$
  declare entry journal_entries;
  begin
    if exists (select from journal_entries where tag = new.tag) then return null; end if;
    insert into journal_entries (tag, invoice_id, currency_id, kind, amount, occurred_on, method, reference, payer,
      reverses, reason, recorded_at, recorded_by, carried)
    select new.tag, new.invoice_id, currency_id, new.kind, new.amount, new.paid_on, new.method, new.reference, new.payer,
      (select original.id from journal_entries as original join ledger_entries as copied using (tag)
        where copied.id = new.reverses), new.reason, new.recorded_at, new.recorded_by,
      case new.kind when 'disbursement' then new.amount - sign(new.amount) * net_proceeds else 0 end
    from invoices where invoices.id = new.invoice_id
    returning * into entry;
    perform post_payment(entry);
    return null;
  end
$$;

create function copy_to_ledger() returns trigger language plpgsql as $$
  begin
    if new.kind not in ('disbursement', 'receipt', 'surplus')
      or exists (select from ledger_entries where tag = new.tag) then return null; end if;
    insert into ledger_entries (tag, invoice_id, kind, amount, paid_on, method, reference, payer, reverses, reason,
      recorded_at, recorded_by)
    values (new.tag, new.invoice_id, new.kind, new.amount - new.carried, new.occurred_on,
      case new.method when 'bank' then 'bank' else 'mobileMoney' end, new.reference, new.payer,
      (select copied.id from ledger_entries as copied join journal_entries as original using (tag)
        where original.id = new.reverses), new.reason, new.recorded_at,
      coalesce(new.recorded_by, (select imported_by from statements join statement_lines as line
        on line.statement_id = statements.id where line.id = new.statement_line_id),
        (select created_by from transfers where transfers.id = new.transfer_id)));
    return null;
  end
$$;

create function keep_agreed_extension() returns trigger language plpgsql as $$
  begin
    if old.closed_at is not null or (old.agreed_at is not null
      and (new.invoice_id, new.financing_period_id, new.tenor_days, new.reason, new.asked_at, new.asked_by,
        new.offered_at, new.offered_by, new.agreed_at, new.agreed_by) is distinct from
        (old.invoice_id, old.financing_period_id, old.tenor_days, old.reason, old.asked_at, old.asked_by,
        old.offered_at, old.offered_by, old.agreed_at, old.agreed_by)) then
      raise exception 'extension % is agreed or closed', old.id
        using errcode = 'check_violation', constraint = 'extensions_agreed_stays';
    end if;
    return new;
  end
$$;

create function keep_suspense() returns trigger language plpgsql as $$
  declare line integer;
  begin
    select statement_line_id into line from journal_entries where id = new.entry_id;
    update suspense set amount = amount - new.amount where line_id = line;
    if not found then insert into suspense (line_id, amount) values (line, -new.amount); end if;
    return null;
  end
$$;

-- These work as the tables' owner, whoever calls them. They look names up in this schema alone, so that a caller can't
-- slip in tables of their own.
do $$
  declare named text;
  begin
    foreach named in array array['count_persons()', 'count_invoices()', 'discard_file()', 'chain_audit_event()', 'buyers_named(text)'] loop
      execute format('alter function %s security definer set search_path to %I, pg_temp', named, current_schema());
    end loop;
  end $$;

-- Triggers.
create trigger businesses_ever_buyer before insert or update on businesses for each row execute function
  remember_buyer();
create trigger persons_added after insert on persons referencing new table as changed_persons for each statement
  execute function count_persons();
create trigger persons_removed after delete on persons referencing old table as changed_persons for each statement
  execute function count_persons();
create trigger audit_events_append_only before delete or update or truncate on audit_events for each statement
  execute function refuse_change();
create trigger audit_events_chained before insert on audit_events for each row execute function chain_audit_event();
create trigger invoices_added after insert on invoices referencing new table as changed_invoices for each statement
  execute function count_invoices();
create trigger invoices_removed after delete on invoices referencing old table as changed_invoices for each statement
  execute function count_invoices();
create trigger documents_discard_file after delete on documents for each row execute function discard_file();
create trigger application_steps_append_only before delete or update or truncate on application_steps for each
  statement execute function refuse_change();
create trigger key_facts_acceptances_append_only before delete or update or truncate on key_facts_acceptances for
  each statement execute function refuse_change();
create trigger ledger_entries_append_only before delete or update or truncate on ledger_entries for each statement
  execute function refuse_change();
create trigger ledger_entries_to_journal after insert on ledger_entries for each row execute function
  copy_to_journal();
create trigger audit_anchors_append_only before delete or update or truncate on audit_anchors for each statement
  execute function refuse_change();
create trigger audit_anchor_heads_append_only before delete or update or truncate on audit_anchor_heads for each
  statement execute function refuse_change();
create trigger flag_acknowledgements_append_only before delete or update or truncate on flag_acknowledgements for
  each statement execute function refuse_change();
create trigger journal_entries_append_only before delete or update or truncate on journal_entries for each statement
  execute function refuse_change();
create constraint trigger journal_entries_balanced after insert on journal_entries deferrable initially deferred for
  each row execute function refuse_unbalanced();
create trigger journal_entries_to_ledger after insert on journal_entries for each row execute function
  copy_to_ledger();
create trigger journal_lines_append_only before delete or update or truncate on journal_lines for each statement
  execute function refuse_change();
create trigger journal_lines_in_time after insert on journal_lines for each row execute function refuse_late_line();
create trigger journal_lines_suspense after insert on journal_lines for each row when (new.account = 'suspense')
  execute function keep_suspense();
create trigger repayment_reminders_append_only before delete or update or truncate on repayment_reminders for each
  statement execute function refuse_change();
create trigger collection_entries_append_only before delete or update or truncate on collection_entries for each
  statement execute function refuse_change();
create trigger counter_offers_append_only before delete or update or truncate on counter_offers for each statement
  execute function refuse_change();
create trigger counter_offer_acceptances_append_only before delete or update or truncate on counter_offer_acceptances
  for each statement execute function refuse_change();
create trigger extensions_agreed_stays before update on extensions for each row execute function
  keep_agreed_extension();
create trigger statements_append_only before delete or update or truncate on statements for each statement execute
  function refuse_change();
create trigger statement_lines_append_only before delete or update or truncate on statement_lines for each statement
  execute function refuse_change();
create trigger known_receipts_append_only before delete or update or truncate on known_receipts for each statement
  execute function refuse_change();
create trigger reconciled_days_append_only before delete or update or truncate on reconciled_days for each statement
  execute function refuse_change();
create trigger explained_differences_append_only before delete or update or truncate on explained_differences for
  each statement execute function refuse_change();
create trigger payout_batches_append_only before delete or update or truncate on payout_batches for each statement
  execute function refuse_change();
create trigger contradictions_append_only before delete or update or truncate on contradictions for each statement
  execute function refuse_change();

-- Row-level security: what a client sees and writes (docs/decisions/0019-row-security.md).
create policy own_rows on row_counts using (list = 'invoices' and scope = (select scope_business()));
create policy own_rows on businesses using (id = (select scope_business()));
create policy buyers on businesses for select using (ever_buyer);
create policy own_rows on persons using (id = (select scope_person()));
create policy colleagues on persons for select using (business_id = (select scope_business()) or (exists (select from
  invoices where invoices.submitted_by = persons.id)));
create policy own_rows on sessions using (person_id = (select scope_person()));
create policy own_events on audit_events for insert with check ((exists (select from persons where persons.id =
  (select scope_person()) and persons.tag = audit_events.actor_tag)));
create policy own_rows on idempotency_keys using (person_id = (select scope_person()));
create policy own_rows on invoices using (business_id = (select scope_business()));
create policy own_rows on documents using ((exists (select from invoices where invoices.id = documents.invoice_id)));
create policy own_rows on reset_grants using (person_id = (select scope_person()));
create policy own_rows on devices using (person_id = (select scope_person()));
create policy own_rows on application_steps using ((exists (select from invoices where invoices.id =
  application_steps.invoice_id)));
create policy own_rows on information_requests using ((exists (select from invoices where invoices.id =
  information_requests.invoice_id)));
create policy own_rows on information_request_documents using ((exists (select from information_requests request
  where request.id = information_request_documents.request_id)));
create policy own_rows on key_facts_acceptances using ((exists (select from invoices where invoices.id =
  key_facts_acceptances.invoice_id)));
create policy own_rows on ledger_entries using ((exists (select from invoices where invoices.id =
  ledger_entries.invoice_id)));
create policy own_rows on funding_limits using (business_id = (select scope_business()));
create policy own_rows on second_factors using (person_id = (select scope_person()));
create policy own_rows on second_factor_enrolments using (person_id = (select scope_person()));
create policy own_rows on recovery_codes using (person_id = (select scope_person()));
create policy own_rows on second_steps using (person_id = (select scope_person()));
create policy own_rows on unfinished_uploads using (person_id = (select scope_person()));
create policy own_rows on upload_parts using ((exists (select from unfinished_uploads where unfinished_uploads.id =
  upload_parts.upload_id)));
create policy own_rows on buyer_requests using (business_id = (select scope_business()));
create policy own_rows on journal_entries for select using ((exists (select from invoices where invoices.id =
  journal_entries.invoice_id)));
create policy own_extension on journal_entries for insert with check (kind = 'extension' and reverses is null and
  recorded_by = (select scope_person()) and (exists (select from extensions where extensions.invoice_id =
  journal_entries.invoice_id and extensions.agreed_at is not null and extensions.closed_at is null)));
create policy own_rows on journal_lines for select using ((exists (select from journal_entries where
  journal_entries.id = journal_lines.entry_id)));
create policy own_extension on journal_lines for insert with check ( case when amount > 0 then account = 'advances'
  else account in ('feesNotEarned', 'writeOffs') end and (exists (select from journal_entries entry where entry.id =
  journal_lines.entry_id and entry.kind = 'extension' and entry.recorded_by = (select scope_person()))));
create policy own_rows on payout_accounts using (business_id = (select scope_business())) with check (business_id =
  (select scope_business()) and (verified_at is null or frozen_at is not null));
create policy own_rows on payout_choices using ((exists (select from invoices where invoices.id =
  payout_choices.invoice_id)));
create policy own_rows on payouts for select using ((exists (select from invoices where invoices.id =
  payouts.invoice_id)));
create policy own_rows on collection_entries for select using ((kind in ('buyerLate', 'dispute', 'disputeEnded')) and
  (exists (select from invoices where invoices.id = collection_entries.invoice_id)));
create policy own_word on collection_entries for insert with check (kind = 'buyerLate' and by_person = (select
  scope_person()) and (exists (select from invoices where invoices.id = collection_entries.invoice_id)));
create policy own_rows on counter_offers for select using ((exists (select from invoices where invoices.id =
  counter_offers.invoice_id)));
create policy own_rows on counter_offer_acceptances for select using ((exists (select from counter_offers where
  counter_offers.id = counter_offer_acceptances.offer_id)));
create policy own_word on counter_offer_acceptances for insert with check (accepted_by = (select scope_person()) and
  (exists (select from counter_offers where counter_offers.id = counter_offer_acceptances.offer_id)));
create policy own_rows on extensions for select using ((exists (select from invoices where invoices.id =
  extensions.invoice_id)));
create policy own_question on extensions for insert with check ((exists (select from invoices where invoices.id =
  extensions.invoice_id)) and asked_by = (select scope_person()) and num_nonnulls(offered_by, agreed_by, closed_by,
  version) = 0);
create policy own_acceptance on extensions for update using ((exists (select from invoices where invoices.id =
  extensions.invoice_id)) and agreed_at is not null and closed_at is null) with check ((exists (select from invoices
  where invoices.id = extensions.invoice_id)) and closed_by = (select scope_person()) and version is not null);
create policy own_rows on transfers for select using ((exists (select from invoices where invoices.id =
  transfers.invoice_id)));

-- Reference data (docs/reference-data.md).
insert into currencies (id, code, name) values
  (1, 'UGX', 'Uganda shilling'),
  (2, 'USD', 'US dollar');

insert into financing_periods (id, name, days) values
  (1, '7 days', 7),
  (2, '15 days', 15),
  (3, '30 days', 30);

insert into fee_modes (id, code, name) values
  (1, 'UPFRONT', 'Fees are paid upfront');

insert into document_types (id, name, mandatory, position) values
  (1, 'Invoice copy', true, 1),
  (2, 'Proof of delivery or completed work', true, 2),
  (3, 'Contract or purchase order', true, 3),
  (4, 'Bank statement', false, 4),
  (5, 'Tax invoice or EFRIS receipt', false, 5),
  (6, 'Other', false, 6);

insert into tax_rates (kind, valid_from, rate_bps, threshold, confidence, source) values
  ('vat', '1900-01-01', 1800, null, 'high', 'Value Added Tax Act: standard rate'),
  ('withholdingTax', '1900-01-01', 600, 1000000, 'medium',
    'Income Tax Act: designated agents withhold from payments above UGX 1,000,000; checked up to 2022, later years unverified'),
  ('vatWithholding', '1900-01-01', 600, null, 'medium',
    'Value Added Tax Act: designated agents withhold of the taxable value');

insert into journal_accounts (code, name, kind) values
  ('cashMtn', 'Cash, MTN mobile money', 'asset'),
  ('cashAirtel', 'Cash, Airtel Money', 'asset'),
  ('cashMobileMoney', 'Cash, mobile money', 'asset'),
  ('cashBank', 'Cash, bank', 'asset'),
  ('advances', 'Advances to clients', 'asset'),
  ('feesNotEarned', 'Fees not yet earned', 'liability'),
  ('clientPayable', 'Owed to clients', 'liability'),
  ('clientFractions', 'Owed to clients, below what can be sent', 'liability'),
  ('suspense', 'Received, not yet assigned', 'liability'),
  ('feeIncome', 'Fee income', 'income'),
  ('lateCharges', 'Late charges', 'income'),
  ('recoveries', 'Recovered after a write-off', 'income'),
  ('rounding', 'Rounding', 'income'),
  ('writeOffs', 'Written off', 'expense'),
  ('buyersOwe', 'Buyers owe on financed invoices', 'memorandum'),
  ('financedInvoices', 'Financed invoices', 'memorandum');

insert into invoice_months (month, shard, rows, days) values
  ('0001-01-01', 0, 0, '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'),
  ('9999-12-01', 0, 0, '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}');

-- The migrations that this file replaces. Release 1.1.0 looks for them before it serves a newer release's database;
-- 0059-messages-about is recorded as this one.
insert into kysely_applied (name, timestamp)
select name, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from unnest(array[
  '0001-reference',
  '0002-people-and-businesses',
  '0003-audit-and-idempotency',
  '0004-invoices',
  '0005-accounts',
  '0006-messages',
  '0007-file-sweeping',
  '0008-sorting',
  '0009-decision-desk',
  '0010-audit-chain',
  '0011-stored-files',
  '0012-second-factor',
  '0013-row-security',
  '0014-unfinished-uploads',
  '0015-invoice-months',
  '0016-person-references',
  '0017-onboarding',
  '0018-surplus-owed',
  '0019-two-officers',
  '0020-officers-who-cheat',
  '0021-anchor-numbers',
  '0022-drawn-letters',
  '0024-held-texts',
  '0025-earlier-schemas',
  '0026-installation',
  '0027-message-states',
  '0028-one-count',
  '0029-change-in-place',
  '0030-journal',
  '0031-buyer-terms',
  '0032-payout-accounts',
  '0033-offers',
  '0034-paying-back',
  '0035-journal-writes',
  '0036-counter-offers',
  '0037-figures',
  '0038-extensions',
  '0039-flags',
  '0040-insiders',
  '0041-late-charges',
  '0042-transfers',
  '0043-statements',
  '0044-pay-now',
  '0045-holders',
  '0046-payout-batches',
  '0047-provider-records',
  '0048-contradictions',
  '0049-payouts-in-parts',
  '0050-statement-periods',
  '0051-payout-references',
  '0052-statement-accounts',
  '0053-otherwise',
  '0057-lapsed-payouts',
  '0058-charges'
]) as name;
