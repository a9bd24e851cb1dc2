import type { PermissionCode } from '#contract/permissions.ts';

/** The demonstration's users (docs/decisions/0041-left-open.md). Never in production, never with a real database. */

export const DEMONSTRATION_PASSWORD = 'Kasente-demo-1';

export interface DemonstrationLogin {
  readonly username: string;
  readonly who: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly designation: string;
  readonly gender: 'male' | 'female';
  readonly sector: string;
  readonly district: string;
  readonly perms: readonly PermissionCode[];
  /** The name of their business. */
  readonly business?: string;
}

export const demonstrationLogins: readonly DemonstrationLogin[] = [
  {
    username: 'admin@kasente.test',
    who: 'administrator',
    firstName: 'Grace',
    lastName: 'Namukasa',
    designation: 'Head of Credit',
    gender: 'female',
    sector: 'Financial services and insurance',
    district: 'Kampala',
    perms: ['KADMIN'],
  },
  {
    username: 'staff@kasente.test',
    who: 'staff',
    firstName: 'Peter',
    lastName: 'Okello',
    designation: 'Credit Officer',
    gender: 'male',
    sector: 'Financial services and insurance',
    district: 'Wakiso',
    perms: ['KSTAF'],
  },
  {
    username: '0700000001',
    who: 'client, Nakasero Traders Ltd',
    firstName: 'Sarah',
    lastName: 'Nabirye',
    designation: 'Director',
    gender: 'female',
    sector: 'Wholesale and retail trade',
    district: 'Kampala',
    perms: ['BIDA'],
    business: 'Nakasero Traders Ltd',
  },
  {
    username: '0700000002',
    who: 'client, Jinja Agro Supplies Ltd',
    firstName: 'Moses',
    lastName: 'Waiswa',
    designation: 'Managing Director',
    gender: 'male',
    sector: 'Agriculture and agro-processing',
    district: 'Jinja City',
    perms: ['BIDA'],
    business: 'Jinja Agro Supplies Ltd',
  },
  {
    username: '0700000003',
    who: 'client who is late, Masaka Coffee Traders Ltd',
    firstName: 'Ruth',
    lastName: 'Nakimuli',
    designation: 'Owner',
    gender: 'female',
    sector: 'Wholesale and retail trade',
    district: 'Masaka City',
    perms: ['BIDA'],
    business: 'Masaka Coffee Traders Ltd',
  },
];

/** A newcomer who is waiting for activation. */
export const demonstrationNewcomer = {
  username: 'newcomer@kasente.test',
  gender: 'female',
  sector: 'Manufacturing',
  district: 'Mukono',
} as const;
