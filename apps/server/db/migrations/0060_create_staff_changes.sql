-- What one member of staff proposes and another one puts in force (four eyes, ASVS 2.3.5). `value` and `base` are JSON
-- as they stood, amounts as plain decimals; `base` is what held for the same keys when it was proposed.
create table staff_change (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  subject text not null check (subject in ('price', 'settings', 'plan', 'nft', 'popup', 'limits', 'programme', 'credit', 'fund', 'staff')),
  value jsonb not null,
  base jsonb not null,
  reason text not null check (reason <> ''),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REFUSED')),
  proposed_by bigint not null references member (id),
  created_at timestamptz not null,
  decided_by bigint references member (id),
  decision_reason text,
  decided_at timestamptz,
  check ((status = 'PENDING') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null)),
  -- Maker and checker differ; a maker may only take the own proposal back.
  constraint staff_change_maker_is_not_checker check (status <> 'APPROVED' or decided_by <> proposed_by)
);
create index staff_change_pending on staff_change (id) where status = 'PENDING';

-- What was proposed and what was decided never changes.
create function keep_staff_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = 'PENDING'
    and (new.id, new.public_id, new.subject, new.value, new.base, new.reason, new.proposed_by, new.created_at)
      is not distinct from (old.id, old.public_id, old.subject, old.value, old.base, old.reason, old.proposed_by, old.created_at) then
    return new;
  end if;
  raise exception 'a proposed change is fixed, and decided once' using errcode = 'restrict_violation';
end $$;
create trigger staff_change_fixed before update or delete on staff_change for each row execute function keep_staff_change();

-- How many in-app invoices a member may have open at once.
alter table setting add column open_invoices int not null default 5 check (open_invoices between 1 and 100);

-- Deposits that a person decides: payments that could not be credited by themselves, and orders whose payment was seen
-- at the provider only.
alter table deposit
  add column first_approved_by bigint references member (id),
  add column first_approved_at timestamptz,
  add column decided_by bigint references member (id),
  add column decision_reason text,
  -- Once a person has decided, what arrives later is looked at by a person too.
  add column by_hand boolean not null default false,
  add check (decided_by is distinct from first_approved_by or decided_by is null),
  add check (decided_by is distinct from member_id or decided_by is null);
alter table provider_payment add column reviewed_at timestamptz;
create index provider_payment_open_review on provider_payment (deposit_id) where review_reason is not null and reviewed_at is null;
create index deposit_hosted_pending on deposit (id) where way = 'hosted' and status = 'PENDING';
create index deposit_by_hand on deposit (id) where by_hand;

create index payout_request_decided on payout_request (kind, id desc) where status <> 'PENDING';
