-- Returns an audit row's hash (invariant I17), over its fields and the previous row's hash.
create or replace function audit_hash(
  previous_hash text, at timestamptz, actor_id bigint, actor_role text, action text, subject_type text, subject_id text,
  reason text, outcome text, ip text, request_id text, detail jsonb
) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type,
    subject_id, reason, outcome, ip, request_id, detail)::text, 'UTF8')), 'hex')
$$;
