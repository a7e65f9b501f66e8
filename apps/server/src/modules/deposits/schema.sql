-- Other modules may read this table, because staff trace money to the deposit.
-- published: deposit

-- Deposits: hosted payments (MF-01) and in-app invoices (MF-02). A row is the deposit request (EN-25) and the payment record (EN-43),
-- because both always change together (EN-26). Amounts are bigint units of 10^-8.

create table deposit (
  id bigint generated always as identity primary key,
  -- Order id at the provider, and id of the invoice page.
  public_id text not null unique,
  member_id bigint not null references member (id),
  -- How the member pays: on the provider's page (`hosted`), or to an address on the chain.
  method text not null check (method in ('hosted', 'chain')),
  -- Asset of the invoice. Hosted payments accept USD only.
  asset text not null default 'USD' check (asset in ('USD', 'COIN') and (method = 'chain' or asset = 'USD')),
  -- Label in the payment record: USDT or the token's symbol (LS-34).
  description text not null,
  -- Requested amount, in the asset.
  amount bigint not null check (amount > 0),
  -- Credited amount, in the asset.
  credited bigint not null default 0 check (credited >= 0),
  -- Requested amount in USD, or the credited amount after the first credit.
  usd_amount bigint not null check (usd_amount >= 0),
  -- Part reversed by two staff members.
  reversed_usd bigint not null default 0 check (reversed_usd between 0 and usd_amount),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVE', 'REJECT')),
  created_at timestamptz not null,
  decided_at timestamptz,
  -- Time of the next poll of the provider or the chain. Null if no payment can arrive any more.
  next_check_at timestamptz,
  -- Idempotency key of the call. A repeated call with the same key returns the same invoice (invariant I5).
  idempotency_key text,
  -- Hosted: time of the call to the provider, and the provider's response.
  provider_asked_at timestamptz,
  provider_invoice_id text,
  invoice_url text,
  -- Chain: payment address, deadline for the payment, and end of the polls.
  address text unique,
  expires_at timestamptz,
  watched_until timestamptz,
  state text,
  state_reason text,
  -- Reason why the payments cannot be credited, shown to staff.
  problem text,
  -- First approval, until the second approval.
  first_approved_by bigint references member (id) check (first_approved_by <> member_id),
  first_approved_at timestamptz check ((first_approved_at is null) = (first_approved_by is null)),
  -- MAC over the first approver and the credit. The key is not in the database.
  first_mac bytea check ((first_mac is null) = (first_approved_by is null)),
  -- True after a staff decision: later payments also require a decision.
  by_hand boolean not null default false,
  unique (member_id, idempotency_key),
  check ((method = 'chain') = (address is not null and expires_at is not null and watched_until is not null and state is not null)),
  check (credited = 0 or status = 'APPROVE')
);
create index deposit_by_member on deposit (member_id, id desc);
create index deposit_by_time on deposit using brin (created_at) with (autosummarize = on, pages_per_range = 16);
create index deposit_sum_by_member on deposit (member_id, status) include (usd_amount);
create index deposit_to_check on deposit (method, next_check_at) where next_check_at is not null;
create index deposit_hosted_pending on deposit (id) where method = 'hosted' and status = 'PENDING';
create index deposit_hosted_by_time on deposit (created_at) where method = 'hosted';
create index deposit_first_approved on deposit (id) where first_approved_by is not null;
create index deposit_with_problem on deposit (id) where problem is not null;
create index deposit_by_hand on deposit (id) where by_hand;

-- Staff decisions about deposits: exceptional payments, orders with a payment that only the provider reports, and held chain
-- transfers. A later payment may require another decision, so each row stores the approvers.
create table deposit_decision (
  id bigint generated always as identity primary key,
  deposit_id bigint not null references deposit (id),
  member_id bigint not null references member (id),
  first_approved_by bigint references member (id),
  first_approved_at timestamptz,
  first_mac bytea,
  decided_by bigint not null references member (id),
  decided_at timestamptz not null,
  outcome text not null check (outcome in ('APPROVED', 'REJECTED')),
  -- Credited amount in USD.
  credited bigint not null check (credited >= 0),
  reason text not null,
  check (decided_by <> member_id and first_approved_by is distinct from member_id),
  check (decided_by is distinct from first_approved_by),
  check ((first_approved_at is null) = (first_approved_by is null)),
  check ((first_mac is null) = (first_approved_by is null)),
  check (outcome = 'APPROVED' or credited = 0 and first_approved_by is null)
);
create index deposit_decision_by_deposit on deposit_decision (deposit_id, id);
create index deposit_decision_by_time on deposit_decision using brin (decided_at) with (autosummarize = on, pages_per_range = 16);
create index deposit_decision_alone on deposit_decision (decided_by, decided_at) where first_approved_by is null;
create index deposit_decision_by_member on deposit_decision (member_id, decided_at) where first_approved_by is null;

