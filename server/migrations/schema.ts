import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import expected from './schema.json' with { type: 'json' };

/**
 * The schema as lines from the catalogs, one per part, independent of the order of creation and of the schema's name.
 * Rights and the policies of a server's role are left out, because each start makes them (db/roles/row-security.ts,
 * db/roles/server-role.ts), and so is the library's record of migrations.
 */

/** Definitions by part, such as `column invoices.listed_on`. */
export type SchemaParts = Readonly<Record<string, string>>;

/** Names of parts, in order. */
export interface SchemaDifferences {
  /** Parts that this release uses and the database lacks. */
  readonly missing: readonly string[];
  /** Parts that differ from this release's. */
  readonly altered: readonly string[];
  /** Parts unknown to this release, such as an operator's index. */
  readonly added: readonly string[];
}

/** The schema that this release's migrations make: written by `vitest run server/migrations/schema.test.ts -u`. */
export const expectedSchema: SchemaParts = expected;

/** The present schema's parts, read in some tens of milliseconds. */
export async function describeSchema(connection: Connection): Promise<SchemaParts> {
  const { rows } = await sql<{ part: string; definition: string }>`
    with ours as (
      select oid, relname, relkind, relrowsecurity, relforcerowsecurity, reloptions from pg_class as c
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')
        and relname not like 'kysely%' and relname <> 'unfinished_restore'
        and not exists (select from pg_depend
          where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')),
    parts (part, definition) as (
      select 'table ' || relname, concat_ws(' ', relkind::text, case when relrowsecurity then 'row security' end,
        case when relforcerowsecurity then 'forced' end, array_to_string(reloptions, ' '),
        -- Without qualifiers: PostgreSQL 15 writes them where later versions do not.
        case when relkind in ('v', 'm') then regexp_replace(pg_get_viewdef(oid), '\\m\\w+[.]', '', 'g') end) from ours
      union all
      select 'column ' || relname || '.' || attname, concat_ws(' ',
        case attgenerated when 's' then 'generated' when 'v' then 'virtual' end, format_type(atttypid, atttypmod),
        case when attnotnull then 'not null' end, case attidentity when 'a' then 'identity always' when 'd' then 'identity' end,
        case when attstorage <> typstorage then 'storage ' || attstorage::text end,
        case when attcollation <> typcollation then 'collation ' || attcollation::regcollation end,
        pg_get_expr(adbin, adrelid))
      from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
        join pg_type on pg_type.oid = atttypid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select 'constraint ' || relname || '.' || conname,
        pg_get_constraintdef(pg_constraint.oid) || case when convalidated then '' else ' not validated' end
      from ours join pg_constraint on conrelid = ours.oid where contype not in ('n', 't')
      union all
      select 'index ' || indexrelid::regclass::text,
        pg_get_indexdef(indexrelid) || case when indisvalid then '' else ' invalid' end
      from ours join pg_index on indrelid = ours.oid
      union all
      select 'trigger ' || relname || '.' || tgname,
        pg_get_triggerdef(pg_trigger.oid) || case tgenabled::text when 'O' then '' else ' enabled ' || tgenabled::text end
      from ours join pg_trigger on tgrelid = ours.oid and not tgisinternal
      union all
      select 'policy ' || relname || '.' || polname, concat_ws(' ', polcmd::text, case when not polpermissive then 'restrictive' end,
        (select string_agg(coalesce(rolname, 'public'), ', ' order by rolname)
          from unnest(polroles) as named left join pg_roles on pg_roles.oid = named),
        'using ' || pg_get_expr(polqual, polrelid), 'check ' || pg_get_expr(polwithcheck, polrelid))
      from ours join pg_policy on polrelid = ours.oid where polname not like 'every row for %'
      union all
      select 'function ' || proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_get_functiondef(p.oid)
      from pg_proc as p where pronamespace = current_schema()::regnamespace and prokind in ('f', 'p')
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
      union all
      select 'sequence ' || relname, '' from pg_class as c
      where relkind = 'S' and relnamespace = current_schema()::regnamespace and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('i', 'e'))
      union all
      select 'type ' || typname, concat_ws(' ', typtype::text, typbasetype::regtype::text,
        (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid),
        (select string_agg(pg_get_constraintdef(oid), ' ' order by 1) from pg_constraint where contypid = pg_type.oid))
      from pg_type where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd')
      union all
      select 'extension ' || extname, '' from pg_extension where extname = 'pg_trgm')
    select part, regexp_replace(replace(replace(definition, quote_ident(current_schema()) || '.', ''),
        'SET search_path TO ' || quote_literal(current_schema()), 'SET search_path TO current'), '[[:space:]]+', ' ', 'g') as definition
    from parts order by part collate "C"`.execute(connection);
  return Object.fromEntries(rows.map(({ part, definition }) => [part, definition]));
}

/** A schema's missing, additional and different parts, compared with another. */
export function compareSchemas(wanted: SchemaParts, found: SchemaParts): SchemaDifferences {
  const parts = Object.keys(wanted);
  return {
    missing: parts.filter((part) => !Object.hasOwn(found, part)),
    altered: parts.filter((part) => Object.hasOwn(found, part) && found[part] !== wanted[part]),
    added: Object.keys(found).filter((part) => !Object.hasOwn(wanted, part)),
  };
}

/** A schema's fingerprint: 64 hexadecimal digits. */
export function fingerprint(schema: SchemaParts): string {
  const lines = Object.entries(schema).map((part) => JSON.stringify(part));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

const NAMED = 5;

/** The first of these parts for a sentence, such as `index a, index b and 3 more`. */
export function nameParts(parts: readonly string[]): string {
  const rest = parts.length - NAMED;
  return parts.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
