-- Events for notifications, written in the transaction of the cause. The table has no key, index or reference, because every USD
-- transfer between members writes a row. A job processes and deletes the rows.
create table notification_event (
  member_id bigint not null,
  event text not null,
  cause text not null,
  -- Amount in units. `facts` contains the other values of the event.
  amount bigint,
  asset text,
  facts jsonb not null,
  -- MAC over a message from staff; null for other events.
  message_mac bytea,
  created_at timestamptz not null
);

-- Notifications, each with its kind and values: mailed, shown in the inbox, or both. One mail contains all notifications that wait.
create table notice (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  event text not null,
  -- Cause of the notification. A cause has at most one notification.
  cause text not null,
  amount bigint,
  asset text check (asset in ('usd', 'coin')),
  facts jsonb not null,
  -- MAC over a message from staff. The key is not in the database. A message that SQL inserted is neither mailed nor shown.
  message_mac bytea,
  created_at timestamptz not null,
  in_inbox boolean not null,
  -- Set at the insert for a notification that the inbox does not show.
  read_at timestamptz,
  awaits_mail boolean not null,
  mailed_at timestamptz,
  unique (event, cause),
  check ((amount is null) = (asset is null)),
  check (in_inbox or read_at is not null)
);
create index notice_inbox on notice (member_id, created_at desc, id desc) where in_inbox;
create index notice_unread on notice (member_id, id) where read_at is null;
-- Finds the last read notification, so that the change stream can report a read.
create index notice_read on notice (member_id, read_at) where read_at is not null;
create index notice_waiting on notice (member_id, id) where awaits_mail;
-- Finds the notifications that are mailed before messages to many members.
create index notice_waiting_first on notice (member_id) where awaits_mail and event <> 'message';
create index notice_by_mail on notice (member_id, mailed_at) where mailed_at is not null;
create index notice_by_age on notice (created_at);
-- Finds the messages whose MACs the audit verifies.
create index notice_messages on notice (id) where event = 'message';

-- A member's channels for a kind of event. Without a row the default applies (`defaultVia` in the contract).
create table notification_choice (
  member_id bigint not null references member (id),
  event text not null,
  via text not null check (via in ('both', 'mail', 'inbox')),
  since timestamptz not null,
  primary key (member_id, event),
  -- Notifications about security and payouts are always mailed.
  check (via <> 'inbox' or event in ('deposit', 'received', 'reward', 'stake-ended', 'sell-request', 'support-answer', 'message'))
);
