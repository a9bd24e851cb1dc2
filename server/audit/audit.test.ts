import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordEvent } from '#server/changes/change.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { appOfTest } from '#testing/test-app.ts';
import { eventsOf, type LinkedEvent } from './audit.queries.ts';
import { anchorAudit, verifyAudit, verifySubjects } from './audit.service.ts';
import { linkOf } from './chain.ts';

const test = appOfTest();

const subject = randomUUID();

function record(subjectTag: string, after: unknown): Promise<void> {
  const caller = {
    person: null,
    now: test.clock.now(),
    ip: '127.0.0.1',
    requestId: randomUUID(),
    idempotencyKey: undefined,
  };
  return test.platform.db.inTransaction(async (change) =>
    recordEvent({ change, caller }, 'tested', ['invoice', subjectTag], { after }),
  );
}

/** Three chains: one of five events, one of two, one of one. */
async function fill(): Promise<void> {
  for (const amount of [1, 2, 3, 4, 5])
    await record(subject, { amount, text: 'Ŋ "quoted"\n', nested: { b: 1, a: null } });
  const other = randomUUID();
  await record(other, { amount: 1 });
  await record(other, undefined);
  await record(randomUUID(), []);
}

/** Tampers as somebody with every right on the database could. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await test.database.owner.db.inTransaction(async (change) => {
    await sql`set local session_replication_role = replica`.execute(change);
    await statement.execute(change);
  });
}

const faults = async () => (await verifyAudit(test.platform)).faults;

describe('the audit log', () => {
  it('can’t be changed, deleted from or emptied', async () => {
    await fill();
    await anchorAudit(test.platform);
    for (const table of ['audit_events', 'audit_anchors', 'audit_anchor_heads']) {
      const statements = [sql`delete from ${sql.table(table)}`, sql`truncate ${sql.table(table)} cascade`];
      for (const statement of statements) {
        await expect(statement.execute(test.database.owner.db)).rejects.toThrow('append-only');
        await expect(statement.execute(test.platform.db)).rejects.toThrow('permission denied');
      }
    }
    const update = sql`update audit_events set ip = null`;
    await expect(update.execute(test.database.owner.db)).rejects.toThrow('append-only');
    await expect(update.execute(test.platform.db)).rejects.toThrow('permission denied');
  });

  it('is verified outside the database', async () => {
    await fill();
    await anchorAudit(test.platform);
    expect(await verifyAudit(test.platform)).toMatchObject({ events: 8, subjects: 3, anchors: 1, faults: [] });
  });

  it('puts concurrent events into one chain', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, amount) => record(subject, { amount })));
    expect(await verifyAudit(test.platform)).toMatchObject({ events: 50, subjects: 1, faults: [] });
  });
});

it('the events of a subject are read in pages, so that nothing waits for a thousand of them', async () => {
  await record(subject, { saved: true });
  await sql`insert into audit_events (at, action, subject_type, subject_tag, after)
    select at, action, subject_type, subject_tag, after from audit_events, generate_series(1, 1200)`.execute(
    test.platform.db,
  );
  const other = randomUUID();
  await record(other, { saved: true });
  const pages: LinkedEvent[][] = [];
  for await (const page of eventsOf(test.platform.db, [other, subject])) pages.push(page);
  expect(pages.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200, 200, 2]);
  const places = pages.flat().map(({ subjectTag, sequence }) => `${subjectTag} ${sequence}`);
  expect(new Set(places).size).toBe(1202);
  await tamper(sql`update audit_events set ip = '::1' where subject_tag = ${subject} and sequence = 1000`);
  expect(await verifySubjects(test.platform, [other, subject])).toEqual([
    `event 1000 of invoice ${subject}: it was changed`,
  ]);
});

describe('a verification detects', () => {
  beforeEach(async () => {
    await fill();
    await anchorAudit(test.platform);
    expect(await faults()).toEqual([]);
  });

  it.each([
    ['action', sql`action = 'other'`],
    ['time', sql`at = at + interval '1 microsecond'`],
    ['actor', sql`actor_tag = gen_random_uuid()`],
    ['content', sql`after = '{"amount": 30}'`],
    ['address', sql`ip = null`],
    ['request', sql`request_id = 'r'`],
    ['type', sql`subject_type = 'person'`],
  ])('a changed %s', async (_, change) => {
    await tamper(sql`update audit_events set ${change} where subject_tag = ${subject} and sequence = 3`);
    expect(await faults()).toEqual([expect.stringMatching(/^event 3 of .*: it was changed$/)]);
  });

  it('a removed event', async () => {
    await tamper(sql`delete from audit_events where subject_tag = ${subject} and sequence = 3`);
    expect(await faults()).toEqual([expect.stringMatching(/^event 4 of .*: the events before it are missing$/)]);
  });

  it('a removed end of a chain', async () => {
    await tamper(sql`delete from audit_events where subject_tag = ${subject} and sequence > 3`);
    expect(await faults()).toEqual([`event 5 of ${subject}: in anchor 1, but missing from the log`]);
  });

  it('a removed chain', async () => {
    await tamper(sql`delete from audit_events where subject_tag = ${subject}`);
    expect(await faults()).toEqual([`event 5 of ${subject}: in anchor 1, but missing from the log`]);
  });

  it('a chain that was rewritten link by link', async () => {
    await tamper(sql`update audit_events set after = '{"amount": 30}' where subject_tag = ${subject} and sequence = 3`);
    for (const sequence of [3, 4, 5]) {
      await tamper(sql`update audit_events as event set hash = audit_event_hash(
        (select hash from audit_events where subject_tag = ${subject} and sequence = ${sequence} - 1), event)
        where subject_tag = ${subject} and sequence = ${sequence}`);
    }
    expect(await faults()).toEqual([`event 5 of ${subject}: differs from the one in anchor 1`]);
  });

  it('an anchor that was changed to match', async () => {
    await tamper(sql`delete from audit_events where subject_tag = ${subject} and sequence > 3`);
    await tamper(sql`delete from audit_anchor_heads where subject_tag = ${subject}`);
    expect(await faults()).toEqual(['anchor 1: it was changed, or sealed with another secret']);
  });

  it('a removed anchor', async () => {
    await record(subject, { amount: 6 });
    await anchorAudit(test.platform);
    await tamper(sql`delete from audit_anchor_heads where anchor_id = 1`);
    await tamper(sql`delete from audit_anchors where id = 1`);
    expect(await faults()).toEqual([
      'anchor 2: it was changed, or sealed with another secret',
      'anchor 2: found where anchor 1 was expected',
    ]);
  });

  it('anchors sealed with another secret', async () => {
    const platform = { ...test.platform, sealer: createSealer('another secret for tests alone') };
    expect((await verifyAudit(platform)).faults).toEqual(['anchor 1: it was changed, or sealed with another secret']);
  });
});

describe('anchors', () => {
  it('contain only the heads that have changed', async () => {
    await anchorAudit(test.platform);
    await fill();
    await anchorAudit(test.platform);
    await anchorAudit(test.platform);
    test.clock.advance(300);
    await record(subject, { amount: 6 });
    await anchorAudit(test.platform);
    const heads = await test.platform.db
      .selectFrom('audit_anchor_heads')
      .select(['anchor_id', 'sequence'])
      .where('subject_tag', '=', subject)
      .orderBy('anchor_id')
      .execute();
    expect(heads).toEqual([
      { anchor_id: 1, sequence: 5 },
      { anchor_id: 2, sequence: 6 },
    ]);
    expect(await verifyAudit(test.platform)).toMatchObject({ anchors: 2, faults: [] });
  });

  it('are made one at a time, also by several servers', async () => {
    await fill();
    await Promise.all(Array.from({ length: 8 }, () => anchorAudit(test.platform)));
    expect(await verifyAudit(test.platform)).toMatchObject({ anchors: 1, faults: [] });
  });
});

it('a link depends on the one before it', () => {
  const event = {
    sequence: 1,
    at: '0',
    actorTag: null,
    action: 'a',
    subjectType: 'invoice',
    subjectTag: subject,
    before: null,
    after: null,
    ip: null,
    requestId: null,
  };
  expect(linkOf(linkOf(undefined, event), event)).not.toEqual(linkOf(undefined, event));
});
