import { type Kysely, sql } from 'kysely';

/**
 * The outbox (docs/decisions/0004-outbox.md). `body` is sealed, and null once it is erased. `claim` is the attempt that
 * holds the message: whoever does not hold it may neither hand the message over nor say what became of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table messages (
    id bigint generated always as identity primary key,
    tag uuid not null unique default gen_random_uuid(),
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
    constraint messages_body_while_needed check (body is not null or state in ('sent', 'failed', 'expired')),
    constraint messages_sending_is_claimed check (state <> 'sending' or claim is not null),
    constraint messages_handed_over_once check (state <> 'queued' or handed_over_at is null),
    constraint messages_sent_when check ((state = 'sent') = (sent_at is not null)))`.execute(db);
  await sql`create index messages_waiting on messages (created_at) where state in ('queued', 'sending')`.execute(db);
  await sql`create index messages_newest on messages (created_at desc, id desc)`.execute(db);
}
