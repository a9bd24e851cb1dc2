import { type RawBuilder, sql } from 'kysely';

/** What somebody is called: first and last name, or the username of who has none. `person` is the table's alias. */
export function personName(person: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql<string>`coalesce(nullif(concat_ws(' ', ${column('first_name')}, ${column('last_name')}), ''), ${column('username')})`;
}