-- Payments of hosted invoices, by the provider's id. Each paid amount is credited once (invariant I8).
create table provider_payment (
  payment_id text primary key,
  deposit_id bigint not null references deposit (id),
  status text not null,
  pay_currency text not null,
  -- Provider's amount, rounded down, because the provider may use more decimals.
  actually_paid bigint not null check (actually_paid >= 0),
  paid_text text not null,
  -- Sum of the payment's rows in payment_credit.
  credited_amount bigint not null default 0 check (credited_amount >= 0),
  -- Reason why staff must review the payment.
  review_reason text,
  updated_at timestamptz not null,
  reviewed_at timestamptz
);
create index provider_payment_by_deposit on provider_payment (deposit_id);
create index provider_payment_to_review on provider_payment (updated_at) where review_reason is not null;
create index provider_payment_open_review on provider_payment (deposit_id) where review_reason is not null and reviewed_at is null;

-- Credits of hosted payments. A payment can arrive in parts; each row credits one part.
create table payment_credit (
  payment_id text not null references provider_payment (payment_id),
  part int not null check (part > 0),
  amount bigint not null check (amount > 0),
  credited_at timestamptz not null,
  transfer_id bigint not null,
  primary key (payment_id, part)
);
create index payment_credit_by_transfer on payment_credit (transfer_id);
create index payment_credit_by_time on payment_credit using brin (credited_at) with (autosummarize = on, pages_per_range = 16);

-- Webhooks of the payment provider, as received.
create table payment_notice (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  payment_id text not null,
  order_id text not null,
  body text not null
);
create index payment_notice_by_age on payment_notice (received_at);
create index payment_notice_by_order on payment_notice (order_id);

-- Token transfers to invoice addresses. The key is chain, transaction, token, address and ordinal within the transaction, and a
-- reorg does not change the key (invariant I8). A reversed transfer that is mined again gets a new row with `#2` after the key;
-- two people may credit this row.
create table invoice_transfer (
  transfer_key text primary key,
  deposit_id bigint not null references deposit (id),
  asset text not null check (asset in ('USD', 'COIN')),
  amount bigint not null check (amount > 0),
  tx_hash text not null,
  block_time timestamptz not null,
  confirmations int not null check (confirmations >= 0),
  -- False while a reorg has removed the transfer from the chain.
  is_live boolean not null default true,
  -- Reason why staff must decide. BALANCE_DIFFERS: the address received another amount. REVERSED: the transfer was mined again after a
  -- reversal. OTHER_TOKEN: the token is not the invoice's. TOO_LATE: the transfer came too late. `held_at` is the time when this was found.
  held text check (held in ('BALANCE_DIFFERS', 'REVERSED', 'OTHER_TOKEN', 'TOO_LATE')),
  held_at timestamptz check ((held_at is null) = (held is null)),
  decided_at timestamptz check (decided_at is null or held is not null),
  credited_at timestamptz,
  -- Value at the time of the credit; before that, at `held_at`.
  usd_amount bigint check (usd_amount >= 0),
  transfer_id bigint,
  -- Latest return to its payer. A transfer is credited or returned, never both.
  return_id bigint references payment_return (id),
  check (return_id is null or credited_at is null and decided_at is not null),
  check ((usd_amount is null) = (credited_at is null and held is null)),
  check (credited_at is null or held is null or decided_at is not null)
);
create index invoice_transfer_by_hash on invoice_transfer (lower(tx_hash));
create index invoice_transfer_by_deposit on invoice_transfer (deposit_id);
create index invoice_transfer_by_credit on invoice_transfer (credited_at) where credited_at is not null;
create index invoice_transfer_to_decide on invoice_transfer (deposit_id) where held is not null and decided_at is null;
-- Finds rejected and reversed transfers for the hourly comparison of chain and books.
create index invoice_transfer_rejected on invoice_transfer (decided_at) where held is not null and decided_at is not null and credited_at is null;
create index invoice_transfer_by_return on invoice_transfer (return_id) where return_id is not null;
create index invoice_transfer_by_transfer on invoice_transfer (transfer_id) where transfer_id is not null;

-- Addresses to which members want uncredited payments of an invoice returned. Two people decide; `closed_at` is the time of their
-- decision, whether they return, credit or reject the payments. At most one request per asset is open.
create table return_request (
  id bigint generated always as identity primary key,
  deposit_id bigint not null references deposit (id),
  asset text not null check (asset in ('USD', 'COIN')),
  -- BEP20 address in the member's address book.
  address text not null check (address = lower(address)),
  requested_at timestamptz not null,
  closed_at timestamptz check (closed_at >= requested_at)
);
create unique index return_request_open on return_request (deposit_id, asset) where closed_at is null;
create index return_request_by_deposit on return_request (deposit_id);

-- Progress of the scan of the provider's payment list. The scan finds payments that no webhook and no poll reported.
create table provider_scan (
  one boolean primary key default true check (one),
  scanned_at timestamptz not null,
  -- Payments begun before `listed_to` are scanned. `month_at` is the time of the last scan over a month.
  listed_to timestamptz not null,
  month_at timestamptz not null,
  -- Payments of the provider without a deposit, and credited payments that the provider does not list: at most 20 each.
  unknown text[] not null,
  missing text[] not null
);

create trigger deposit_approved_event after update of status on deposit
  for each row when (old.status <> 'APPROVE' and new.status = 'APPROVE') execute function record_event('deposit.approved');
create trigger deposit_rejected_event after update of status on deposit
  for each row when (old.status <> 'REJECT' and new.status = 'REJECT') execute function record_event('deposit.rejected');
