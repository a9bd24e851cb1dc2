import type { PersonRow } from '#contract/people/schema.ts';

/** 'N/A' stands for no name at all (specification, section 2). */
export function givenName(name: string | null): string {
  return name === null || name === 'N/A' ? '' : name;
}

/** A person's name as staff know it; '' where nobody has entered one. */
export function fullName(person: PersonRow): string {
  return [person.first_name, person.last_name].map(givenName).filter(Boolean).join(' ');
}

/** What to call a person: their name, else what they log in with. */
export function nameOf(person: PersonRow): string {
  return fullName(person) || person.username;
}
