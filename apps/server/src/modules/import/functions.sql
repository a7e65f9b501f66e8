-- Counts and hashes the stored rows of an import, by table. Hashes of 1,024 ids each are joined, so that the memory does not grow with the
-- rows. `timezone` and `datestyle` are fixed, because the text of a row depends on them.
create or replace function import_digests(batch bigint) returns table (name text, digest text)
language sql stable set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  with rows as (
    select 'import_member' as name, member_id as id, sha256(convert_to(r::text, 'UTF8')) as hash from import_member r where batch_id = batch
    union all select 'import_balance', id, sha256(convert_to(r::text, 'UTF8')) from import_balance r where batch_id = batch
    union all select 'import_stake', id, sha256(convert_to(r::text, 'UTF8')) from import_stake r where batch_id = batch
    union all select 'import_nft', id, sha256(convert_to(r::text, 'UTF8')) from import_nft r where batch_id = batch
    union all select 'import_history', id, sha256(convert_to(r::text, 'UTF8')) from import_history r where batch_id = batch
  ), parts as (
    select name, id / 1024 as part, count(*) as count, sha256(string_agg(hash, ''::bytea order by id)) as hash from rows group by 1, 2
  )
  select name, sum(count) || ' ' || encode(sha256(string_agg(hash, ''::bytea order by part)), 'hex') from parts group by 1 order by 1
$$;
