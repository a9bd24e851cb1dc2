import type { Generated } from 'kysely';

/** The tables of sessions, codes and second factors, and of the limits on guessing (the others are in tables.ts). */

export interface Sessions {
  token_hash: Buffer;
  person_id: number;
  created_at: Date;
  last_active_at: Date;
  ip: string | null;
  user_agent: string | null;
  tag: Generated<string>;
  /** It was opened or confirmed by a second factor. */
  second_factor: Generated<boolean>;
}

export interface CodeAttempts {
  id: string;
  purpose: 'sign-up' | 'reset';
  recipient: string;
  person_id: number | null;
  code_digest: Buffer;
  code_expires_at: Date;
  wrong_tries: Generated<number>;
  created_at: Date;
  closed_at: Date | null;
}

export interface CodeHandles {
  token_hash: Buffer;
  attempt_id: string;
  expires_at: Date;
}

export interface ResetGrants {
  token_hash: Buffer;
  person_id: number;
  expires_at: Date;
}

export interface CodeBudgets {
  recipient: string;
  /** The times of wrong codes since the last right one, within a day. */
  wrong_at: Generated<Date[]>;
  blocked_until: Date | null;
  /** Whether the owner was sent the link that lifts the current block. */
  link_sent: Generated<boolean>;
  /** The times of the last codes, within a day. */
  sent_at: Generated<Date[]>;
  sign_up_sent_at: Date | null;
  reset_sent_at: Date | null;
  touched_at: Date;
}

export interface LoginThrottles {
  username_digest: Buffer;
  failures: Generated<number>;
  last_failed_at: Date;
  retry_at: Date | null;
}

export interface Devices {
  token_hash: Buffer;
  person_id: number;
  wrong_tries: Generated<number>;
  last_login_at: Date;
}

export interface SecondFactors {
  person_id: number;
  secret: Buffer;
  set_up_at: Date;
  /** The time step (RFC 6238) of the newest used code. */
  last_step: number;
}

/** A second factor that is being set up. */
export interface SecondFactorEnrolments {
  person_id: number;
  secret: Buffer;
  wrong_tries: Generated<number>;
  expires_at: Date;
}

export interface RecoveryCodes {
  person_id: number;
  code_digest: Buffer;
  used_at: Date | null;
}

/** Logins at their second step. */
export interface SecondSteps {
  token_hash: Buffer;
  person_id: number;
  device_hash: Buffer | null;
  expires_at: Date;
}

/** Calls counted by address; `expire` ends the window, in milliseconds since 1970. */
export interface AddressLimits {
  key: string;
  points: Generated<number>;
  expire: number | null;
}

export interface AccountTables {
  sessions: Sessions;
  code_attempts: CodeAttempts;
  code_handles: CodeHandles;
  reset_grants: ResetGrants;
  code_budgets: CodeBudgets;
  login_throttles: LoginThrottles;
  devices: Devices;
  second_factors: SecondFactors;
  second_factor_enrolments: SecondFactorEnrolments;
  recovery_codes: RecoveryCodes;
  second_steps: SecondSteps;
  address_limits: AddressLimits;
}
