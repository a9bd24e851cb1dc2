import { createHash } from 'node:crypto';

/**
 * The hash chains of the audit log, implemented a second time outside the database, because somebody could change the
 * database's functions along with its data.
 */

/** An event as stored. `before` and `after` are the exact text of their jsonb. */
export interface ChainedEvent {
  readonly sequence: number;
  /** Microseconds since 1970 as decimal text. */
  readonly at: string;
  readonly actorTag: string | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectTag: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly ip: string | null;
  readonly requestId: string | null;
}

/** The link of an event after one with the link `previous`, which the first event of a chain lacks. */
export function linkOf(previous: Buffer | undefined, event: ChainedEvent): Buffer {
  const { sequence, at, actorTag, action, subjectType, subjectTag, before, after, ip, requestId } = event;
  const lines = [sequence, at, actorTag, action, subjectType, subjectTag, before, after, ip, requestId];
  return createHash('sha256')
    .update(previous ?? '')
    .update(lines.map((line) => line ?? '-').join('\n'))
    .digest();
}

/** The head of a subject's chain. */
export interface Head {
  readonly subjectTag: string;
  readonly sequence: number;
  readonly hash: Buffer;
}

/** The content that an anchor seals: the previous seal, its time, and its heads by subject. */
export function sealedText(previous: Buffer | undefined, at: Date, heads: readonly Head[]): string {
  return [
    previous?.toString('hex') ?? '-',
    at.toISOString(),
    ...heads.map(({ subjectTag, sequence, hash }) => `${subjectTag} ${sequence} ${hash.toString('hex')}`),
  ].join('\n');
}
