-- Mails to send, written in the transaction of their cause. `encrypted` holds the template's data, because a mail may contain codes
-- and links. The server erases the data after sending.
create table mail_outbox (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  recipient text not null,
  template text not null,
  -- A newer mail with the same key replaces a waiting one.
  replace_key text,
  -- A mail of many that can wait: the worker sends every other mail first.
  bulk boolean not null default false,
  encrypted bytea,
  status text not null default 'WAITING' check (status in ('WAITING', 'SENT', 'DROPPED')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  not_after timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  check (status = 'WAITING' or encrypted is null)
);
create index mail_outbox_due on mail_outbox (bulk, next_attempt_at, id) where status = 'WAITING';
create index mail_outbox_by_age on mail_outbox ((case when status <> 'WAITING' then created_at end));
create index mail_outbox_replaceable on mail_outbox (replace_key) where status = 'WAITING' and replace_key is not null;
