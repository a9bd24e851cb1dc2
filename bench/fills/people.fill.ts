import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

const businesses = 5_000;
/** A name that occurs once, in no other name. */
export const RARE_NAME = 'Qzxander';

/** Fills an empty, migrated database with people: a sign-up every 90 seconds, one in 20 each Verified, Pending and Deactivated. */
export async function fillPeople(db: Database, people: number): Promise<void> {
  const first = 'Sarah,Moses,Grace,Peter,Aisha,Ronald,Brenda,Ivan,Esther,Joseph,Doreen,Isaac,Ritah,Samuel,Juliet,Denis';
  const last = 'Nabirye,Waiswa,Namukasa,Okello,Nakato,Mugisha,Akello,Ochieng,Tumusiime,Byaruhanga,Kato,Opio,Atim,Auma';
  const towns = 'Nakasero,Jinja,Mbarara,Gulu,Entebbe,Kampala,Lira,Arua,Masaka,Soroti';
  const began = performance.now();
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    select town.names[1 + i % cardinality(town.names)] || ' Traders ' || i || ' Ltd', 1, 1, true, false, true, now()
    from generate_series(1, ${sql.lit(businesses)}) as i, (select string_to_array(${towns}, ',') as names) as town`.execute(
    db,
  );
  await sql`insert into persons (username, username_kind, password_hash, status, permissions, first_name, last_name, gender,
      phone, email, business_id, industry_id, district_id, created_at)
    select phone, 'phone', 'none', status, case status when 'Active' then array['BIDA'] else '{}' end,
      case when i = ${sql.lit(Math.round(people / 3))} then ${RARE_NAME}
           else first.names[1 + floor(random() * cardinality(first.names))] end,
      last.names[1 + floor(random() * cardinality(last.names))], 'female', phone,
      case when random() < 0.3 then 'user' || i || '@example.ug' end,
      case status when 'Active' then 1 + floor(random() * ${sql.lit(businesses)}) end, 1, 1,
      timestamptz '2024-01-01' + i * interval '90 seconds'
    from (select i, '07' || lpad((i::bigint * 7919 % 100000000)::text, 8, '0') as phone,
            (array['Verified', 'Pending', 'Deactivated'])[1 + i % 20] as rarely
          from generate_series(1, ${sql.lit(people)}) as i) as made
      cross join lateral (select coalesce(rarely, 'Active') as status) as standing,
      (select string_to_array(${first}, ',') as names) as first, (select string_to_array(${last}, ',') as names) as last`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  console.log(`${people} people made in ${Math.round((performance.now() - began) / 1000)} s\n`);
}
