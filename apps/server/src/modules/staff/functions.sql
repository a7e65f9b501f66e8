-- What was proposed and what was decided never changes.
create or replace function keep_staff_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = 'PENDING'
    and (new.id, new.public_id, new.subject, new.value, new.base, new.reason, new.proposed_by, new.created_at)
      is not distinct from (old.id, old.public_id, old.subject, old.value, old.base, old.reason, old.proposed_by, old.created_at) then
    return new;
  end if;
  raise exception 'a proposed change is fixed, and decided once' using errcode = 'restrict_violation';
end $$;
