-- Rejects changes to a note. The erasure of the person whom it is about deletes it.
create or replace function keep_staff_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from member m where m.erased_at is not null and m.id in (old.member_id, ticket_owner(old.ticket_id))) then
    return old;
  end if;
  raise exception 'staff_note is append-only' using errcode = 'restrict_violation';
end $$;

-- Rejects changes to a proposal and its decision. A scheduled proposal may only end before its start.
create or replace function keep_staff_proposal() returns trigger language plpgsql as $$
begin
  -- A key rotation may replace the MAC, because the other columns stay the same.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'proposer_mac' = to_jsonb(old) - 'proposer_mac' then return new; end if;
  if tg_op = 'UPDATE' and (new.id, new.public_id, new.subject, new.value, new.base, new.reason, new.proposed_by, new.created_at, new.starts_at, new.effect, new.simulation, new.proposer_mac)
      is not distinct from (old.id, old.public_id, old.subject, old.value, old.base, old.reason, old.proposed_by, old.created_at, old.starts_at, old.effect, old.simulation, old.proposer_mac)
    and (old.status = 'PENDING' or (old.status = 'APPROVED' and old.starts_at is not null and new.status in ('CANCELLED', 'OUTDATED')
      and (new.decided_by, new.decided_at, new.decision_reason) is not distinct from (old.decided_by, old.decided_at, old.decision_reason))) then
    return new;
  end if;
  -- The erasure of a person replaces texts of decided proposals about the person, and computes the MAC again.
  if tg_op = 'UPDATE' and old.status <> 'PENDING' and new.reason = 'Erased'
    and to_jsonb(new) - '{value,base,reason,decision_reason,end_reason,proposer_mac}'::text[]
      = to_jsonb(old) - '{value,base,reason,decision_reason,end_reason,proposer_mac}'::text[] then
    return new;
  end if;
  raise exception 'a proposed change is fixed, and decided once' using errcode = 'restrict_violation';
end $$;
