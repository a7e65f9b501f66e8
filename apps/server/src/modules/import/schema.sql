-- Imports of members from another platform. `hash` is the hash that the check of the files prints, so each set of files is imported
-- at most once. Deleting a batch that was not applied deletes its rows.
create table import_batch (
  id bigint generated always as identity primary key,
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  status text not null check (status in ('STAGED', 'APPROVED', 'DONE', 'REFUSED')),
  members int not null check (members >= 0),
  -- Members with a sponsor.
  referrals int not null check (referrals between 0 and members),
  -- Sums of the balances in units, by asset.
  usd bigint not null check (usd >= 0),
  coin bigint not null check (coin >= 0),
  -- Rewards that the stakes have yet to pay, with the largest possible bounties by the programme when the files were stored, in units.
  promised_coin bigint not null default 0 check (promised_coin >= 0),
  -- The same of the NFTs.
  promised_usd bigint not null default 0 check (promised_usd >= 0),
  -- Number of stored balances, and the control sums of the old platform as JSON, which the imported rows must equal.
  balances int not null default 0 check (balances >= 0),
  totals text not null default '{"members":0,"referrals":0,"balances":{},"specialMembers":0,"ranked":0}',
  staged_at timestamptz not null,
  approved_at timestamptz,
  -- Time at which the import was applied or refused.
  ended_at timestamptz,
  -- Why the import could not be applied.
  refusal text,
  -- MAC over the sums and all stored rows, written by `import propose` and then by the approval.
  mac bytea,
  -- Starts of the import, and the value of import_progress at the last one.
  attempts int not null default 0 check (attempts >= 0),
  progress_from bigint,
  -- Sums of the added rows as JSON, and units by which the import raised the operator's commitment.
  written text,
  raised_coin bigint,
  raised_usd bigint,
  -- Highest number of mails in an hour; null until an admin starts the mails, and after they stopped.
  mails_per_hour int check (mails_per_hour between 60 and 60000),
  mails_waiting int not null default 0 check (mails_waiting >= 0),
  mails_sent int not null default 0 check (mails_sent >= 0),
  -- Time of the last batch of mails.
  mailed_at timestamptz,
  -- Public ids of members whose address an account of this platform has, when the files are stored and then when they are added.
  without_address text[] not null default '{}',
  -- Signed report of an applied import, with the root over its balances.
  report text,
  check ((approved_at is null) = (status = 'STAGED')),
  check ((ended_at is null) = (status in ('STAGED', 'APPROVED'))),
  check ((refusal is null) = (status <> 'REFUSED'))
);
-- Finds the imports that were not applied, which are deleted after 14 days with their members.
create index import_batch_to_delete on import_batch ((case when status in ('STAGED', 'REFUSED') then staged_at end));

-- Counts the work of an import. Other transactions see a sequence before the transaction that adds all rows ends.
create sequence import_progress;

-- Members until the import is applied, with their reserved ids. A null hash means that the member must reset the password.
create table import_member (
  member_id bigint primary key,
  batch_id bigint not null references import_batch (id) on delete cascade,
  sponsor_id bigint check (sponsor_id < member_id),
  public_id text not null,
  email text not null,
  name text not null,
  phone text not null,
  referral_code text not null,
  joined_at timestamptz not null,
  is_verified boolean not null,
  is_active boolean not null,
  password_hash text,
  rank text,
  is_special boolean not null default false
);
create index import_member_by_batch on import_member (batch_id, member_id);
create index import_member_by_email on import_member (email);
create index import_member_by_code on import_member (referral_code);

-- Imported members who get the mail about the move, when an admin starts the mails. A row is deleted with its mail.
create table import_mail (
  batch_id bigint not null references import_batch (id) on delete cascade,
  member_id bigint not null,
  -- The old password cannot be compared: the member sets a new one.
  needs_password boolean not null,
  primary key (batch_id, member_id)
);

-- Imported balances: the causes of their transfers.
create table import_balance (
  id bigint generated always as identity primary key,
  batch_id bigint not null references import_batch (id) on delete cascade,
  member_id bigint not null,
  wallet text not null,
  amount bigint not null check (amount > 0),
  unique (member_id, wallet)
);
create index import_balance_by_batch on import_balance (batch_id, wallet);

-- Running stakes until the import is applied. Their principals are balances of stakeWallet.
create table import_stake (
  id bigint generated always as identity primary key,
  batch_id bigint not null references import_batch (id) on delete cascade,
  member_id bigint not null,
  plan_id bigint not null,
  wallet text not null,
  amount bigint not null check (amount > 0),
  apy bigint not null,
  duration_days int not null,
  started_at timestamptz not null,
  -- Days whose reward the other platform has paid.
  paid_days int not null check (paid_days < duration_days)
);
create index import_stake_by_batch on import_stake (batch_id, id);

-- NFTs that still pay, until the import is applied.
create table import_nft (
  id bigint generated always as identity primary key,
  batch_id bigint not null references import_batch (id) on delete cascade,
  member_id bigint not null,
  nft_id bigint not null,
  price bigint not null check (price > 0),
  percent bigint not null,
  months int not null,
  bought_at timestamptz not null,
  -- Months whose reward the other platform has paid.
  paid_months int not null check (paid_months < months)
);
create index import_nft_by_batch on import_nft (batch_id, id);

-- Movements on the other platform, as the member sees them ("before the move"). No sum, balance or statement reads them.
create table import_history (
  id bigint generated always as identity primary key,
  batch_id bigint not null references import_batch (id) on delete cascade,
  member_id bigint not null,
  happened_at timestamptz not null,
  -- Texts of the other platform.
  title text not null,
  reference text not null,
  is_incoming boolean not null,
  asset text not null check (asset in ('USD', 'COIN')),
  amount bigint not null check (amount > 0)
);
create index import_history_by_member on import_history (member_id, happened_at desc, id desc);
create index import_history_by_batch on import_history (batch_id, id);
