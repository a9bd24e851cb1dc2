import type { Generated, GeneratedAlways } from 'kysely';

/**
 * The log of changes (docs/decisions/0015-audit-chain.md): events in the chains of their subjects, and the seals over
 * these.
 */

export interface AuditEvents {
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
  /** The event's number and link in its subject's chain; written by a trigger. */
  sequence: GeneratedAlways<number>;
  hash: GeneratedAlways<Buffer>;
}

/** Seals over the chains' changed heads. */
export interface AuditAnchors {
  id: Generated<number>;
  /** From 1 without gaps. */
  number: number;
  at: Date;
  seal: Buffer;
}

export interface AuditAnchorHeads {
  anchor_id: number;
  subject_tag: string;
  sequence: number;
  hash: Buffer;
}

export interface AuditTables {
  audit_events: AuditEvents;
  audit_anchors: AuditAnchors;
  audit_anchor_heads: AuditAnchorHeads;
}
