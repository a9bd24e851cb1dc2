import { type RawBuilder, sql } from 'kysely';

/** A person's first and last name, or the username if they have none. `person` is the table's alias. */
export function personName(person: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql<string>`coalesce(nullif(concat_ws(' ', ${column('first_name')}, ${column('last_name')}), ''), ${column('username')})`;
}
