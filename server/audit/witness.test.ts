import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { recordEvent } from '#server/changes/change.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { startS3 } from '#testing/servers/s3-server.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';
import { anchorAudit, verifyAudit } from './audit.service.ts';
import { mailSeal, witnessMetric } from './witness.service.ts';

let test: TestPlatform;
let folder: string;
let file: string;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-witness-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  file = join(folder, 'witness');
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(env: Record<string, string>): Promise<void> {
  test = await createTestPlatform(env);
  closers.push(() => test.close());
}

/** Makes anchors, each over one more event. */
async function anchor(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    test.clock.advance(300);
    const caller = { person: null, now: test.clock.now(), ip: '', requestId: '', idempotencyKey: undefined };
    const subjectTag = crypto.randomUUID();
    await test.platform.db.inTransaction(async (change) =>
      recordEvent({ change, caller }, 'tested', ['person', subjectTag]),
    );
    await anchorAudit(test.platform);
  }
}

/** Deletes as somebody with every right on the database could, without a trace in it. */
async function takeAway(from: number): Promise<void> {
  await test.database.owner.db.inTransaction(async (change) => {
    await sql`set local session_replication_role = replica`.execute(change);
    const heads = sql`select subject_tag from audit_anchor_heads join audit_anchors on audit_anchors.id = anchor_id
      where number >= ${from}`;
    await sql`delete from audit_events where subject_tag in (${heads})`.execute(change);
    await sql`delete from audit_anchor_heads where anchor_id in (select id from audit_anchors where number >= ${from})`.execute(
      change,
    );
    await sql`delete from audit_anchors where number >= ${from}`.execute(change);
  });
}

const faults = async () => (await verifyAudit(test.platform)).faults;

describe.each(['a file', 'a bucket'])('%s as witness', (kind) => {
  let s3: Awaited<ReturnType<typeof startS3>> | undefined;

  beforeEach(async () => {
    s3 = kind === 'a bucket' ? await startS3() : undefined;
    const opened = s3;
    if (opened !== undefined) closers.push(() => opened.close());
    await open({ AUDIT_WITNESS: opened?.storageUrl ?? file });
    await anchor(5);
  });

  async function measured(): Promise<Record<string, number>> {
    const samples = await witnessMetric.measure(test.platform);
    return Object.fromEntries(samples.map(({ labels, value }) => [labels.state, value]));
  }

  it('agrees with a log that nobody touched', async () => {
    expect(await verifyAudit(test.platform)).toMatchObject({ anchors: 5, witnessed: 5, faults: [] });
    expect(await measured()).toEqual({ untold: 0, contradicts: 0, unreachable: 0 });
  });

  it('reveals that the newest anchors were removed with their events, and then all of them', async () => {
    await takeAway(4);
    expect(await faults()).toEqual(['the log ends with anchor 3, but the witness has 5: the newest 2 were removed']);
    expect(await measured()).toMatchObject({ contradicts: 1 });
    await takeAway(1);
    expect(await faults()).toEqual(['the log has no anchors, but the witness has 5: the log was removed']);
  });

  it('reveals that a log was restarted with the same secret, and doesn’t store its anchors', async () => {
    await takeAway(4);
    await anchor(3);
    expect(await faults()).toEqual([
      'anchor 4: the witness has another seal, so the log was replaced',
      'anchor 5: the witness has another seal, so the log was replaced',
    ]);
    expect(await measured()).toMatchObject({ untold: 1, contradicts: 2 });
  });

  it('delays nobody if it is unreachable, which is reported, and catches up later', async () => {
    const good = test.platform.config.auditWitness ?? '';
    const away = { ...test.platform.config, auditWitness: join(folder, 'no/such/folder/witness') };
    const config = test.platform.config;
    Object.assign(test.platform, { config: away });
    await anchor(2);
    expect(await measured()).toMatchObject({ untold: 7 });
    Object.assign(test.platform, { config });
    expect(await measured()).toMatchObject({ untold: 2 });
    await anchorAudit(test.platform);
    expect(test.platform.config.auditWitness).toBe(good);
    expect(await verifyAudit(test.platform)).toMatchObject({ anchors: 7, witnessed: 7, faults: [] });
  });
});

describe('a file', () => {
  beforeEach(() => open({ AUDIT_WITNESS: file }));

  it('is append-only, with one line per anchor, even after a power cut left an incomplete line', async () => {
    await anchor(2);
    const before = await readFile(file, 'utf8');
    expect(before).toMatch(/^1 [0-9a-f]{64}\n2 [0-9a-f]{64}\n$/);
    await appendFile(file, '3 0a1b');
    await anchor(1);
    expect(await readFile(file, 'utf8')).toMatch(/^1 \S{64}\n2 \S{64}\n3 0a1b\n3 \S{64}\n$/);
    expect(await faults()).toEqual([]);
  });

  it('is no valid witness if it was emptied or edited', async () => {
    await anchor(2);
    await writeFile(file, '');
    expect(await faults()).toEqual([`the witness ${file} has no anchors, but the log has 2`]);
    await writeFile(file, 'all is well\n');
    expect(await faults()).toEqual([expect.stringContaining(`line 1 of ${file} was not written by Kasente`)]);
  });
});

describe('without a witness', () => {
  beforeEach(() => open({}));

  it('the removal of the newest events and anchors goes unnoticed, and the verification warns that there is no witness', async () => {
    await anchor(5);
    await takeAway(4);
    expect(await verifyAudit(test.platform)).toMatchObject({ anchors: 3, witnessed: undefined, faults: [] });
    canaryFound('audit-witness', 'without a witness 2 anchors and their events are missing unseen');
  });

  it('the removal of the newest anchors alone is detected, and so is a missing number', async () => {
    await anchor(20);
    const subjects = await test.platform.db.selectFrom('audit_events').select('id').execute();
    expect(subjects).toHaveLength(20);
    await test.database.owner.db.inTransaction(async (change) => {
      await sql`set local session_replication_role = replica`.execute(change);
      await sql`delete from audit_anchor_heads`.execute(change);
      await sql`delete from audit_anchors`.execute(change);
    });
    expect(await faults()).toEqual([
      'the ends of 7 chains are in no anchor, though the log continued for an hour: anchors were removed',
    ]);
  });

  it('a mailed seal is a witness', async () => {
    const to = 'audit@example.com';
    Object.assign(test.platform, { config: { ...test.platform.config, auditWitnessEmail: to } });
    await anchor(3);
    await mailSeal(test.platform);
    await mailSeal(test.platform);
    const mails = await test.platform.db.selectFrom('messages').selectAll().where('recipient', '=', to).execute();
    expect(mails).toHaveLength(1);
    const text = test.platform.sealer.unseal(mails[0]?.body ?? Buffer.alloc(0));
    const [, number, seal = ''] = /^Anchor (\d+)\nSeal ([0-9a-f]{64})$/m.exec(text) ?? [];
    expect(Number(number)).toBe(3);
    const mailed = [{ number: 3, seal }];
    expect((await verifyAudit(test.platform, mailed)).faults).toEqual([]);
    await takeAway(2);
    expect((await verifyAudit(test.platform, mailed)).faults).toEqual([
      'the log ends with anchor 1, but the witness has 3: the newest 2 were removed',
    ]);
    proved(
      'audit-witness',
      'file, bucket and mail: the newest anchors or all of them taken away, or written anew: each named',
    );
    test.clock.advance(DAY_SECONDS);
    await mailSeal(test.platform);
    expect(
      await test.platform.db.selectFrom('messages').select('id').where('recipient', '=', to).execute(),
    ).toHaveLength(2);
  });
});
