-- Dump of the database. Written by `npm run db:make` out of the folders' SQL files. Do not edit.

create table access_journal (
  id bigint not null generated always as identity,
  line bigint,
  mark uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default clock_timestamp(),
  kind text not null,
  subject text not null,
  value text not null,
  constraint access_journal_kind_check CHECK ((kind = ANY (ARRAY['begin'::text, 'role'::text, 'active'::text, 'suspension'::text, 'password'::text, 'email'::text, 'passkey'::text, 'second-factor'::text, 'recovery-code'::text, 'address'::text, 'payout-stop'::text, 'erased'::text, 'restore'::text]))),
  constraint access_journal_line_check CHECK ((line > 0)),
  constraint access_journal_line_key UNIQUE (line),
  constraint access_journal_mark_key UNIQUE (mark),
  constraint access_journal_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX access_journal_begins_once ON public.access_journal USING btree (kind) WHERE (kind = 'begin'::text);
CREATE INDEX access_journal_unnumbered ON public.access_journal USING btree (id) WHERE (line IS NULL);
CREATE TRIGGER access_journal_append_only BEFORE DELETE OR UPDATE OF id, mark, at, kind, subject, value ON public.access_journal FOR EACH ROW EXECUTE FUNCTION reject_change();
CREATE TRIGGER access_journal_number_stays BEFORE UPDATE OF line ON public.access_journal FOR EACH ROW WHEN ((old.line IS NOT NULL)) EXECUTE FUNCTION reject_change();

create table account_recovery (
  member_id bigint not null,
  second_factor boolean not null,
  email_change_id bigint,
  address_proved_at timestamp with time zone,
  completes_at timestamp with time zone not null,
  remind_at timestamp with time zone,
  constraint account_recovery_check CHECK ((second_factor OR (email_change_id IS NOT NULL))),
  constraint account_recovery_email_change_id_fkey FOREIGN KEY (email_change_id) REFERENCES email_change(id) ON DELETE CASCADE,
  constraint account_recovery_email_change_id_key UNIQUE (email_change_id),
  constraint account_recovery_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint account_recovery_pkey PRIMARY KEY (member_id)
);
CREATE INDEX account_recovery_due ON public.account_recovery USING btree (LEAST(completes_at, remind_at));

create table accounting_export (
  month date not null,
  format text not null,
  chart_digest text not null,
  file_digest text not null,
  exported_at timestamp with time zone not null,
  constraint accounting_export_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'hledger'::text, 'beancount'::text]))),
  constraint accounting_export_pkey PRIMARY KEY (month, format, chart_digest)
);
CREATE TRIGGER accounting_export_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.accounting_export FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table announcement (
  id bigint not null generated always as identity,
  title text not null,
  message text not null,
  is_active boolean not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  starts_at timestamp with time zone not null,
  constraint announcement_check CHECK ((starts_at >= created_at)),
  constraint announcement_created_by_fkey FOREIGN KEY (created_by) REFERENCES member(id),
  constraint announcement_pkey PRIMARY KEY (id)
);
CREATE INDEX announcement_by_start ON public.announcement USING btree (starts_at DESC, id DESC);

create table api_key (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  kind text not null,
  token_digest text,
  name text not null,
  rights text[] not null,
  networks text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_used_ip text,
  ended_at timestamp with time zone,
  end_reason text,
  constraint api_key_check CHECK (((token_digest IS NOT NULL) OR (kind = 'operator'::text))),
  constraint api_key_kind_check CHECK ((kind = ANY (ARRAY['member'::text, 'operator'::text]))),
  constraint api_key_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint api_key_name_check CHECK ((name <> ''::text)),
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_public_id_key UNIQUE (public_id),
  constraint api_key_token_digest_key UNIQUE (token_digest)
);
CREATE INDEX api_key_by_end ON public.api_key USING btree (LEAST(ended_at, expires_at));
CREATE INDEX api_key_by_member ON public.api_key USING btree (member_id, id DESC);
CREATE INDEX api_key_of_operator ON public.api_key USING btree (id) WHERE ((kind = 'operator'::text) AND (ended_at IS NULL));

create table audit_anchor (
  day date not null,
  event_id bigint not null,
  hash text not null,
  at timestamp with time zone not null,
  saved_at timestamp with time zone,
  constraint audit_anchor_pkey PRIMARY KEY (day)
);
CREATE INDEX audit_anchor_unsaved ON public.audit_anchor USING btree (day) WHERE (saved_at IS NULL);

create table audit_check (
  one boolean not null default true,
  checked_at timestamp with time zone not null,
  took_ms bigint not null,
  rows bigint not null,
  last_row bigint not null,
  bad_row bigint,
  bad_what text,
  anchor_row bigint,
  anchor_hash text,
  anchor_at timestamp with time zone,
  constraint audit_check_bad_what_check CHECK ((bad_what = ANY (ARRAY['CHANGED'::text, 'CUT'::text, 'FORGED'::text, 'UNSIGNED'::text]))),
  constraint audit_check_check CHECK (((bad_row IS NULL) = (bad_what IS NULL))),
  constraint audit_check_one_check CHECK (one),
  constraint audit_check_pkey PRIMARY KEY (one)
);

create table audit_event (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor_id bigint,
  actor_role text not null,
  action text not null,
  subject_type text,
  subject_id text,
  reason text,
  outcome text not null,
  ip text,
  request_id text,
  detail jsonb not null default '{}'::jsonb,
  previous_hash text not null,
  hash text not null,
  ip_salt bytea,
  reason_salt bytea,
  detail_salt bytea,
  constraint audit_event_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_event_by_actor ON public.audit_event USING btree (actor_id, id);
CREATE INDEX audit_event_by_subject ON public.audit_event USING btree (subject_type, subject_id, id);
CREATE INDEX audit_event_by_time ON public.audit_event USING brin (at) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX audit_event_erased ON public.audit_event USING btree (id) WHERE ((octet_length(ip_salt) = 32) OR (octet_length(reason_salt) = 32) OR (octet_length(detail_salt) = 32));
CREATE INDEX audit_event_of_money ON public.audit_event USING btree (action, id) WHERE (action = ANY (ARRAY['rewards.credit-rcm'::text, 'rewards.fund-pool'::text]));
CREATE INDEX audit_event_of_restore ON public.audit_event USING btree (id) WHERE (action = 'platform.restore'::text);
CREATE INDEX audit_event_of_stop ON public.audit_event USING btree (actor_id, id) WHERE (action = 'payout.stop'::text);
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OF id, at, actor_id, actor_role, action, subject_type, subject_id, outcome, request_id, previous_hash, hash ON public.audit_event FOR EACH ROW EXECUTE FUNCTION reject_change();
CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION reject_change();
CREATE TRIGGER audit_event_values_stay BEFORE UPDATE OF ip, ip_salt, reason, reason_salt, detail, detail_salt ON public.audit_event FOR EACH ROW EXECUTE FUNCTION keep_audit_values();

create table background_job (
  id bigint not null generated always as identity,
  public_id text not null,
  kind text not null,
  owner_id bigint not null,
  input jsonb not null,
  input_mac bytea not null,
  state text not null default 'WAITING'::text,
  checkpoint jsonb,
  done bigint not null default 0,
  total bigint not null default 0,
  attempts integer not null default 0,
  result jsonb,
  error text,
  file_name text,
  file_type text,
  parts integer not null default 0,
  bytes bigint not null default 0,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint background_job_check CHECK (((state = ANY (ARRAY['DONE'::text, 'FAILED'::text])) = (finished_at IS NOT NULL))),
  constraint background_job_pkey PRIMARY KEY (id),
  constraint background_job_public_id_key UNIQUE (public_id),
  constraint background_job_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text])))
);
CREATE INDEX background_job_by_owner ON public.background_job USING btree (owner_id, id);
CREATE INDEX background_job_finished ON public.background_job USING btree (finished_at);
CREATE INDEX background_job_open ON public.background_job USING btree (id) WHERE (finished_at IS NULL);

create table background_job_part (
  job_id bigint not null,
  number integer not null,
  content bytea not null,
  constraint background_job_part_job_id_fkey FOREIGN KEY (job_id) REFERENCES background_job(id) ON DELETE CASCADE,
  constraint background_job_part_pkey PRIMARY KEY (job_id, number)
);

create table brand (
  version integer not null generated always as identity,
  starts_at timestamp with time zone not null,
  name text not null,
  sender_name text,
  accent text,
  logo text,
  logo_dark text,
  terms text,
  privacy text,
  imprint text,
  support text,
  created_at timestamp with time zone not null,
  created_by bigint,
  constraint brand_accent_check CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  constraint brand_check CHECK ((starts_at >= created_at)),
  constraint brand_created_by_fkey FOREIGN KEY (created_by) REFERENCES member(id),
  constraint brand_imprint_check CHECK ((imprint ~~ 'https://%'::text)),
  constraint brand_logo_dark_fkey FOREIGN KEY (logo_dark) REFERENCES brand_logo(hash),
  constraint brand_logo_fkey FOREIGN KEY (logo) REFERENCES brand_logo(hash),
  constraint brand_pkey PRIMARY KEY (version),
  constraint brand_privacy_check CHECK ((privacy ~~ 'https://%'::text)),
  constraint brand_support_check CHECK ((support ~~ 'https://%'::text)),
  constraint brand_terms_check CHECK ((terms ~~ 'https://%'::text))
);
CREATE INDEX brand_by_start ON public.brand USING btree (starts_at DESC, version DESC);

create table brand_logo (
  hash text not null,
  mark bytea not null,
  icon bytea not null,
  uploaded_at timestamp with time zone not null,
  uploaded_by bigint not null,
  constraint brand_logo_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint brand_logo_pkey PRIMARY KEY (hash),
  constraint brand_logo_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES member(id)
);

create table business_day (
  day date not null,
  registered bigint not null,
  verified bigint not null,
  deposited bigint not null,
  bought bigint not null,
  staked bigint not null,
  usd_deposited bigint not null,
  coin_deposited bigint not null,
  coin_sold bigint not null,
  usd_for_coin bigint not null,
  coin_bought_back bigint not null,
  usd_for_bought_back bigint not null,
  nfts_sold bigint not null,
  usd_for_nfts bigint not null,
  usd_fees bigint not null,
  coin_fees bigint not null,
  stakes_started bigint not null,
  stakes_ended bigint not null,
  coin_staked bigint not null,
  coin_unstaked bigint not null,
  withdrawals_requested bigint not null,
  withdrawals_paid bigint not null,
  withdrawals_rejected bigint not null,
  withdrawals_returned bigint not null,
  usd_requested bigint not null,
  usd_paid bigint not null,
  coin_bridged bigint not null,
  usd_proceeds bigint not null,
  total_registered bigint not null,
  total_verified bigint not null,
  total_deposited bigint not null,
  total_bought bigint not null,
  total_staked bigint not null,
  stakes_active bigint not null,
  coin_in_stakes bigint not null,
  constraint business_day_pkey PRIMARY KEY (day)
);
CREATE TRIGGER business_day_fixed BEFORE UPDATE ON public.business_day FOR EACH ROW EXECUTE FUNCTION reject_change();

create table business_first_step (
  member_id bigint not null,
  step text not null,
  day date not null,
  constraint business_first_step_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint business_first_step_pkey PRIMARY KEY (member_id, step),
  constraint business_first_step_step_check CHECK ((step = ANY (ARRAY['deposited'::text, 'bought'::text, 'staked'::text])))
);

create table business_team_day (
  day date not null,
  level smallint not null,
  leader_id bigint not null,
  verified bigint not null,
  usd_taken bigint not null,
  coin_staked bigint not null,
  constraint business_team_day_leader_id_fkey FOREIGN KEY (leader_id) REFERENCES member(id),
  constraint business_team_day_level_check CHECK ((level = ANY (ARRAY[0, 1]))),
  constraint business_team_day_pkey PRIMARY KEY (day, level, leader_id)
);
CREATE TRIGGER business_team_day_fixed BEFORE UPDATE ON public.business_team_day FOR EACH ROW EXECUTE FUNCTION reject_change();

create table calendar_link (
  member_id bigint not null,
  token_digest text not null,
  created_at timestamp with time zone not null,
  constraint calendar_link_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint calendar_link_pkey PRIMARY KEY (member_id),
  constraint calendar_link_token_digest_key UNIQUE (token_digest)
);

create table chain_address (
  address text not null,
  key_index bigint not null,
  invoice_id text,
  constraint chain_address_address_check CHECK ((address = lower(address))),
  constraint chain_address_invoice_id_key UNIQUE (invoice_id),
  constraint chain_address_key_index_key UNIQUE (key_index),
  constraint chain_address_pkey PRIMARY KEY (address)
);

create table chain_address_generation (
  generation integer not null,
  first_key_index bigint not null,
  database text not null,
  constraint chain_address_generation_pkey PRIMARY KEY (generation)
);

create table chain_address_recovery (
  id bigint not null generated always as identity,
  database text not null,
  begun_at timestamp with time zone not null,
  next_generation integer not null,
  last_generation integer not null,
  ended_at timestamp with time zone,
  constraint chain_address_recovery_check CHECK (((ended_at IS NULL) OR (next_generation > last_generation))),
  constraint chain_address_recovery_pkey PRIMARY KEY (id)
);
CREATE INDEX chain_address_recovery_open ON public.chain_address_recovery USING btree (id) WHERE (ended_at IS NULL);

create table chain_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  block_time timestamp with time zone not null,
  constraint chain_block_pkey PRIMARY KEY (chain_id, number)
);

create table chain_check (
  chain_id bigint not null,
  after_key_index bigint not null,
  checked_at timestamp with time zone not null,
  after_transfer bigint not null default 0,
  constraint chain_check_pkey PRIMARY KEY (chain_id)
);

create table chain_checkpoint (
  id bigint not null generated always as identity,
  chain_id bigint not null,
  part text not null,
  until timestamp with time zone not null,
  until_block bigint not null,
  sums jsonb not null,
  mac bytea not null,
  constraint chain_checkpoint_chain_id_part_key UNIQUE (chain_id, part),
  constraint chain_checkpoint_part_check CHECK ((part = ANY (ARRAY['BOOKS'::text, 'WALLETS'::text]))),
  constraint chain_checkpoint_pkey PRIMARY KEY (id)
);

create table chain_cursor (
  chain_id bigint not null,
  block bigint not null,
  block_hash text not null,
  block_time timestamp with time zone not null,
  final_block bigint not null,
  seen_at timestamp with time zone not null,
  head_at timestamp with time zone,
  second_head_at timestamp with time zone,
  tokens_scanned_to bigint,
  rejected_tokens jsonb not null default '{}'::jsonb,
  constraint chain_cursor_pkey PRIMARY KEY (chain_id)
);

create table chain_difference (
  kind text not null,
  subject text not null,
  expected numeric(78,0) not null,
  found numeric(78,0) not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint chain_difference_check CHECK ((last_seen_at >= first_seen_at)),
  constraint chain_difference_kind_check CHECK ((kind = ANY (ARRAY['UNSEEN'::text, 'MISSING'::text, 'UNCREDITED'::text, 'NATIVE'::text, 'RECEIPT'::text, 'DEPOSITS'::text, 'PAYOUTS'::text]))),
  constraint chain_difference_pkey PRIMARY KEY (kind, subject)
);

create table chain_incident (
  id bigint not null generated always as identity,
  kind text not null,
  noted_at timestamp with time zone not null,
  from_block bigint not null,
  transfers jsonb not null,
  answered_at timestamp with time zone,
  constraint chain_incident_kind_check CHECK ((kind = ANY (ARRAY['FINAL_GONE'::text, 'TOO_DEEP'::text, 'WALLET_SPENT'::text, 'PAYOUT_GONE'::text, 'SWEEP_GONE'::text, 'UNCLAIMED'::text]))),
  constraint chain_incident_pkey PRIMARY KEY (id)
);
CREATE INDEX chain_incident_open ON public.chain_incident USING btree (id) WHERE (answered_at IS NULL);

create table chain_move (
  id bigint not null generated always as identity,
  chain_id bigint not null,
  kind text not null,
  wallet text not null,
  nonce bigint not null,
  address text not null,
  to_address text not null,
  token text,
  amount numeric(78,0) not null,
  state text not null,
  made_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  check_at timestamp with time zone,
  constraint chain_move_address_fkey FOREIGN KEY (address) REFERENCES chain_address(address),
  constraint chain_move_amount_check CHECK ((amount > (0)::numeric)),
  constraint chain_move_chain_id_wallet_nonce_key UNIQUE (chain_id, wallet, nonce),
  constraint chain_move_check CHECK (((token IS NULL) = (kind = 'GAS'::text))),
  constraint chain_move_check1 CHECK (((ended_at IS NULL) = (state = 'SIGNED'::text))),
  constraint chain_move_check2 CHECK (((check_at IS NULL) OR (state <> 'SIGNED'::text))),
  constraint chain_move_kind_check CHECK ((kind = ANY (ARRAY['GAS'::text, 'SWEEP'::text]))),
  constraint chain_move_nonce_check CHECK ((nonce >= 0)),
  constraint chain_move_pkey PRIMARY KEY (id),
  constraint chain_move_state_check CHECK ((state = ANY (ARRAY['SIGNED'::text, 'DONE'::text, 'FAILED'::text]))),
  constraint chain_move_wallet_check CHECK ((wallet = lower(wallet)))
);
CREATE INDEX chain_move_by_address ON public.chain_move USING btree (address, made_at);
CREATE INDEX chain_move_by_end ON public.chain_move USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX chain_move_open ON public.chain_move USING btree (chain_id, address, kind) WHERE (state = 'SIGNED'::text);
CREATE INDEX chain_move_to_check ON public.chain_move USING btree (chain_id, check_at) WHERE (check_at IS NOT NULL);

create table chain_reserve (
  chain_id bigint not null,
  wallet text not null,
  token text not null,
  balance numeric(78,0) not null,
  paid numeric(78,0) not null,
  seen_at timestamp with time zone not null,
  ceiling numeric(78,0),
  above_since timestamp with time zone,
  constraint chain_reserve_balance_check CHECK ((balance >= (0)::numeric)),
  constraint chain_reserve_ceiling_check CHECK ((ceiling >= (0)::numeric)),
  constraint chain_reserve_check CHECK (((above_since IS NULL) OR (ceiling IS NOT NULL))),
  constraint chain_reserve_paid_check CHECK ((paid >= (0)::numeric)),
  constraint chain_reserve_pkey PRIMARY KEY (chain_id, wallet, token)
);

create table chain_sweep_problem (
  chain_id bigint not null,
  address text not null,
  token text not null,
  problem text not null,
  since timestamp with time zone not null,
  tried_at timestamp with time zone not null,
  constraint chain_sweep_problem_address_fkey FOREIGN KEY (address) REFERENCES chain_address(address),
  constraint chain_sweep_problem_pkey PRIMARY KEY (chain_id, address, token)
);
CREATE INDEX chain_sweep_problem_by_age ON public.chain_sweep_problem USING btree (tried_at);

create table chain_transfer (
  id bigint not null generated always as identity,
  chain_id bigint not null,
  tx_hash text not null,
  address text not null,
  ordinal integer not null,
  token text not null,
  exact_amount numeric(78,0) not null,
  amount bigint not null,
  block bigint not null,
  block_time timestamp with time zone not null,
  state text not null,
  balance_fits boolean not null default true,
  final_mac bytea,
  swept_by bigint,
  constraint chain_transfer_address_fkey FOREIGN KEY (address) REFERENCES chain_address(address),
  constraint chain_transfer_amount_check CHECK ((amount >= 0)),
  constraint chain_transfer_exact_amount_check CHECK ((exact_amount > (0)::numeric)),
  constraint chain_transfer_id_key UNIQUE (id),
  constraint chain_transfer_pkey PRIMARY KEY (chain_id, tx_hash, token, address, ordinal),
  constraint chain_transfer_state_check CHECK ((state = ANY (ARRAY['SEEN'::text, 'FINAL'::text, 'GONE'::text]))),
  constraint chain_transfer_swept_by_fkey FOREIGN KEY (swept_by) REFERENCES chain_move(id)
);
CREATE INDEX chain_transfer_by_address ON public.chain_transfer USING btree (address);
CREATE INDEX chain_transfer_by_block ON public.chain_transfer USING btree (chain_id, block) WHERE (state <> 'GONE'::text);
CREATE INDEX chain_transfer_by_time ON public.chain_transfer USING brin (block_time) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX chain_transfer_swept ON public.chain_transfer USING btree (swept_by) WHERE (swept_by IS NOT NULL);
CREATE INDEX chain_transfer_to_sweep ON public.chain_transfer USING btree (chain_id, token, address) WHERE ((state = 'FINAL'::text) AND (swept_by IS NULL));
CREATE INDEX chain_transfer_unconfirmed ON public.chain_transfer USING btree (chain_id, block) WHERE (state = 'SEEN'::text);

create table chain_unknown_token (
  chain_id bigint not null,
  address text not null,
  token text not null,
  transfers bigint not null,
  tx_hash text not null,
  seen_at timestamp with time zone not null,
  constraint chain_unknown_token_address_fkey FOREIGN KEY (address) REFERENCES chain_address(address),
  constraint chain_unknown_token_pkey PRIMARY KEY (chain_id, address, token),
  constraint chain_unknown_token_token_check CHECK ((token ~ '^0x[0-9a-f]{40}$'::text)),
  constraint chain_unknown_token_transfers_check CHECK ((transfers > 0))
);
CREATE INDEX chain_unknown_token_by_address ON public.chain_unknown_token USING btree (address);
CREATE INDEX chain_unknown_token_by_age ON public.chain_unknown_token USING btree (seen_at);

create table clock_offset (
  id boolean not null default true,
  seconds integer not null default 0,
  moved_to timestamp with time zone,
  constraint clock_offset_id_check CHECK (id),
  constraint clock_offset_pkey PRIMARY KEY (id),
  constraint clock_offset_seconds_check CHECK (((seconds >= '-316224000'::integer) AND (seconds <= 316224000)))
);
-- row {"id": true, "seconds": 0, "moved_to": null}

create table coin_purchase (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  coin_amount bigint not null,
  coin_price bigint not null,
  total_price bigint not null,
  charged bigint not null,
  settings_version integer not null,
  posting_id bigint not null,
  created_at timestamp with time zone not null,
  reversed_at timestamp with time zone,
  constraint coin_purchase_charged_check CHECK ((charged > 0)),
  constraint coin_purchase_coin_amount_check CHECK ((coin_amount > 0)),
  constraint coin_purchase_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint coin_purchase_pkey PRIMARY KEY (id),
  constraint coin_purchase_public_id_key UNIQUE (public_id),
  constraint coin_purchase_settings_version_fkey FOREIGN KEY (settings_version) REFERENCES setting(version)
);
comment on column coin_purchase.charged is 'USD units that left the wallet: amount x price, rounded up to 8 decimals';
comment on column coin_purchase.total_price is 'USD units with 2 decimals, as shown';
CREATE INDEX coin_purchase_by_member ON public.coin_purchase USING btree (member_id, id DESC);
CREATE INDEX coin_purchase_by_reversal ON public.coin_purchase USING btree (reversed_at) WHERE (reversed_at IS NOT NULL);
CREATE INDEX coin_purchase_by_time ON public.coin_purchase USING brin (created_at) WITH (autosummarize='on');
CREATE TRIGGER coin_purchase_counted AFTER INSERT ON public.coin_purchase REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION coin_purchase_counted();
CREATE TRIGGER coin_purchase_event AFTER INSERT ON public.coin_purchase REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION record_new_events('purchase.created');
CREATE TRIGGER coin_purchase_recounted AFTER UPDATE OF reversed_at, coin_amount ON public.coin_purchase FOR EACH ROW WHEN (((
        CASE
            WHEN (old.reversed_at IS NULL) THEN ''::text
            ELSE 'REVERSED'::text
        END IS DISTINCT FROM
        CASE
            WHEN (new.reversed_at IS NULL) THEN ''::text
            ELSE 'REVERSED'::text
        END) OR (old.coin_amount IS DISTINCT FROM new.coin_amount))) EXECUTE FUNCTION coin_purchase_recounted();
CREATE TRIGGER coin_purchase_reversed_event AFTER UPDATE OF reversed_at ON public.coin_purchase FOR EACH ROW WHEN (((old.reversed_at IS NULL) AND (new.reversed_at IS NOT NULL))) EXECUTE FUNCTION record_event('purchase.reversed');

create table cold_move (
  id bigint not null default nextval('platform_payout_id'::regclass),
  public_id text not null,
  asset text not null,
  amount bigint not null,
  address text not null,
  created_at timestamp with time zone not null,
  constraint cold_move_address_check CHECK ((address = lower(address))),
  constraint cold_move_amount_check CHECK ((amount > 0)),
  constraint cold_move_asset_check CHECK ((asset = ANY (ARRAY['USD'::text, 'COIN'::text]))),
  constraint cold_move_id_check CHECK ((id < 0)),
  constraint cold_move_pkey PRIMARY KEY (id),
  constraint cold_move_public_id_key UNIQUE (public_id)
);

create table command_last_run (
  name text not null,
  finished_at timestamp with time zone not null,
  succeeded boolean not null,
  detail text not null,
  constraint command_last_run_pkey PRIMARY KEY (name)
);

create table daily_total (
  day date not null,
  system text not null,
  asset text not null,
  balance bigint not null,
  came_in bigint not null,
  went_out bigint not null,
  constraint daily_total_pkey PRIMARY KEY (day, system, asset)
);

create table deposit (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  method text not null,
  asset text not null default 'USD'::text,
  description text not null,
  amount bigint not null,
  credited bigint not null default 0,
  usd_amount bigint not null,
  reversed_usd bigint not null default 0,
  status text not null default 'PENDING'::text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  next_check_at timestamp with time zone,
  idempotency_key text,
  provider_asked_at timestamp with time zone,
  provider_invoice_id text,
  invoice_url text,
  address text,
  expires_at timestamp with time zone,
  watched_until timestamp with time zone,
  state text,
  state_reason text,
  problem text,
  first_approved_by bigint,
  first_approved_at timestamp with time zone,
  first_mac bytea,
  by_hand boolean not null default false,
  constraint deposit_address_key UNIQUE (address),
  constraint deposit_amount_check CHECK ((amount > 0)),
  constraint deposit_check CHECK (((asset = ANY (ARRAY['USD'::text, 'COIN'::text])) AND ((method = 'chain'::text) OR (asset = 'USD'::text)))),
  constraint deposit_check1 CHECK (((reversed_usd >= 0) AND (reversed_usd <= usd_amount))),
  constraint deposit_check2 CHECK ((first_approved_by <> member_id)),
  constraint deposit_check3 CHECK (((first_approved_at IS NULL) = (first_approved_by IS NULL))),
  constraint deposit_check4 CHECK (((first_mac IS NULL) = (first_approved_by IS NULL))),
  constraint deposit_check5 CHECK (((method = 'chain'::text) = ((address IS NOT NULL) AND (expires_at IS NOT NULL) AND (watched_until IS NOT NULL) AND (state IS NOT NULL)))),
  constraint deposit_check6 CHECK (((credited = 0) OR (status = 'APPROVE'::text))),
  constraint deposit_credited_check CHECK ((credited >= 0)),
  constraint deposit_first_approved_by_fkey FOREIGN KEY (first_approved_by) REFERENCES member(id),
  constraint deposit_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint deposit_member_id_idempotency_key_key UNIQUE (member_id, idempotency_key),
  constraint deposit_method_check CHECK ((method = ANY (ARRAY['hosted'::text, 'chain'::text]))),
  constraint deposit_pkey PRIMARY KEY (id),
  constraint deposit_public_id_key UNIQUE (public_id),
  constraint deposit_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVE'::text, 'REJECT'::text]))),
  constraint deposit_usd_amount_check CHECK ((usd_amount >= 0))
);
CREATE INDEX deposit_by_hand ON public.deposit USING btree (id) WHERE by_hand;
CREATE INDEX deposit_by_member ON public.deposit USING btree (member_id, id DESC);
CREATE INDEX deposit_by_time ON public.deposit USING brin (created_at) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX deposit_first_approved ON public.deposit USING btree (id) WHERE (first_approved_by IS NOT NULL);
CREATE INDEX deposit_hosted_by_time ON public.deposit USING btree (created_at) WHERE (method = 'hosted'::text);
CREATE INDEX deposit_hosted_pending ON public.deposit USING btree (id) WHERE ((method = 'hosted'::text) AND (status = 'PENDING'::text));
CREATE INDEX deposit_sum_by_member ON public.deposit USING btree (member_id, status) INCLUDE (usd_amount);
CREATE INDEX deposit_to_check ON public.deposit USING btree (method, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX deposit_with_problem ON public.deposit USING btree (id) WHERE (problem IS NOT NULL);
CREATE TRIGGER deposit_approved_event AFTER UPDATE OF status ON public.deposit FOR EACH ROW WHEN (((old.status <> 'APPROVE'::text) AND (new.status = 'APPROVE'::text))) EXECUTE FUNCTION record_event('deposit.approved');
CREATE TRIGGER deposit_counted AFTER INSERT ON public.deposit REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION deposit_counted();
CREATE TRIGGER deposit_recounted AFTER UPDATE OF status, usd_amount, reversed_usd ON public.deposit FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR ((old.usd_amount - old.reversed_usd) IS DISTINCT FROM (new.usd_amount - new.reversed_usd)))) EXECUTE FUNCTION deposit_recounted();
CREATE TRIGGER deposit_rejected_event AFTER UPDATE OF status ON public.deposit FOR EACH ROW WHEN (((old.status <> 'REJECT'::text) AND (new.status = 'REJECT'::text))) EXECUTE FUNCTION record_event('deposit.rejected');

create table deposit_decision (
  id bigint not null generated always as identity,
  deposit_id bigint not null,
  member_id bigint not null,
  first_approved_by bigint,
  first_approved_at timestamp with time zone,
  first_mac bytea,
  decided_by bigint not null,
  decided_at timestamp with time zone not null,
  outcome text not null,
  credited bigint not null,
  reason text not null,
  constraint deposit_decision_check CHECK (((decided_by <> member_id) AND (first_approved_by IS DISTINCT FROM member_id))),
  constraint deposit_decision_check1 CHECK ((decided_by IS DISTINCT FROM first_approved_by)),
  constraint deposit_decision_check2 CHECK (((first_approved_at IS NULL) = (first_approved_by IS NULL))),
  constraint deposit_decision_check3 CHECK (((first_mac IS NULL) = (first_approved_by IS NULL))),
  constraint deposit_decision_check4 CHECK (((outcome = 'APPROVED'::text) OR ((credited = 0) AND (first_approved_by IS NULL)))),
  constraint deposit_decision_credited_check CHECK ((credited >= 0)),
  constraint deposit_decision_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES member(id),
  constraint deposit_decision_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposit(id),
  constraint deposit_decision_first_approved_by_fkey FOREIGN KEY (first_approved_by) REFERENCES member(id),
  constraint deposit_decision_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint deposit_decision_outcome_check CHECK ((outcome = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text]))),
  constraint deposit_decision_pkey PRIMARY KEY (id)
);
CREATE INDEX deposit_decision_alone ON public.deposit_decision USING btree (decided_by, decided_at) WHERE (first_approved_by IS NULL);
CREATE INDEX deposit_decision_by_deposit ON public.deposit_decision USING btree (deposit_id, id);
CREATE INDEX deposit_decision_by_member ON public.deposit_decision USING btree (member_id, decided_at) WHERE (first_approved_by IS NULL);
CREATE INDEX deposit_decision_by_time ON public.deposit_decision USING brin (decided_at) WITH (autosummarize='on', pages_per_range='16');

create table email_change (
  id bigint not null generated always as identity,
  member_id bigint not null,
  email text not null,
  previous_email text not null,
  confirm_digest text,
  stop_digest text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  stoppable_until timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  stopped_at timestamp with time zone,
  constraint email_change_confirm_digest_key UNIQUE (confirm_digest),
  constraint email_change_email_check CHECK ((email = lower(email))),
  constraint email_change_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint email_change_pkey PRIMARY KEY (id),
  constraint email_change_stop_digest_key UNIQUE (stop_digest)
);
CREATE INDEX email_change_by_age ON public.email_change USING btree (created_at);
CREATE INDEX email_change_by_email ON public.email_change USING btree (email, created_at);
CREATE INDEX email_change_by_member ON public.email_change USING btree (member_id, id DESC);

create table event (
  id bigint not null generated always as identity,
  event_id uuid not null,
  kind text not null,
  subject text not null,
  member_id bigint,
  at timestamp with time zone not null,
  constraint event_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint event_pkey PRIMARY KEY (id)
);
CREATE INDEX event_by_age ON public.event USING brin (at) WITH (autosummarize='on');

create table event_outbox (
  seed uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default clock_timestamp(),
  kind text not null,
  objects text not null
) with (toast_tuple_target=8160);

create table hot_wallet (
  chain_id bigint not null,
  address text not null,
  next_nonce bigint not null,
  opened_at timestamp with time zone,
  constraint hot_wallet_address_check CHECK ((address = lower(address))),
  constraint hot_wallet_next_nonce_check CHECK ((next_nonce >= 0)),
  constraint hot_wallet_pkey PRIMARY KEY (chain_id, address)
);

create table hot_wallet_empty (
  hash text not null,
  chain_id bigint not null,
  wallet text not null,
  nonce bigint not null,
  raw text not null,
  gas_paid numeric(78,0) not null,
  ended_at timestamp with time zone not null,
  constraint hot_wallet_empty_chain_id_wallet_fkey FOREIGN KEY (chain_id, wallet) REFERENCES hot_wallet(chain_id, address),
  constraint hot_wallet_empty_chain_id_wallet_nonce_key UNIQUE (chain_id, wallet, nonce),
  constraint hot_wallet_empty_gas_paid_check CHECK ((gas_paid >= (0)::numeric)),
  constraint hot_wallet_empty_nonce_check CHECK ((nonce >= 0)),
  constraint hot_wallet_empty_pkey PRIMARY KEY (hash)
);
CREATE INDEX hot_wallet_empty_by_end ON public.hot_wallet_empty USING btree (ended_at);

create table idempotency (
  member_id bigint not null,
  operation text not null,
  key text not null,
  request_digest text not null,
  status integer not null,
  answer text not null,
  created_at timestamp with time zone not null,
  headers jsonb,
  constraint idempotency_pkey PRIMARY KEY (member_id, operation, key)
);
CREATE INDEX idempotency_by_age ON public.idempotency USING btree (created_at);

create table import_balance (
  id bigint not null generated always as identity,
  batch_id bigint not null,
  member_id bigint not null,
  wallet text not null,
  amount bigint not null,
  constraint import_balance_amount_check CHECK ((amount > 0)),
  constraint import_balance_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_balance_member_id_wallet_key UNIQUE (member_id, wallet),
  constraint import_balance_pkey PRIMARY KEY (id)
);
CREATE INDEX import_balance_by_batch ON public.import_balance USING btree (batch_id, wallet);

create table import_batch (
  id bigint not null generated always as identity,
  hash text not null,
  status text not null,
  members integer not null,
  referrals integer not null,
  usd bigint not null,
  coin bigint not null,
  promised_coin bigint not null default 0,
  promised_usd bigint not null default 0,
  balances integer not null default 0,
  totals text not null default '{"members":0,"referrals":0,"balances":{},"specialMembers":0,"ranked":0}'::text,
  staged_at timestamp with time zone not null,
  approved_at timestamp with time zone,
  ended_at timestamp with time zone,
  refusal text,
  mac bytea,
  attempts integer not null default 0,
  progress_from bigint,
  written text,
  raised_coin bigint,
  raised_usd bigint,
  mails_per_hour integer,
  mails_waiting integer not null default 0,
  mails_sent integer not null default 0,
  mailed_at timestamp with time zone,
  without_address text[] not null default '{}'::text[],
  report text,
  constraint import_batch_attempts_check CHECK ((attempts >= 0)),
  constraint import_batch_balances_check CHECK ((balances >= 0)),
  constraint import_batch_check CHECK (((referrals >= 0) AND (referrals <= members))),
  constraint import_batch_check1 CHECK (((approved_at IS NULL) = (status = 'STAGED'::text))),
  constraint import_batch_check2 CHECK (((ended_at IS NULL) = (status = ANY (ARRAY['STAGED'::text, 'APPROVED'::text])))),
  constraint import_batch_check3 CHECK (((refusal IS NULL) = (status <> 'REFUSED'::text))),
  constraint import_batch_coin_check CHECK ((coin >= 0)),
  constraint import_batch_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint import_batch_hash_key UNIQUE (hash),
  constraint import_batch_mails_per_hour_check CHECK (((mails_per_hour >= 60) AND (mails_per_hour <= 60000))),
  constraint import_batch_mails_sent_check CHECK ((mails_sent >= 0)),
  constraint import_batch_mails_waiting_check CHECK ((mails_waiting >= 0)),
  constraint import_batch_members_check CHECK ((members >= 0)),
  constraint import_batch_pkey PRIMARY KEY (id),
  constraint import_batch_promised_coin_check CHECK ((promised_coin >= 0)),
  constraint import_batch_promised_usd_check CHECK ((promised_usd >= 0)),
  constraint import_batch_status_check CHECK ((status = ANY (ARRAY['STAGED'::text, 'APPROVED'::text, 'DONE'::text, 'REFUSED'::text]))),
  constraint import_batch_usd_check CHECK ((usd >= 0))
);
CREATE INDEX import_batch_to_delete ON public.import_batch USING btree ((
CASE
    WHEN (status = ANY (ARRAY['STAGED'::text, 'REFUSED'::text])) THEN staged_at
    ELSE NULL::timestamp with time zone
END));

create table import_history (
  id bigint not null generated always as identity,
  batch_id bigint not null,
  member_id bigint not null,
  happened_at timestamp with time zone not null,
  title text not null,
  reference text not null,
  is_incoming boolean not null,
  asset text not null,
  amount bigint not null,
  constraint import_history_amount_check CHECK ((amount > 0)),
  constraint import_history_asset_check CHECK ((asset = ANY (ARRAY['USD'::text, 'COIN'::text]))),
  constraint import_history_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_history_pkey PRIMARY KEY (id)
);
CREATE INDEX import_history_by_batch ON public.import_history USING btree (batch_id, id);
CREATE INDEX import_history_by_member ON public.import_history USING btree (member_id, happened_at DESC, id DESC);

create table import_mail (
  batch_id bigint not null,
  member_id bigint not null,
  needs_password boolean not null,
  constraint import_mail_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_mail_pkey PRIMARY KEY (batch_id, member_id)
);

create table import_member (
  member_id bigint not null,
  batch_id bigint not null,
  sponsor_id bigint,
  public_id text not null,
  email text not null,
  name text not null,
  phone text not null,
  referral_code text not null,
  joined_at timestamp with time zone not null,
  is_verified boolean not null,
  is_active boolean not null,
  password_hash text,
  rank text,
  is_special boolean not null default false,
  constraint import_member_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_member_check CHECK ((sponsor_id < member_id)),
  constraint import_member_pkey PRIMARY KEY (member_id)
);
CREATE INDEX import_member_by_batch ON public.import_member USING btree (batch_id, member_id);
CREATE INDEX import_member_by_code ON public.import_member USING btree (referral_code);
CREATE INDEX import_member_by_email ON public.import_member USING btree (email);

create table import_nft (
  id bigint not null generated always as identity,
  batch_id bigint not null,
  member_id bigint not null,
  nft_id bigint not null,
  price bigint not null,
  percent bigint not null,
  months integer not null,
  bought_at timestamp with time zone not null,
  paid_months integer not null,
  constraint import_nft_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_nft_check CHECK ((paid_months < months)),
  constraint import_nft_pkey PRIMARY KEY (id),
  constraint import_nft_price_check CHECK ((price > 0))
);
CREATE INDEX import_nft_by_batch ON public.import_nft USING btree (batch_id, id);

create table import_stake (
  id bigint not null generated always as identity,
  batch_id bigint not null,
  member_id bigint not null,
  plan_id bigint not null,
  wallet text not null,
  amount bigint not null,
  apy bigint not null,
  duration_days integer not null,
  started_at timestamp with time zone not null,
  paid_days integer not null,
  constraint import_stake_amount_check CHECK ((amount > 0)),
  constraint import_stake_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_stake_check CHECK ((paid_days < duration_days)),
  constraint import_stake_pkey PRIMARY KEY (id)
);
CREATE INDEX import_stake_by_batch ON public.import_stake USING btree (batch_id, id);

create table invoice_transfer (
  transfer_key text not null,
  deposit_id bigint not null,
  asset text not null,
  amount bigint not null,
  tx_hash text not null,
  block_time timestamp with time zone not null,
  confirmations integer not null,
  is_live boolean not null default true,
  held text,
  held_at timestamp with time zone,
  decided_at timestamp with time zone,
  credited_at timestamp with time zone,
  usd_amount bigint,
  transfer_id bigint,
  return_id bigint,
  constraint invoice_transfer_amount_check CHECK ((amount > 0)),
  constraint invoice_transfer_asset_check CHECK ((asset = ANY (ARRAY['USD'::text, 'COIN'::text]))),
  constraint invoice_transfer_check CHECK (((held_at IS NULL) = (held IS NULL))),
  constraint invoice_transfer_check1 CHECK (((decided_at IS NULL) OR (held IS NOT NULL))),
  constraint invoice_transfer_check2 CHECK (((return_id IS NULL) OR ((credited_at IS NULL) AND (decided_at IS NOT NULL)))),
  constraint invoice_transfer_check3 CHECK (((usd_amount IS NULL) = ((credited_at IS NULL) AND (held IS NULL)))),
  constraint invoice_transfer_check4 CHECK (((credited_at IS NULL) OR (held IS NULL) OR (decided_at IS NOT NULL))),
  constraint invoice_transfer_confirmations_check CHECK ((confirmations >= 0)),
  constraint invoice_transfer_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposit(id),
  constraint invoice_transfer_held_check CHECK ((held = ANY (ARRAY['BALANCE_DIFFERS'::text, 'REVERSED'::text, 'OTHER_TOKEN'::text, 'TOO_LATE'::text]))),
  constraint invoice_transfer_pkey PRIMARY KEY (transfer_key),
  constraint invoice_transfer_return_id_fkey FOREIGN KEY (return_id) REFERENCES payment_return(id),
  constraint invoice_transfer_usd_amount_check CHECK ((usd_amount >= 0))
);
CREATE INDEX invoice_transfer_by_credit ON public.invoice_transfer USING btree (credited_at) WHERE (credited_at IS NOT NULL);
CREATE INDEX invoice_transfer_by_deposit ON public.invoice_transfer USING btree (deposit_id);
CREATE INDEX invoice_transfer_by_hash ON public.invoice_transfer USING btree (lower(tx_hash));
CREATE INDEX invoice_transfer_by_return ON public.invoice_transfer USING btree (return_id) WHERE (return_id IS NOT NULL);
CREATE INDEX invoice_transfer_by_transfer ON public.invoice_transfer USING btree (transfer_id) WHERE (transfer_id IS NOT NULL);
CREATE INDEX invoice_transfer_rejected ON public.invoice_transfer USING btree (decided_at) WHERE ((held IS NOT NULL) AND (decided_at IS NOT NULL) AND (credited_at IS NULL));
CREATE INDEX invoice_transfer_to_decide ON public.invoice_transfer USING btree (deposit_id) WHERE ((held IS NOT NULL) AND (decided_at IS NULL));

create table job_lease (
  name text not null,
  holder text,
  fencing_token bigint not null default 0,
  held_until timestamp with time zone,
  last_started_at timestamp with time zone,
  last_finished_at timestamp with time zone,
  last_error text,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  constraint job_lease_pkey PRIMARY KEY (name)
);

create table known_device (
  id bigint not null generated always as identity,
  member_id bigint not null,
  token_digest text not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  trusted_from timestamp with time zone not null,
  returned boolean not null default false,
  constraint known_device_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint known_device_member_id_token_digest_key UNIQUE (member_id, token_digest),
  constraint known_device_pkey PRIMARY KEY (id)
);

create table ledger_account (
  id bigint not null,
  owner_id bigint,
  balance bigint not null default 0,
  min_balance bigint not null default 0,
  version bigint not null default 0,
  shard integer not null default 0,
  asset text not null,
  kind text not null,
  new_money bigint not null default 0,
  constraint ledger_account_asset_check CHECK ((asset = ANY (ARRAY['USD'::text, 'COIN'::text]))),
  constraint ledger_account_covered CHECK ((balance >= min_balance)),
  constraint ledger_account_member_owes_nothing CHECK (((owner_id IS NULL) OR (min_balance = 0))),
  constraint ledger_account_new_money_held CHECK (((new_money = 0) OR (ledger_keeps_new_money(id) AND ((new_money >= 0) AND (new_money <= balance))))),
  constraint ledger_account_number_fits CHECK ((NOT (id IS DISTINCT FROM ledger_account_number(owner_id, kind, asset, shard)))),
  constraint ledger_account_pkey PRIMARY KEY (id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);
comment on column ledger_account.min_balance is 'lowest permitted balance; 0 for an account that must not be negative';
comment on column ledger_account.new_money is 'deposit wallets only: USD that was paid in and has not earned a referral reward yet (RW-01)';
comment on column ledger_account.owner_id is 'member id; null for a system account';
comment on column ledger_account.version is 'number of transfers on the account';
CREATE TRIGGER ledger_account_stays BEFORE DELETE OR UPDATE OF id, owner_id, kind, asset, shard, min_balance OR TRUNCATE ON public.ledger_account FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change() -- enabled: A;
-- 265 rows, digest 7250a65c8925a640779950837993036f

create table ledger_close (
  month date not null,
  after_id bigint not null,
  last_id bigint not null,
  transfers bigint not null,
  transfers_hash text not null,
  balances_hash text not null,
  previous text not null,
  close_hash text not null,
  closed_at timestamp with time zone not null,
  constraint ledger_close_check CHECK ((last_id >= after_id)),
  constraint ledger_close_close_hash_key UNIQUE (close_hash),
  constraint ledger_close_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint ledger_close_pkey PRIMARY KEY (month)
);
CREATE TRIGGER ledger_close_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_close FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change() -- enabled: A;

create table ledger_closed_balance (
  account bigint not null,
  balance bigint not null,
  version bigint not null,
  new_money bigint not null,
  constraint ledger_closed_balance_pkey PRIMARY KEY (account)
) with (fillfactor=50);

create table ledger_new_money_debt (
  account bigint not null,
  owed bigint not null,
  constraint ledger_new_money_debt_owed_check CHECK ((owed >= 0)),
  constraint ledger_new_money_debt_pkey PRIMARY KEY (account)
);

create table ledger_new_money_return (
  transfer_id bigint not null,
  amount bigint not null,
  constraint ledger_new_money_return_amount_check CHECK ((amount > 0)),
  constraint ledger_new_money_return_pkey PRIMARY KEY (transfer_id)
);
CREATE TRIGGER ledger_new_money_return_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_new_money_return FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change() -- enabled: A;

create table ledger_reversal (
  reverses bigint not null,
  reversed_by bigint not null,
  proposal_id text not null,
  created_at timestamp with time zone not null,
  loss bigint not null default 0,
  constraint ledger_reversal_check CHECK ((reversed_by > reverses)),
  constraint ledger_reversal_loss_check CHECK ((loss >= 0)),
  constraint ledger_reversal_pkey PRIMARY KEY (reverses),
  constraint ledger_reversal_proposal_id_key UNIQUE (proposal_id),
  constraint ledger_reversal_reversed_by_key UNIQUE (reversed_by)
);
CREATE INDEX ledger_reversal_by_time ON public.ledger_reversal USING btree (created_at);
CREATE TRIGGER ledger_reversal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_reversal FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change() -- enabled: A;

create table ledger_stop (
  id bigint not null generated always as identity,
  since timestamp with time zone not null,
  why text not null,
  lifted_at timestamp with time zone,
  constraint ledger_stop_pkey PRIMARY KEY (id),
  constraint ledger_stop_why_check CHECK ((why <> ''::text))
);
CREATE UNIQUE INDEX ledger_stop_in_force ON public.ledger_stop USING btree ((true)) WHERE (lifted_at IS NULL);

create table ledger_transfer (
  id bigint not null generated by default as identity,
  posting_id bigint not null,
  debit_account bigint not null,
  credit_account bigint not null,
  amount bigint not null,
  debit_balance_after bigint not null,
  credit_balance_after bigint not null,
  created_at timestamp with time zone not null,
  resolves bigint,
  rule_version integer,
  pending boolean not null default false,
  asset text not null,
  kind text not null,
  cause_type text not null,
  cause_id text not null,
  key text,
  new_money bigint,
  constraint ledger_transfer_amount_check CHECK ((amount > 0)),
  constraint ledger_transfer_check CHECK (((new_money >= 1) AND (new_money <= amount))),
  constraint ledger_transfer_check1 CHECK ((debit_account <> credit_account)),
  constraint ledger_transfer_pkey PRIMARY KEY (id)
);
comment on column ledger_transfer.key is 'unique key of the posting, stored with its first transfer';
comment on column ledger_transfer.new_money is 'part of the amount that was new money; null if none';
comment on column ledger_transfer.pending is 'true if the transfer puts the amount on hold';
comment on column ledger_transfer.posting_id is 'id of the first transfer of the posting';
comment on column ledger_transfer.resolves is 'the hold that this transfer ends, alone or with other transfers of the posting';
CREATE INDEX ledger_transfer_by_credit ON public.ledger_transfer USING btree (credit_account, id);
CREATE INDEX ledger_transfer_by_debit ON public.ledger_transfer USING btree (debit_account, id);
CREATE INDEX ledger_transfer_by_hold ON public.ledger_transfer USING btree (resolves) WHERE (resolves IS NOT NULL);
CREATE UNIQUE INDEX ledger_transfer_by_key ON public.ledger_transfer USING btree (key) WHERE (key IS NOT NULL);
CREATE INDEX ledger_transfer_by_posting ON public.ledger_transfer USING btree (posting_id) WHERE (posting_id <> id);
CREATE INDEX ledger_transfer_by_rare_kind ON public.ledger_transfer USING btree (kind, id) WHERE (kind <> ALL (ARRAY['buyToken'::text, 'stake'::text, 'nftPurchase'::text, 'stakeRewards'::text, 'stakeLogRewards'::text, 'nftRewards'::text, 'referralReward'::text, 'levelReward'::text, 'nftLevelBonus'::text, 'userToUser'::text, 'shardMove'::text]));
CREATE INDEX ledger_transfer_pending ON public.ledger_transfer USING btree (id) WHERE pending;
CREATE TRIGGER ledger_transfer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfer FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change() -- enabled: A;
-- 16 rows, digest 2aeaa56b45a9ace1d3555f319ea61820

create table linked_account (
  id bigint not null generated always as identity,
  member_id bigint not null,
  upline_id bigint not null,
  level smallint not null,
  same_address boolean not null,
  same_device boolean not null,
  same_payout_address boolean not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  times integer not null default 1,
  verdict text,
  reviewed_by bigint,
  reviewed_at timestamp with time zone,
  review_reason text,
  constraint linked_account_check CHECK ((((verdict IS NULL) = (reviewed_at IS NULL)) AND ((verdict IS NULL) = (reviewed_by IS NULL)) AND ((verdict IS NULL) = (review_reason IS NULL)))),
  constraint linked_account_check1 CHECK ((upline_id < member_id)),
  constraint linked_account_check2 CHECK ((same_address OR same_payout_address)),
  constraint linked_account_check3 CHECK ((same_address OR (NOT same_device))),
  constraint linked_account_level_check CHECK (((level >= 1) AND (level <= 5))),
  constraint linked_account_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint linked_account_member_id_upline_id_key UNIQUE (member_id, upline_id),
  constraint linked_account_pkey PRIMARY KEY (id),
  constraint linked_account_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES member(id),
  constraint linked_account_upline_id_fkey FOREIGN KEY (upline_id) REFERENCES member(id),
  constraint linked_account_verdict_check CHECK ((verdict = ANY (ARRAY['harmless'::text, 'watch'::text])))
);
CREATE INDEX linked_account_by_upline ON public.linked_account USING btree (upline_id, id DESC);
CREATE INDEX linked_account_by_verdict ON public.linked_account USING btree (COALESCE(verdict, 'open'::text), id DESC);

create table linked_account_progress (
  one boolean not null default true,
  session_id bigint not null default 0,
  payout_id bigint not null default 0,
  constraint linked_account_progress_one_check CHECK (one),
  constraint linked_account_progress_pkey PRIMARY KEY (one)
);
-- row {"one": true, "payout_id": 0, "session_id": 0}

create table mail_code (
  id bigint not null generated always as identity,
  member_id bigint not null,
  cause text not null,
  code_hash text not null,
  attempts integer not null default 0,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mail_code_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5))),
  constraint mail_code_cause_check CHECK ((cause = ANY (ARRAY['register'::text, 'resend'::text]))),
  constraint mail_code_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint mail_code_pkey PRIMARY KEY (id)
);
CREATE INDEX mail_code_by_age ON public.mail_code USING btree (created_at);
CREATE INDEX mail_code_by_member ON public.mail_code USING btree (member_id, id DESC);

create table mail_link (
  id bigint not null generated always as identity,
  member_id bigint not null,
  purpose text not null,
  token_digest text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mail_link_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint mail_link_pkey PRIMARY KEY (id),
  constraint mail_link_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text]))),
  constraint mail_link_token_digest_key UNIQUE (token_digest)
);
CREATE INDEX mail_link_by_age ON public.mail_link USING btree ((
CASE
    WHEN (purpose = 'reset'::text) THEN created_at
    ELSE NULL::timestamp with time zone
END));
CREATE INDEX mail_link_by_member ON public.mail_link USING btree (member_id, purpose, id DESC);

create table mail_outbox (
  id bigint not null generated always as identity,
  public_id text not null,
  recipient text not null,
  template text not null,
  replace_key text,
  bulk boolean not null default false,
  encrypted bytea,
  status text not null default 'WAITING'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  not_after timestamp with time zone not null,
  last_error text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint mail_outbox_check CHECK (((status = 'WAITING'::text) OR (encrypted IS NULL))),
  constraint mail_outbox_pkey PRIMARY KEY (id),
  constraint mail_outbox_public_id_key UNIQUE (public_id),
  constraint mail_outbox_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'DROPPED'::text])))
);
CREATE INDEX mail_outbox_by_age ON public.mail_outbox USING btree ((
CASE
    WHEN (status <> 'WAITING'::text) THEN created_at
    ELSE NULL::timestamp with time zone
END));
CREATE INDEX mail_outbox_due ON public.mail_outbox USING btree (bulk, next_attempt_at, id) WHERE (status = 'WAITING'::text);
CREATE INDEX mail_outbox_replaceable ON public.mail_outbox USING btree (replace_key) WHERE ((status = 'WAITING'::text) AND (replace_key IS NOT NULL));

create table member (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  email text not null,
  phone text not null,
  password_hash text not null,
  is_verified boolean not null default false,
  is_active boolean not null default true,
  role text not null default 'MEMBER'::text,
  is_special_rcm boolean not null default false,
  rank text,
  rank_by_staff boolean not null default false,
  referral_code text not null,
  sponsor_id bigint,
  profile_image text,
  second_factor boolean not null default false,
  password_reset_at timestamp with time zone,
  password_changed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  password_proved boolean not null default true,
  payouts_frozen_until timestamp with time zone,
  payouts_frozen_for text,
  payouts_stopped_at timestamp with time zone,
  suspended_until timestamp with time zone,
  suspended_colleague_at timestamp with time zone,
  verified_at timestamp with time zone,
  closes_at timestamp with time zone,
  closed_at timestamp with time zone,
  erases_at timestamp with time zone,
  erased_at timestamp with time zone,
  language text,
  constraint member_check CHECK ((sponsor_id < id)),
  constraint member_check1 CHECK (((closes_at IS NULL) OR (NOT is_active))),
  constraint member_check2 CHECK (((closed_at IS NULL) OR (closes_at IS NOT NULL))),
  constraint member_check3 CHECK (((erases_at IS NULL) OR (closed_at IS NOT NULL))),
  constraint member_check4 CHECK (((erased_at IS NULL) OR (erases_at IS NOT NULL))),
  constraint member_email_check CHECK ((email = lower(email))),
  constraint member_email_key UNIQUE (email),
  constraint member_language_check CHECK ((length(language) <= 12)),
  constraint member_payouts_frozen_for_check CHECK ((payouts_frozen_for = ANY (ARRAY['password'::text, 'second-factor'::text, 'contact'::text, 'device'::text, 'restore'::text]))),
  constraint member_pkey PRIMARY KEY (id),
  constraint member_public_id_key UNIQUE (public_id),
  constraint member_referral_code_check CHECK ((referral_code = upper(referral_code))),
  constraint member_referral_code_key UNIQUE (referral_code),
  constraint member_role_check CHECK ((role = ANY (ARRAY['MEMBER'::text, 'SUPPORT'::text, 'FINANCE'::text, 'ADMIN'::text, 'AUDITOR'::text]))),
  constraint member_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES member(id)
);
CREATE INDEX member_blocked ON public.member USING btree (id) WHERE (NOT is_active);
CREATE INDEX member_by_email_start ON public.member USING btree (email text_pattern_ops);
CREATE INDEX member_by_name_start ON public.member USING btree (lower(name) text_pattern_ops);
CREATE INDEX member_by_name_word ON public.member USING gin (to_tsvector('simple'::regconfig, name));
CREATE INDEX member_by_phone ON public.member USING btree (regexp_replace(phone, '\D'::text, ''::text, 'g'::text) text_pattern_ops);
CREATE INDEX member_by_sponsor ON public.member USING btree (sponsor_id, id DESC);
CREATE INDEX member_by_time ON public.member USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX member_by_verification ON public.member USING btree (verified_at) WHERE (verified_at IS NOT NULL);
CREATE INDEX member_erased ON public.member USING btree (id) WHERE (erased_at IS NOT NULL);
CREATE INDEX member_imported_hash ON public.member USING btree (id) WHERE (password_hash !~~ '$argon2id$v=19$m=19456,t=2,p=1$%'::text);
CREATE INDEX member_not_earning ON public.member USING btree (id) WHERE (NOT (is_verified AND is_active));
CREATE INDEX member_special ON public.member USING btree (id) WHERE is_special_rcm;
CREATE INDEX member_staff ON public.member USING btree (id) WHERE (role <> 'MEMBER'::text);
CREATE INDEX member_to_close ON public.member USING btree (closes_at) WHERE ((closed_at IS NULL) AND (closes_at IS NOT NULL));
CREATE INDEX member_to_erase ON public.member USING btree (erases_at) WHERE ((erased_at IS NULL) AND (erases_at IS NOT NULL));
CREATE INDEX member_unverified ON public.member USING btree (id) WHERE (NOT is_verified);
CREATE TRIGGER member_access_ended AFTER UPDATE OF role, is_active, suspended_until, password_changed_at, payouts_stopped_at, email, erased_at ON public.member FOR EACH ROW WHEN ((((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL)) OR (old.role <> new.role) OR (old.is_active <> new.is_active) OR (old.suspended_until IS DISTINCT FROM new.suspended_until) OR (old.password_changed_at IS DISTINCT FROM new.password_changed_at) OR (old.payouts_stopped_at IS DISTINCT FROM new.payouts_stopped_at) OR ((old.email <> new.email) AND new.is_verified))) EXECUTE FUNCTION record_member_access();
CREATE TRIGGER member_activated_event AFTER UPDATE OF is_active ON public.member FOR EACH ROW WHEN (((NOT old.is_active) AND new.is_active)) EXECUTE FUNCTION record_member_event('member.activated');
CREATE TRIGGER member_counted AFTER INSERT ON public.member FOR EACH ROW WHEN (((new.sponsor_id IS NOT NULL) AND new.is_verified)) EXECUTE FUNCTION count_referral();
CREATE TRIGGER member_counted_later AFTER UPDATE OF is_verified ON public.member FOR EACH ROW WHEN (((new.sponsor_id IS NOT NULL) AND (old.is_verified <> new.is_verified))) EXECUTE FUNCTION count_referral();
CREATE TRIGGER member_deactivated_event AFTER UPDATE OF is_active ON public.member FOR EACH ROW WHEN ((old.is_active AND (NOT new.is_active))) EXECUTE FUNCTION record_member_event('member.deactivated');
CREATE TRIGGER member_erased_once BEFORE UPDATE OF erased_at, closed_at ON public.member FOR EACH ROW WHEN ((old.erased_at IS NOT NULL)) EXECUTE FUNCTION reject_change();
CREATE TRIGGER member_in_team AFTER INSERT ON public.member FOR EACH ROW WHEN (((new.sponsor_id IS NOT NULL) AND new.is_verified)) EXECUTE FUNCTION count_in_team();
CREATE TRIGGER member_in_team_later AFTER UPDATE OF is_verified ON public.member FOR EACH ROW WHEN (((new.sponsor_id IS NOT NULL) AND (old.is_verified <> new.is_verified))) EXECUTE FUNCTION count_in_team();
CREATE TRIGGER member_liability AFTER UPDATE OF is_verified, is_active ON public.member FOR EACH ROW WHEN (((old.is_verified AND old.is_active) IS DISTINCT FROM (new.is_verified AND new.is_active))) EXECUTE FUNCTION reward_update_liability();
CREATE TRIGGER member_placed AFTER INSERT ON public.member FOR EACH ROW EXECUTE FUNCTION place_member();
CREATE TRIGGER member_sponsor_fixed BEFORE UPDATE OF sponsor_id ON public.member FOR EACH ROW WHEN ((old.sponsor_id IS DISTINCT FROM new.sponsor_id)) EXECUTE FUNCTION reject_sponsor_change();
CREATE TRIGGER member_to_screen AFTER INSERT ON public.member FOR EACH ROW EXECUTE FUNCTION queue_name_screening();
CREATE TRIGGER member_to_screen_again AFTER UPDATE OF name ON public.member FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION queue_name_screening();
CREATE TRIGGER member_verification BEFORE INSERT OR UPDATE OF is_verified ON public.member FOR EACH ROW WHEN ((new.is_verified AND (new.verified_at IS NULL))) EXECUTE FUNCTION set_verified_at();
CREATE TRIGGER member_verified_event AFTER UPDATE OF is_verified ON public.member FOR EACH ROW WHEN (((NOT old.is_verified) AND new.is_verified)) EXECUTE FUNCTION record_member_event('member.verified');

create table member_list_counter (
  member_id bigint not null,
  list text not null,
  bucket text not null,
  rows integer not null,
  amount numeric not null,
  constraint member_list_counter_pkey PRIMARY KEY (member_id, list, bucket)
) with (fillfactor=70);

create table member_referrals (
  member_id bigint not null,
  direct_count integer not null,
  constraint member_referrals_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_referrals_pkey PRIMARY KEY (member_id)
);

create table member_view (
  id bigint not null generated always as identity,
  member_id bigint not null,
  session_id bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint member_view_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_view_pkey PRIMARY KEY (id),
  constraint member_view_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE
);
CREATE INDEX member_view_by_session ON public.member_view USING btree (session_id);

create table network_cost (
  hash text not null,
  source text not null,
  wei numeric(78,0) not null,
  price bigint not null,
  usd bigint not null,
  ended_at timestamp with time zone not null,
  booked_at timestamp with time zone not null,
  constraint network_cost_pkey PRIMARY KEY (hash),
  constraint network_cost_price_check CHECK ((price > 0)),
  constraint network_cost_source_check CHECK ((source = ANY (ARRAY['PAYOUT'::text, 'MOVE'::text, 'EMPTY'::text]))),
  constraint network_cost_usd_check CHECK ((usd >= 0)),
  constraint network_cost_wei_check CHECK ((wei >= (0)::numeric))
);
CREATE INDEX network_cost_by_end ON public.network_cost USING btree (source, ended_at);

create table nft (
  id bigint not null generated always as identity,
  public_id text not null,
  kind text not null,
  name text not null,
  title text not null default ''::text,
  price bigint not null,
  duration_months integer not null,
  total_percent bigint not null,
  status text not null,
  created_at timestamp with time zone not null,
  starts_at timestamp with time zone,
  constraint nft_duration_months_check CHECK (((duration_months >= 1) AND (duration_months <= 1200))),
  constraint nft_kind_check CHECK ((kind = ANY (ARRAY['dome'::text, 'wagon'::text, 'hotelAndResort'::text, 'land'::text]))),
  constraint nft_name_check CHECK ((name <> ''::text)),
  constraint nft_pkey PRIMARY KEY (id),
  constraint nft_price_check CHECK ((price > 0)),
  constraint nft_public_id_key UNIQUE (public_id),
  constraint nft_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text]))),
  constraint nft_total_percent_check CHECK ((total_percent >= 0))
);

create table nft_next (
  nft_id bigint not null,
  starts_at timestamp with time zone not null,
  kind text not null,
  name text not null,
  title text not null,
  price bigint not null,
  duration_months integer not null,
  total_percent bigint not null,
  status text not null,
  constraint nft_next_duration_months_check CHECK (((duration_months >= 1) AND (duration_months <= 1200))),
  constraint nft_next_kind_check CHECK ((kind = ANY (ARRAY['dome'::text, 'wagon'::text, 'hotelAndResort'::text, 'land'::text]))),
  constraint nft_next_name_check CHECK ((name <> ''::text)),
  constraint nft_next_nft_id_fkey FOREIGN KEY (nft_id) REFERENCES nft(id) ON DELETE CASCADE,
  constraint nft_next_pkey PRIMARY KEY (nft_id, starts_at),
  constraint nft_next_price_check CHECK ((price > 0)),
  constraint nft_next_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text]))),
  constraint nft_next_total_percent_check CHECK ((total_percent >= 0))
);

create table nft_purchase (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  nft_id bigint not null,
  kind text not null,
  name text not null,
  price bigint not null,
  paid_from text not null,
  paid_asset text not null,
  paid_amount bigint not null,
  coin_price bigint,
  duration_months integer not null,
  total_percent bigint not null,
  monthly_reward bigint not null,
  status text not null default 'ACTIVE'::text,
  programme_version integer not null,
  purchased_at timestamp with time zone not null,
  transfer_id bigint,
  reversed_at timestamp with time zone,
  imported_at timestamp with time zone,
  imported_months integer not null default 0,
  constraint nft_purchase_check CHECK (((imported_at IS NULL) OR ((transfer_id IS NULL) AND (reversed_at IS NULL)))),
  constraint nft_purchase_check1 CHECK (((imported_months = 0) OR (imported_at IS NOT NULL))),
  constraint nft_purchase_duration_months_check CHECK ((duration_months > 0)),
  constraint nft_purchase_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint nft_purchase_monthly_reward_check CHECK ((monthly_reward >= 0)),
  constraint nft_purchase_nft_id_fkey FOREIGN KEY (nft_id) REFERENCES nft(id),
  constraint nft_purchase_paid_amount_check CHECK ((paid_amount > 0)),
  constraint nft_purchase_paid_asset_check CHECK ((paid_asset = ANY (ARRAY['usd'::text, 'coin'::text]))),
  constraint nft_purchase_paid_from_check CHECK ((paid_from = ANY (ARRAY['depositwallet'::text, 'nativewallet'::text, 'mywallet'::text]))),
  constraint nft_purchase_pkey PRIMARY KEY (id),
  constraint nft_purchase_price_check CHECK ((price > 0)),
  constraint nft_purchase_public_id_key UNIQUE (public_id),
  constraint nft_purchase_reversed CHECK (((status = 'REVERSED'::text) = (reversed_at IS NOT NULL))),
  constraint nft_purchase_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'REVERSED'::text])))
);
CREATE INDEX nft_purchase_by_member ON public.nft_purchase USING btree (member_id, id DESC);
CREATE INDEX nft_purchase_by_reversal ON public.nft_purchase USING btree (reversed_at) WHERE (reversed_at IS NOT NULL);
CREATE INDEX nft_purchase_by_time ON public.nft_purchase USING brin (purchased_at) WITH (autosummarize='on');
CREATE TRIGGER nft_purchase_counted AFTER INSERT ON public.nft_purchase REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION nft_purchase_counted();
CREATE TRIGGER nft_purchase_event AFTER INSERT ON public.nft_purchase REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION record_sale_events('nft.created');
CREATE TRIGGER nft_purchase_recounted AFTER UPDATE OF status, kind, price ON public.nft_purchase FOR EACH ROW WHEN (((
        CASE
            WHEN (old.status = 'REVERSED'::text) THEN old.status
            ELSE old.kind
        END IS DISTINCT FROM
        CASE
            WHEN (new.status = 'REVERSED'::text) THEN new.status
            ELSE new.kind
        END) OR (old.price IS DISTINCT FROM new.price))) EXECUTE FUNCTION nft_purchase_recounted();
CREATE TRIGGER nft_purchase_reversed_event AFTER UPDATE OF status ON public.nft_purchase FOR EACH ROW WHEN (((old.status <> 'REVERSED'::text) AND (new.status = 'REVERSED'::text))) EXECUTE FUNCTION record_event('nft.reversed');

create table nft_supply (
  kind text not null,
  cap integer not null,
  sold integer not null default 0,
  constraint nft_supply_cap_check CHECK ((cap >= 0)),
  constraint nft_supply_check CHECK (((sold >= 0) AND (sold <= cap))),
  constraint nft_supply_kind_check CHECK ((kind = ANY (ARRAY['dome'::text, 'wagon'::text, 'hotelAndResort'::text, 'land'::text]))),
  constraint nft_supply_pkey PRIMARY KEY (kind)
);
-- row {"cap": 10000, "kind": "dome", "sold": 0}
-- row {"cap": 55000, "kind": "hotelAndResort", "sold": 0}
-- row {"cap": 110000, "kind": "land", "sold": 0}
-- row {"cap": 25000, "kind": "wagon", "sold": 0}

create table notice (
  id bigint not null generated always as identity,
  member_id bigint not null,
  event text not null,
  cause text not null,
  amount bigint,
  asset text,
  facts jsonb not null,
  message_mac bytea,
  created_at timestamp with time zone not null,
  in_inbox boolean not null,
  read_at timestamp with time zone,
  awaits_mail boolean not null,
  mailed_at timestamp with time zone,
  constraint notice_asset_check CHECK ((asset = ANY (ARRAY['usd'::text, 'coin'::text]))),
  constraint notice_check CHECK (((amount IS NULL) = (asset IS NULL))),
  constraint notice_check1 CHECK ((in_inbox OR (read_at IS NOT NULL))),
  constraint notice_event_cause_key UNIQUE (event, cause),
  constraint notice_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint notice_pkey PRIMARY KEY (id)
);
CREATE INDEX notice_by_age ON public.notice USING btree (created_at);
CREATE INDEX notice_by_mail ON public.notice USING btree (member_id, mailed_at) WHERE (mailed_at IS NOT NULL);
CREATE INDEX notice_inbox ON public.notice USING btree (member_id, created_at DESC, id DESC) WHERE in_inbox;
CREATE INDEX notice_messages ON public.notice USING btree (id) WHERE (event = 'message'::text);
CREATE INDEX notice_read ON public.notice USING btree (member_id, read_at) WHERE (read_at IS NOT NULL);
CREATE INDEX notice_unread ON public.notice USING btree (member_id, id) WHERE (read_at IS NULL);
CREATE INDEX notice_waiting ON public.notice USING btree (member_id, id) WHERE awaits_mail;
CREATE INDEX notice_waiting_first ON public.notice USING btree (member_id) WHERE (awaits_mail AND (event <> 'message'::text));

create table notification_choice (
  member_id bigint not null,
  event text not null,
  via text not null,
  since timestamp with time zone not null,
  constraint notification_choice_check CHECK (((via <> 'inbox'::text) OR (event = ANY (ARRAY['deposit'::text, 'received'::text, 'reward'::text, 'stake-ended'::text, 'sell-request'::text, 'support-answer'::text, 'message'::text])))),
  constraint notification_choice_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint notification_choice_pkey PRIMARY KEY (member_id, event),
  constraint notification_choice_via_check CHECK ((via = ANY (ARRAY['both'::text, 'mail'::text, 'inbox'::text])))
);

create table notification_event (
  member_id bigint not null,
  event text not null,
  cause text not null,
  amount bigint,
  asset text,
  facts jsonb not null,
  message_mac bytea,
  created_at timestamp with time zone not null
);

create table passkey (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  may_sync boolean not null,
  synced boolean not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkey_counter_check CHECK ((counter >= 0)),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint passkey_name_check CHECK ((name <> ''::text)),
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_public_id_key UNIQUE (public_id)
);
CREATE INDEX passkey_by_member ON public.passkey USING btree (member_id, id);
CREATE TRIGGER passkey_ended AFTER DELETE ON public.passkey FOR EACH ROW EXECUTE FUNCTION record_ended_access('passkey');

create table passkey_challenge (
  public_id text not null,
  member_id bigint not null,
  session_id bigint,
  purpose text not null,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenge_check CHECK (((purpose = ANY (ARRAY['add'::text, 'show'::text, 'sign-in'::text])) AND ((purpose = 'sign-in'::text) = (session_id IS NULL)))),
  constraint passkey_challenge_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint passkey_challenge_pkey PRIMARY KEY (public_id),
  constraint passkey_challenge_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenge_by_end ON public.passkey_challenge USING btree (expires_at);
CREATE INDEX passkey_challenge_by_session ON public.passkey_challenge USING btree (session_id) WHERE (session_id IS NOT NULL);

create table payee_name (
  member_id bigint not null,
  receiver_id bigint not null,
  name text not null,
  created_at timestamp with time zone not null,
  constraint payee_name_check CHECK ((receiver_id <> member_id)),
  constraint payee_name_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint payee_name_name_check CHECK ((name <> ''::text)),
  constraint payee_name_pkey PRIMARY KEY (member_id, receiver_id),
  constraint payee_name_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES member(id)
);
CREATE INDEX payee_name_by_receiver ON public.payee_name USING btree (receiver_id);

create table payment_credit (
  payment_id text not null,
  part integer not null,
  amount bigint not null,
  credited_at timestamp with time zone not null,
  transfer_id bigint not null,
  constraint payment_credit_amount_check CHECK ((amount > 0)),
  constraint payment_credit_part_check CHECK ((part > 0)),
  constraint payment_credit_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES provider_payment(payment_id),
  constraint payment_credit_pkey PRIMARY KEY (payment_id, part)
);
CREATE INDEX payment_credit_by_time ON public.payment_credit USING brin (credited_at) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX payment_credit_by_transfer ON public.payment_credit USING btree (transfer_id);

create table payment_notice (
  id bigint not null generated always as identity,
  received_at timestamp with time zone not null,
  payment_id text not null,
  order_id text not null,
  body text not null,
  constraint payment_notice_pkey PRIMARY KEY (id)
);
CREATE INDEX payment_notice_by_age ON public.payment_notice USING btree (received_at);
CREATE INDEX payment_notice_by_order ON public.payment_notice USING btree (order_id);

create table payment_return (
  id bigint not null default nextval('platform_payout_id'::regclass),
  public_id text not null,
  member_id bigint not null,
  deposit text not null,
  asset text not null,
  amount bigint not null,
  network_fee bigint not null,
  received bigint not null,
  settings_version integer not null,
  address text not null,
  created_at timestamp with time zone not null,
  constraint payment_return_address_check CHECK ((address = lower(address))),
  constraint payment_return_asset_check CHECK ((asset = ANY (ARRAY['USD'::text, 'COIN'::text]))),
  constraint payment_return_check CHECK (((received > 0) AND (received = (amount - network_fee)))),
  constraint payment_return_id_check CHECK ((id < 0)),
  constraint payment_return_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint payment_return_network_fee_check CHECK ((network_fee >= 0)),
  constraint payment_return_pkey PRIMARY KEY (id),
  constraint payment_return_public_id_key UNIQUE (public_id)
);
CREATE INDEX payment_return_by_deposit ON public.payment_return USING btree (deposit, id);
CREATE INDEX payment_return_by_member ON public.payment_return USING btree (member_id);
CREATE INDEX payment_return_by_time ON public.payment_return USING brin (created_at) WITH (autosummarize='on', pages_per_range='16');

create table payout_address (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  network integer not null,
  address text not null,
  address_key text not null,
  label text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  usable_from timestamp with time zone,
  removed_at timestamp with time zone,
  challenge text,
  challenge_at timestamp with time zone,
  proven_at timestamp with time zone,
  proven_by text,
  entry_mac bytea,
  constraint payout_address_check CHECK (((confirmed_at IS NULL) = (usable_from IS NULL))),
  constraint payout_address_check1 CHECK (((challenge IS NULL) = (challenge_at IS NULL))),
  constraint payout_address_check2 CHECK (((proven_at IS NULL) = (proven_by IS NULL))),
  constraint payout_address_check3 CHECK ((((confirmed_at IS NULL) AND (proven_at IS NULL)) = (entry_mac IS NULL))),
  constraint payout_address_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint payout_address_network_check CHECK ((network = ANY (ARRAY[0, 1, 2]))),
  constraint payout_address_pkey PRIMARY KEY (id),
  constraint payout_address_proven_by_check CHECK ((proven_by = ANY (ARRAY['key'::text, 'contract'::text]))),
  constraint payout_address_public_id_key UNIQUE (public_id)
);
CREATE INDEX payout_address_by_key ON public.payout_address USING btree (address_key, member_id);
CREATE UNIQUE INDEX payout_address_in_book ON public.payout_address USING btree (member_id, network, address_key) WHERE (removed_at IS NULL);
CREATE INDEX payout_address_signed ON public.payout_address USING btree (id) WHERE (((confirmed_at IS NOT NULL) OR (proven_at IS NOT NULL)) AND (removed_at IS NULL));
CREATE TRIGGER payout_address_ended AFTER UPDATE OF removed_at ON public.payout_address FOR EACH ROW WHEN (((old.removed_at IS NULL) AND (new.removed_at IS NOT NULL))) EXECUTE FUNCTION record_ended_access('address');
CREATE TRIGGER payout_address_to_screen AFTER INSERT ON public.payout_address FOR EACH ROW EXECUTE FUNCTION queue_address_screening();

create table payout_notification (
  id bigint not null generated always as identity,
  request text not null,
  step text not null,
  created_at timestamp with time zone not null,
  constraint payout_notification_pkey PRIMARY KEY (id)
);

create table payout_request (
  id bigint not null generated always as identity,
  public_id text not null,
  kind text not null,
  member_id bigint not null,
  amount bigint not null,
  platform_fee bigint not null,
  network_fee bigint not null,
  received bigint not null,
  address text not null,
  network integer not null,
  status text not null default 'PENDING'::text,
  hold_id bigint not null,
  settings_version integer not null,
  created_at timestamp with time zone not null,
  first_approved_by bigint,
  first_approved_at timestamp with time zone,
  first_mac bytea,
  decided_by bigint,
  decided_at timestamp with time zone,
  reason text,
  tx_hash text,
  confirm_by timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  confirmed_how text,
  step_up_digest text,
  owner_mac bytea not null,
  return_reason text,
  returned_at timestamp with time zone,
  receiver_id bigint,
  transfer_id bigint,
  rule_version integer,
  rule_name text,
  rule_outcome text,
  ceiling_of text,
  ceiling_left bigint,
  ceiling_free_at timestamp with time zone,
  constraint payout_request_amount_check CHECK ((amount > 0)),
  constraint payout_request_ceiling_left_check CHECK ((ceiling_left >= 0)),
  constraint payout_request_ceiling_of_check CHECK ((ceiling_of = ANY (ARRAY['rule'::text, 'member'::text, 'address'::text]))),
  constraint payout_request_check CHECK ((((platform_fee + network_fee) + received) = amount)),
  constraint payout_request_check1 CHECK (((kind = 'transfer'::text) = (receiver_id IS NOT NULL))),
  constraint payout_request_check10 CHECK (((return_reason IS NULL) OR ((status = 'REJECTED'::text) AND (decided_by IS NULL)))),
  constraint payout_request_check11 CHECK (((returned_at IS NULL) OR ((status = 'REJECTED'::text) AND ((decided_by IS NOT NULL) OR (rule_outcome = 'APPROVED'::text)) AND (confirmed_at IS NOT NULL)))),
  constraint payout_request_check12 CHECK ((((rule_name IS NULL) = (rule_outcome IS NULL)) AND ((rule_name IS NULL) OR (rule_version IS NOT NULL)))),
  constraint payout_request_check13 CHECK (((rule_outcome IS DISTINCT FROM 'APPROVED'::text) OR ((decided_by IS NULL) AND (return_reason IS NULL) AND (status <> 'PENDING'::text)))),
  constraint payout_request_check14 CHECK ((((NOT (rule_outcome IS DISTINCT FROM 'CEILING'::text)) = (ceiling_of IS NOT NULL)) AND ((ceiling_of IS NULL) = (ceiling_free_at IS NULL)) AND ((ceiling_left IS NULL) OR (ceiling_of IS NOT NULL)))),
  constraint payout_request_check2 CHECK ((((kind = 'transfer'::text) AND (status = 'APPROVED'::text)) = (transfer_id IS NOT NULL))),
  constraint payout_request_check3 CHECK (((kind <> 'transfer'::text) OR ((decided_by IS NULL) AND (receiver_id <> member_id) AND ((platform_fee + network_fee) = 0)))),
  constraint payout_request_check4 CHECK (((first_approved_by IS DISTINCT FROM decided_by) OR (first_approved_by IS NULL))),
  constraint payout_request_check5 CHECK (((first_approved_by IS NULL) = (first_mac IS NULL))),
  constraint payout_request_check6 CHECK (((decided_by IS DISTINCT FROM member_id) OR (decided_by IS NULL))),
  constraint payout_request_check7 CHECK (((status = 'PENDING'::text) = (decided_at IS NULL))),
  constraint payout_request_check8 CHECK (((confirmed_at IS NULL) = (confirmed_how IS NULL))),
  constraint payout_request_check9 CHECK (((status <> 'APPROVED'::text) OR (confirmed_at IS NOT NULL))),
  constraint payout_request_confirmed_how_check CHECK ((confirmed_how = ANY (ARRAY['book'::text, 'step-up'::text, 'page'::text, 'link'::text]))),
  constraint payout_request_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES member(id),
  constraint payout_request_first_approved_by_fkey FOREIGN KEY (first_approved_by) REFERENCES member(id),
  constraint payout_request_hold_id_key UNIQUE (hold_id),
  constraint payout_request_kind_check CHECK ((kind = ANY (ARRAY['withdrawal'::text, 'bridge'::text, 'transfer'::text]))),
  constraint payout_request_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint payout_request_network_check CHECK ((network = ANY (ARRAY[0, 1, 2]))),
  constraint payout_request_network_fee_check CHECK ((network_fee >= 0)),
  constraint payout_request_pkey PRIMARY KEY (id),
  constraint payout_request_platform_fee_check CHECK ((platform_fee >= 0)),
  constraint payout_request_public_id_key UNIQUE (public_id),
  constraint payout_request_received_check CHECK ((received >= 0)),
  constraint payout_request_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES member(id),
  constraint payout_request_return_reason_check CHECK ((return_reason = ANY (ARRAY['cancelled'::text, 'expired'::text, 'stopped'::text]))),
  constraint payout_request_rule_outcome_check CHECK ((rule_outcome = ANY (ARRAY['APPROVED'::text, 'HELD'::text, 'QUEUED'::text, 'CEILING'::text]))),
  constraint payout_request_rule_version_fkey FOREIGN KEY (rule_version) REFERENCES payout_rules(version),
  constraint payout_request_settings_version_fkey FOREIGN KEY (settings_version) REFERENCES setting(version),
  constraint payout_request_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text])))
);
CREATE INDEX payout_request_by_address ON public.payout_request USING btree (lower(address), member_id);
CREATE INDEX payout_request_by_decider ON public.payout_request USING btree (decided_by, decided_at) WHERE ((first_approved_by IS NULL) AND (decided_by IS NOT NULL));
CREATE INDEX payout_request_by_decision ON public.payout_request USING btree (decided_at) WHERE (decided_at IS NOT NULL);
CREATE INDEX payout_request_by_end ON public.payout_request USING btree (member_id, decided_at);
CREATE INDEX payout_request_by_hash ON public.payout_request USING btree (lower(tx_hash)) WHERE (tx_hash IS NOT NULL);
CREATE INDEX payout_request_by_member ON public.payout_request USING btree (member_id, kind, id DESC);
CREATE INDEX payout_request_by_return ON public.payout_request USING btree (returned_at) WHERE (returned_at IS NOT NULL);
CREATE INDEX payout_request_by_rule ON public.payout_request USING btree (rule_name, id) WHERE (rule_name IS NOT NULL);
CREATE UNIQUE INDEX payout_request_by_step_up ON public.payout_request USING btree (step_up_digest) WHERE (step_up_digest IS NOT NULL);
CREATE INDEX payout_request_by_time ON public.payout_request USING brin (created_at) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX payout_request_decided ON public.payout_request USING btree (kind, id DESC) WHERE ((decided_by IS NOT NULL) OR (rule_outcome = 'APPROVED'::text));
CREATE INDEX payout_request_of_day ON public.payout_request USING btree (member_id, created_at);
CREATE INDEX payout_request_open ON public.payout_request USING btree (id) WHERE ((status = 'PENDING'::text) AND (confirmed_at IS NOT NULL));
CREATE INDEX payout_request_paid ON public.payout_request USING btree (kind, decided_at) WHERE (status = 'APPROVED'::text);
CREATE INDEX payout_request_queue ON public.payout_request USING btree (kind, id) WHERE ((status = 'PENDING'::text) AND (confirmed_at IS NOT NULL));
CREATE INDEX payout_request_unchecked ON public.payout_request USING btree (COALESCE(rule_version, 0), id) WHERE ((status = 'PENDING'::text) AND (confirmed_at IS NOT NULL));
CREATE INDEX payout_request_unconfirmed ON public.payout_request USING btree (confirm_by) WHERE ((status = 'PENDING'::text) AND (confirmed_at IS NULL));
CREATE TRIGGER payout_request_approved_event AFTER UPDATE OF status ON public.payout_request FOR EACH ROW WHEN (((old.status <> 'APPROVED'::text) AND (new.status = 'APPROVED'::text))) EXECUTE FUNCTION record_event('payout.approved');
CREATE TRIGGER payout_request_counted AFTER INSERT ON public.payout_request REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION payout_request_counted();
CREATE TRIGGER payout_request_event AFTER INSERT ON public.payout_request REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION record_new_events('payout.requested');
CREATE TRIGGER payout_request_recounted AFTER UPDATE OF kind, status, amount ON public.payout_request FOR EACH ROW WHEN (((
        CASE
            WHEN (old.kind = 'withdrawal'::text) THEN 'withdrawal'::text
            WHEN (old.kind = 'bridge'::text) THEN 'bridge'::text
            ELSE NULL::text
        END IS DISTINCT FROM
        CASE
            WHEN (new.kind = 'withdrawal'::text) THEN 'withdrawal'::text
            WHEN (new.kind = 'bridge'::text) THEN 'bridge'::text
            ELSE NULL::text
        END) OR (old.status IS DISTINCT FROM new.status) OR (old.amount IS DISTINCT FROM new.amount))) EXECUTE FUNCTION payout_request_recounted();
CREATE TRIGGER payout_request_rejected_event AFTER UPDATE OF status ON public.payout_request FOR EACH ROW WHEN (((old.status <> 'REJECTED'::text) AND (new.status = 'REJECTED'::text))) EXECUTE FUNCTION record_event('payout.rejected');
CREATE TRIGGER payout_request_to_screen AFTER INSERT ON public.payout_request REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION queue_payout_screening();

create table payout_rule_use (
  day timestamp with time zone not null,
  scope text not null,
  subject text not null,
  number integer not null,
  amount bigint not null,
  constraint payout_rule_use_amount_check CHECK ((amount > 0)),
  constraint payout_rule_use_number_check CHECK ((number > 0)),
  constraint payout_rule_use_pkey PRIMARY KEY (day, scope, subject),
  constraint payout_rule_use_scope_check CHECK ((scope = ANY (ARRAY['rule'::text, 'member'::text, 'address'::text])))
);

create table payout_rules (
  version integer not null generated always as identity,
  starts_at timestamp with time zone not null,
  rules text not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  reason text not null,
  rules_mac bytea not null,
  constraint payout_rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES member(id),
  constraint payout_rules_pkey PRIMARY KEY (version)
);
CREATE INDEX payout_rules_in_force ON public.payout_rules USING btree (starts_at DESC, version DESC);
CREATE TRIGGER payout_rules_append_only BEFORE DELETE OR TRUNCATE ON public.payout_rules FOR EACH STATEMENT EXECUTE FUNCTION reject_change();
CREATE TRIGGER payout_rules_fixed BEFORE UPDATE OF version, starts_at, rules, created_at, created_by, reason ON public.payout_rules FOR EACH ROW EXECUTE FUNCTION reject_change();

create table payout_sending (
  request_id bigint not null,
  kind text not null default 'PAYOUT'::text,
  payout_id bigint generated always as (
CASE kind
    WHEN 'PAYOUT'::text THEN request_id
    ELSE NULL::bigint
END) stored,
  cold_move_id bigint generated always as (
CASE kind
    WHEN 'COLD'::text THEN request_id
    ELSE NULL::bigint
END) stored,
  payment_return_id bigint generated always as (
CASE kind
    WHEN 'RETURN'::text THEN request_id
    ELSE NULL::bigint
END) stored,
  proceeds_id bigint generated always as (
CASE kind
    WHEN 'PROCEEDS'::text THEN request_id
    ELSE NULL::bigint
END) stored,
  chain_id bigint not null,
  token text not null,
  to_address text not null,
  exact_amount numeric(78,0) not null,
  approval_mac bytea not null,
  queued_at timestamp with time zone not null,
  state text not null default 'QUEUED'::text,
  wallet text,
  nonce bigint,
  nonce_taken_by text,
  signed_at timestamp with time zone,
  problem text,
  cancel_asked_at timestamp with time zone,
  answer text,
  ended_at timestamp with time zone,
  constraint payout_sending_answer_check CHECK ((answer = ANY (ARRAY['GIVE_BACK'::text, 'ARRIVED'::text]))),
  constraint payout_sending_check CHECK (((kind = ANY (ARRAY['PAYOUT'::text, 'COLD'::text, 'RETURN'::text, 'PROCEEDS'::text])) AND ((kind = 'PAYOUT'::text) = (request_id > 0)))),
  constraint payout_sending_check1 CHECK (((nonce_taken_by IS NULL) OR (state = ANY (ARRAY['SIGNED'::text, 'CANCELLED'::text])))),
  constraint payout_sending_check2 CHECK ((((wallet IS NULL) = (nonce IS NULL)) AND ((nonce IS NULL) = (signed_at IS NULL)))),
  constraint payout_sending_check3 CHECK (((state <> 'QUEUED'::text) OR (nonce IS NULL))),
  constraint payout_sending_check4 CHECK (((state = ANY (ARRAY['QUEUED'::text, 'CANCELLED'::text])) OR (nonce IS NOT NULL))),
  constraint payout_sending_check5 CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['QUEUED'::text, 'SIGNED'::text, 'MINED'::text])))),
  constraint payout_sending_check6 CHECK (((state <> 'CANCELLED'::text) OR (cancel_asked_at IS NOT NULL))),
  constraint payout_sending_cold_move_id_fkey FOREIGN KEY (cold_move_id) REFERENCES cold_move(id),
  constraint payout_sending_exact_amount_check CHECK ((exact_amount > (0)::numeric)),
  constraint payout_sending_nonce_check CHECK ((nonce >= 0)),
  constraint payout_sending_payment_return_id_fkey FOREIGN KEY (payment_return_id) REFERENCES payment_return(id),
  constraint payout_sending_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payout_request(id),
  constraint payout_sending_pkey PRIMARY KEY (request_id),
  constraint payout_sending_proceeds_id_fkey FOREIGN KEY (proceeds_id) REFERENCES proceeds_payout(id),
  constraint payout_sending_state_check CHECK ((state = ANY (ARRAY['QUEUED'::text, 'SIGNED'::text, 'MINED'::text, 'DONE'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint payout_sending_to_address_check CHECK ((to_address = lower(to_address))),
  constraint payout_sending_token_check CHECK ((token = lower(token)))
);
CREATE INDEX payout_sending_by_end ON public.payout_sending USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX payout_sending_nonce ON public.payout_sending USING btree (chain_id, wallet, nonce) WHERE (nonce_taken_by IS NULL);
CREATE INDEX payout_sending_open ON public.payout_sending USING btree (request_id) WHERE (state = ANY (ARRAY['QUEUED'::text, 'SIGNED'::text, 'MINED'::text]));
CREATE UNIQUE INDEX payout_sending_open_cold_move ON public.payout_sending USING btree (token) WHERE ((kind = 'COLD'::text) AND (ended_at IS NULL));
CREATE UNIQUE INDEX payout_sending_open_proceeds ON public.payout_sending USING btree (token) WHERE ((kind = 'PROCEEDS'::text) AND (ended_at IS NULL));
CREATE INDEX payout_sending_signed ON public.payout_sending USING btree (token, signed_at) WHERE (signed_at IS NOT NULL);
CREATE TRIGGER payout_sending_number_stays BEFORE DELETE OR UPDATE OF wallet, nonce ON public.payout_sending FOR EACH ROW EXECUTE FUNCTION keep_payout_number();

create table proceeds_payout (
  id bigint not null default nextval('platform_payout_id'::regclass),
  public_id text not null,
  amount bigint not null,
  address text not null,
  created_at timestamp with time zone not null,
  constraint proceeds_payout_address_check CHECK ((address = lower(address))),
  constraint proceeds_payout_amount_check CHECK ((amount > 0)),
  constraint proceeds_payout_id_check CHECK ((id < 0)),
  constraint proceeds_payout_pkey PRIMARY KEY (id),
  constraint proceeds_payout_public_id_key UNIQUE (public_id)
);

create table programme_simulation (
  id text not null,
  asked_by bigint not null,
  rules text not null,
  first_day date not null,
  last_day date not null,
  input_hash text not null,
  hash text not null,
  made_at timestamp with time zone not null,
  number bigint not null generated always as identity,
  constraint programme_simulation_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES member(id),
  constraint programme_simulation_pkey PRIMARY KEY (id)
);
CREATE INDEX programme_simulation_by_time ON public.programme_simulation USING btree (made_at);
CREATE INDEX programme_simulation_of ON public.programme_simulation USING btree (rules, number DESC);

create table provider_payment (
  payment_id text not null,
  deposit_id bigint not null,
  status text not null,
  pay_currency text not null,
  actually_paid bigint not null,
  paid_text text not null,
  credited_amount bigint not null default 0,
  review_reason text,
  updated_at timestamp with time zone not null,
  reviewed_at timestamp with time zone,
  constraint provider_payment_actually_paid_check CHECK ((actually_paid >= 0)),
  constraint provider_payment_credited_amount_check CHECK ((credited_amount >= 0)),
  constraint provider_payment_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposit(id),
  constraint provider_payment_pkey PRIMARY KEY (payment_id)
);
CREATE INDEX provider_payment_by_deposit ON public.provider_payment USING btree (deposit_id);
CREATE INDEX provider_payment_open_review ON public.provider_payment USING btree (deposit_id) WHERE ((review_reason IS NOT NULL) AND (reviewed_at IS NULL));
CREATE INDEX provider_payment_to_review ON public.provider_payment USING btree (updated_at) WHERE (review_reason IS NOT NULL);

create table provider_scan (
  one boolean not null default true,
  scanned_at timestamp with time zone not null,
  listed_to timestamp with time zone not null,
  month_at timestamp with time zone not null,
  unknown text[] not null,
  missing text[] not null,
  constraint provider_scan_one_check CHECK (one),
  constraint provider_scan_pkey PRIMARY KEY (one)
);

create table rate_limit (
  key text not null,
  window_start timestamp with time zone not null,
  hits integer not null,
  constraint rate_limit_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limit_by_age ON public.rate_limit USING btree (window_start);

create table recovery_code (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  salt bytea not null,
  code_digest text not null,
  created_at timestamp with time zone not null,
  constraint recovery_code_member_id_code_digest_key UNIQUE (member_id, code_digest),
  constraint recovery_code_member_id_fkey FOREIGN KEY (member_id) REFERENCES second_factor(member_id) ON DELETE CASCADE,
  constraint recovery_code_pkey PRIMARY KEY (id),
  constraint recovery_code_public_id_key UNIQUE (public_id)
);
CREATE TRIGGER recovery_code_ended AFTER DELETE ON public.recovery_code FOR EACH ROW EXECUTE FUNCTION record_ended_access('recovery-code');

create table refresh_token (
  id bigint not null generated always as identity,
  session_id bigint not null,
  token_digest text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint refresh_token_pkey PRIMARY KEY (id),
  constraint refresh_token_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id),
  constraint refresh_token_token_digest_key UNIQUE (token_digest)
);
CREATE INDEX refresh_token_by_age ON public.refresh_token USING btree (created_at);
CREATE INDEX refresh_token_by_session ON public.refresh_token USING btree (session_id);

create table registration_attempt (
  id bigint not null generated always as identity,
  email text not null,
  name text not null,
  phone text not null,
  password_hash text not null,
  sponsor_id bigint,
  token_digest text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  language text,
  constraint registration_attempt_pkey PRIMARY KEY (id),
  constraint registration_attempt_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES member(id),
  constraint registration_attempt_token_digest_key UNIQUE (token_digest)
);
CREATE INDEX registration_attempt_by_email ON public.registration_attempt USING btree (email, created_at);
CREATE INDEX registration_attempt_by_end ON public.registration_attempt USING btree (expires_at);

create table reset_request (
  id bigint not null generated always as identity,
  email text not null,
  ip text not null,
  request_id text not null,
  created_at timestamp with time zone not null,
  handled_at timestamp with time zone,
  constraint reset_request_pkey PRIMARY KEY (id)
);
CREATE INDEX reset_request_by_age ON public.reset_request USING btree ((
CASE
    WHEN (handled_at IS NOT NULL) THEN created_at
    ELSE NULL::timestamp with time zone
END));
CREATE INDEX reset_request_open ON public.reset_request USING btree (id) WHERE (handled_at IS NULL);

create table return_request (
  id bigint not null generated always as identity,
  deposit_id bigint not null,
  asset text not null,
  address text not null,
  requested_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint return_request_address_check CHECK ((address = lower(address))),
  constraint return_request_asset_check CHECK ((asset = ANY (ARRAY['USD'::text, 'COIN'::text]))),
  constraint return_request_check CHECK ((closed_at >= requested_at)),
  constraint return_request_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES deposit(id),
  constraint return_request_pkey PRIMARY KEY (id)
);
CREATE INDEX return_request_by_deposit ON public.return_request USING btree (deposit_id);
CREATE UNIQUE INDEX return_request_open ON public.return_request USING btree (deposit_id, asset) WHERE (closed_at IS NULL);

create table reward_accrual (
  run_id bigint not null,
  stream smallint not null,
  source_id bigint not null,
  member_id bigint not null,
  ordinal integer not null,
  programme_version integer not null,
  amount bigint not null,
  due_at timestamp with time zone not null,
  constraint reward_accrual_amount_check CHECK ((amount > 0)),
  constraint reward_accrual_ordinal_check CHECK ((ordinal > 0)),
  constraint reward_accrual_stream_check CHECK ((stream = ANY (ARRAY[0, 1, 2])))
);
CREATE INDEX reward_accrual_by_run ON public.reward_accrual USING brin (run_id) WITH (autosummarize='on');
CREATE UNIQUE INDEX reward_accrual_once ON public.reward_accrual USING btree (member_id, stream, due_at, source_id);

create table reward_counter (
  member_id bigint not null,
  kind text not null,
  status text not null,
  rows bigint not null,
  amount bigint not null,
  constraint reward_counter_pkey PRIMARY KEY (member_id, kind, status)
) with (fillfactor=80);

create table reward_coverage_version (
  asset text not null,
  version bigint not null default 0,
  constraint reward_coverage_version_asset_check CHECK ((asset = ANY (ARRAY['COIN'::text, 'USD'::text]))),
  constraint reward_coverage_version_pkey PRIMARY KEY (asset)
) with (fillfactor=50);
-- row {"asset": "COIN", "version": 0}
-- row {"asset": "USD", "version": 0}

create table reward_credit (
  run_id bigint not null,
  stream smallint not null,
  member_id bigint not null,
  sponsor_id bigint not null,
  eligible boolean not null,
  n0 integer not null,
  n1 integer not null,
  n2 integer not null,
  n3 integer not null,
  n4 integer not null,
  n5 integer not null,
  daily bigint not null,
  b1 bigint not null,
  b2 bigint not null,
  b3 bigint not null,
  b4 bigint not null,
  b5 bigint not null,
  amount bigint not null,
  constraint reward_credit_check CHECK (((amount >= 0) AND (amount = (((((daily + b1) + b2) + b3) + b4) + b5))))
);
CREATE INDEX reward_credit_below ON public.reward_credit USING btree (run_id, stream, sponsor_id, member_id);
CREATE UNIQUE INDEX reward_credit_by_member ON public.reward_credit USING btree (member_id, stream, run_id);

create table reward_day (
  day date not null,
  status text not null,
  runs integer not null default 0,
  accruals bigint not null default 0,
  total_coin bigint not null default 0,
  total_usd bigint not null default 0,
  hash text,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint reward_day_pkey PRIMARY KEY (day),
  constraint reward_day_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'DONE'::text])))
);
CREATE TRIGGER reward_day_event AFTER UPDATE OF status ON public.reward_day FOR EACH ROW WHEN (((old.status <> 'DONE'::text) AND (new.status = 'DONE'::text))) EXECUTE FUNCTION record_day_event('reward-day.paid');

create table reward_earned_progress (
  one boolean not null default true,
  run_id bigint not null default 0,
  stream smallint not null default 0,
  sponsor_id bigint not null default 0,
  member_id bigint not null default 0,
  constraint reward_earned_progress_one_check CHECK (one),
  constraint reward_earned_progress_pkey PRIMARY KEY (one)
);
-- row {"one": true, "run_id": 0, "stream": 0, "member_id": 0, "sponsor_id": 0}

create table reward_halt (
  id bigint not null generated always as identity,
  behind_since date not null,
  automatic_through date not null,
  noticed_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint reward_halt_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX reward_halt_single ON public.reward_halt USING btree ((true)) WHERE (ended_at IS NULL);

create table reward_instant (
  id bigint not null generated always as identity,
  kind text not null,
  beneficiary_id bigint not null,
  source_member_id bigint,
  cause_type text not null,
  cause_id bigint not null,
  level smallint not null,
  base bigint not null,
  percent bigint,
  amount bigint not null,
  reversed bigint not null default 0,
  asset text not null,
  programme_version integer not null,
  rank text,
  status text not null,
  created_at timestamp with time zone not null,
  release_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  transfer_id bigint,
  in_counters boolean not null default false,
  base_returned bigint not null default 0,
  is_liability boolean not null default true,
  cancel_reason text,
  cause_public_id text,
  cause_amount bigint,
  new_money bigint,
  unearned_reason text,
  constraint reward_instant_amount_check CHECK ((amount >= 0)),
  constraint reward_instant_asset_check CHECK ((asset = ANY (ARRAY['COIN'::text, 'USD'::text]))),
  constraint reward_instant_check CHECK (((reversed >= 0) AND (reversed <= amount))),
  constraint reward_instant_check1 CHECK (((new_money IS NULL) OR ((new_money > 0) AND (kind = 'referral'::text)))),
  constraint reward_instant_check2 CHECK (((status = ANY (ARRAY['reversed'::text, 'unearned'::text])) = (reversed = amount))),
  constraint reward_instant_check3 CHECK ((((status = 'unearned'::text) = (amount = 0)) AND ((status = 'unearned'::text) = (unearned_reason IS NOT NULL)))),
  constraint reward_instant_check4 CHECK (((base_returned >= 0) AND (base_returned <= base))),
  constraint reward_instant_check5 CHECK ((cause_type =
CASE kind
    WHEN 'referral'::text THEN 'coin_purchase'::text
    WHEN 'rank'::text THEN 'rank'::text
    ELSE 'source'::text
END)),
  constraint reward_instant_kind_check CHECK ((kind = ANY (ARRAY['referral'::text, 'level'::text, 'nft-level'::text, 'rank'::text]))),
  constraint reward_instant_level_check CHECK (((level >= 0) AND (level <= 5))),
  constraint reward_instant_pkey PRIMARY KEY (id),
  constraint reward_instant_status_check CHECK ((status = ANY (ARRAY['held'::text, 'owed'::text, 'paid'::text, 'reversed'::text, 'unearned'::text]))),
  constraint reward_instant_unearned_reason_check CHECK ((unearned_reason = ANY (ARRAY['no-share'::text, 'no-new-money'::text, 'not-entitled'::text, 'too-small'::text])))
);
CREATE INDEX reward_instant_by_member ON public.reward_instant USING btree (beneficiary_id, kind, id DESC);
CREATE INDEX reward_instant_by_payment ON public.reward_instant USING btree (settled_at) WHERE (settled_at IS NOT NULL);
CREATE INDEX reward_instant_by_time ON public.reward_instant USING brin (created_at, release_at) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX reward_instant_due ON public.reward_instant USING btree (release_at, id) WHERE (status = ANY (ARRAY['held'::text, 'owed'::text]));
CREATE INDEX reward_instant_held_of ON public.reward_instant USING btree (source_member_id, id DESC) WHERE ((status = 'held'::text) AND (kind = 'referral'::text));
CREATE INDEX reward_instant_not_in_counters ON public.reward_instant USING btree (beneficiary_id, kind) WHERE (NOT in_counters);
CREATE UNIQUE INDEX reward_instant_once ON public.reward_instant USING btree (cause_id, kind, beneficiary_id, level);
CREATE INDEX reward_instant_open ON public.reward_instant USING btree (beneficiary_id, release_at) WHERE (status = ANY (ARRAY['held'::text, 'owed'::text]));
CREATE INDEX reward_instant_owed ON public.reward_instant USING btree (asset) WHERE (status = 'owed'::text);
CREATE INDEX reward_instant_paid ON public.reward_instant USING btree (beneficiary_id, kind, settled_at DESC, id DESC) WHERE (settled_at IS NOT NULL);

create table reward_liability (
  day date not null,
  kind text not null,
  amount bigint not null,
  constraint reward_liability_pkey PRIMARY KEY (day, kind)
) with (fillfactor=80);

create table reward_liability_pending (
  id bigint not null generated always as identity,
  kind text not null,
  step text not null,
  starts_at timestamp with time zone not null,
  steps integer not null,
  amount bigint not null,
  run_id bigint,
  constraint reward_liability_pending_pkey PRIMARY KEY (id),
  constraint reward_liability_pending_step_check CHECK ((step = ANY (ARRAY['day'::text, 'month'::text]))),
  constraint reward_liability_pending_steps_check CHECK ((steps > 0))
);

create table reward_month (
  member_id bigint not null,
  month date not null,
  kind text not null,
  amount bigint not null,
  constraint reward_month_amount_check CHECK ((amount > 0)),
  constraint reward_month_pkey PRIMARY KEY (member_id, month, kind)
) with (fillfactor=80);

create table reward_partition (
  run_id bigint not null,
  part text not null,
  number integer not null,
  low bigint not null,
  high bigint not null,
  done boolean not null default false,
  accruals bigint not null default 0,
  first_due timestamp with time zone,
  last_due timestamp with time zone,
  constraint reward_partition_part_check CHECK ((part = ANY (ARRAY['accruals'::text, 'credits'::text]))),
  constraint reward_partition_pkey PRIMARY KEY (run_id, part, number),
  constraint reward_partition_run_id_fkey FOREIGN KEY (run_id) REFERENCES reward_run(id)
);

create table reward_payment (
  run_id bigint not null,
  stream smallint not null,
  credits bigint not null,
  total bigint not null,
  paid_credits bigint not null default 0,
  paid bigint not null default 0,
  taken bigint not null default 0,
  fell_short bigint not null default 0,
  cursor_sponsor bigint not null default '-1'::integer,
  cursor_member bigint not null default 0,
  constraint reward_payment_check CHECK (((paid <= taken) AND (taken <= total))),
  constraint reward_payment_check1 CHECK (((fell_short >= 0) AND (fell_short <= total))),
  constraint reward_payment_pkey PRIMARY KEY (run_id, stream),
  constraint reward_payment_run_id_fkey FOREIGN KEY (run_id) REFERENCES reward_run(id)
);
CREATE INDEX reward_payment_open ON public.reward_payment USING btree (stream, run_id) WHERE (paid < total);

create table reward_payment_claim (
  run_id bigint not null,
  stream smallint not null,
  shard integer not null,
  after_sponsor bigint not null,
  after_member bigint not null,
  last_sponsor bigint not null,
  last_member bigint not null,
  members integer not null,
  total bigint not null,
  constraint reward_payment_claim_pkey PRIMARY KEY (run_id, stream, shard),
  constraint reward_payment_claim_run_id_stream_fkey FOREIGN KEY (run_id, stream) REFERENCES reward_payment(run_id, stream),
  constraint reward_payment_claim_shard_check CHECK ((shard > 0)),
  constraint reward_payment_claim_total_check CHECK ((total > 0))
);

create table reward_policy (
  id bigint not null generated always as identity,
  committed_coin bigint not null,
  committed_usd bigint not null,
  reason text not null,
  created_by bigint,
  created_at timestamp with time zone not null,
  constraint reward_policy_committed_coin_check CHECK ((committed_coin >= 0)),
  constraint reward_policy_committed_usd_check CHECK ((committed_usd >= 0)),
  constraint reward_policy_pkey PRIMARY KEY (id)
);
CREATE TRIGGER reward_policy_append_only BEFORE DELETE OR UPDATE ON public.reward_policy FOR EACH ROW EXECUTE FUNCTION reject_change();
-- row {"id": 1, "reason": "Opening policy", "created_at": "2000-01-01T00:00:00+00:00", "created_by": null, "committed_usd": 0, "committed_coin": 0}

create table reward_programme (
  version integer not null,
  starts_at timestamp with time zone not null,
  referral_percent bigint not null,
  level_percents bigint[] not null,
  bounty_percents bigint[] not null,
  stake_log_level_percents bigint[] not null,
  stake_log_bounty_percents bigint[] not null,
  nft_level_percents bigint[] not null,
  nft_bounty_percents bigint[] not null,
  ranks jsonb not null,
  reason text not null,
  created_by bigint,
  created_at timestamp with time zone not null,
  full_level_share_days integer not null default 365,
  constraint reward_programme_full_level_share_days_check CHECK (((full_level_share_days >= 1) AND (full_level_share_days <= 36500))),
  constraint reward_programme_pkey PRIMARY KEY (version),
  constraint reward_programme_version_check CHECK ((version > 0))
);
CREATE INDEX reward_programme_by_start ON public.reward_programme USING btree (starts_at DESC, version DESC);
CREATE TRIGGER reward_programme_append_only BEFORE DELETE OR UPDATE ON public.reward_programme FOR EACH ROW EXECUTE FUNCTION reject_change();
-- row {"ranks": [{"rank": "bronze", "bonus": "50000000000", "teamStake": "10000000000000"}, {"rank": "silver", "bonus": "250000000000", "teamStake": "50000000000000"}, {"rank": "gold", "bonus": "500000000000", "teamStake": "100000000000000"}, {"rank": "platinum", "bonus": "2500000000000", "teamStake": "500000000000000"}, {"rank": "diamond", "bonus": "5000000000000", "teamStake": "1000000000000000"}], "reason": "Opening programme", "version": 1, "starts_at": "2000-01-01T00:00:00+00:00", "created_at": "2000-01-01T00:00:00+00:00", "created_by": null, "level_percents": [500000000, 300000000, 200000000, 100000000, 100000000], "bounty_percents": [1000000000, 500000000, 300000000, 200000000, 100000000], "referral_percent": 500000000, "nft_level_percents": [500000000, 300000000, 200000000, 100000000, 100000000], "nft_bounty_percents": [1000000000, 500000000, 300000000, 200000000, 100000000], "full_level_share_days": 365, "stake_log_level_percents": [500000000, 300000000, 200000000, 100000000, 100000000], "stake_log_bounty_percents": [1000000000, 500000000, 300000000, 200000000, 100000000]}

create table reward_rank_bonus (
  member_id bigint not null,
  rank text not null,
  programme_version integer not null,
  team_stake bigint not null,
  bonus bigint not null,
  filled bigint not null,
  started_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint reward_rank_bonus_bonus_check CHECK ((bonus > 0)),
  constraint reward_rank_bonus_check CHECK (((filled >= 1) AND (filled <= bonus))),
  constraint reward_rank_bonus_check1 CHECK (((completed_at IS NOT NULL) = (filled = bonus))),
  constraint reward_rank_bonus_pkey PRIMARY KEY (member_id, rank)
);
CREATE INDEX reward_rank_bonus_open ON public.reward_rank_bonus USING btree (member_id) WHERE (completed_at IS NULL);

create table reward_rank_share (
  source_id bigint not null,
  member_id bigint not null,
  rank text not null,
  amount bigint not null,
  at timestamp with time zone not null,
  constraint reward_rank_share_amount_check CHECK ((amount > 0)),
  constraint reward_rank_share_pkey PRIMARY KEY (source_id, member_id, rank)
);
CREATE INDEX reward_rank_share_by_bonus ON public.reward_rank_share USING btree (member_id, rank);
CREATE INDEX reward_rank_share_by_time ON public.reward_rank_share USING brin (at) WITH (autosummarize='on');

create table reward_run (
  id bigint not null generated always as identity,
  day date not null,
  through timestamp with time zone not null,
  status text not null,
  accruals bigint not null default 0,
  first_due timestamp with time zone,
  last_due timestamp with time zone,
  hash text,
  by_hand boolean not null,
  started_by text,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  is_small boolean not null default false,
  written_through timestamp with time zone,
  seen_source bigint,
  newest_source bigint,
  constraint reward_run_check CHECK (((NOT is_small) OR (written_through IS NOT NULL))),
  constraint reward_run_check1 CHECK ((((written_through IS NULL) = (seen_source IS NULL)) AND ((written_through IS NULL) = (newest_source IS NULL)))),
  constraint reward_run_day_fkey FOREIGN KEY (day) REFERENCES reward_day(day),
  constraint reward_run_pkey PRIMARY KEY (id),
  constraint reward_run_status_check CHECK ((status = ANY (ARRAY['RECORDING'::text, 'PAY'::text, 'DONE'::text])))
);
CREATE INDEX reward_run_by_day ON public.reward_run USING btree (day, id);
CREATE INDEX reward_run_by_end ON public.reward_run USING btree (COALESCE(finished_at, 'infinity'::timestamp with time zone));
CREATE UNIQUE INDEX reward_run_single ON public.reward_run USING btree ((true)) WHERE (status = 'RECORDING'::text);
CREATE INDEX reward_run_unpaid ON public.reward_run USING btree (id) WHERE (status = 'PAY'::text);

create table reward_sent_coin (
  payout_id bigint not null,
  reward_id bigint not null,
  coin bigint not null,
  constraint reward_sent_coin_coin_check CHECK ((coin > 0)),
  constraint reward_sent_coin_pkey PRIMARY KEY (payout_id, reward_id)
);
CREATE INDEX reward_sent_coin_by_reward ON public.reward_sent_coin USING btree (reward_id);

create table reward_simulation (
  simulation text not null,
  member_id bigint not null,
  kind text not null,
  before bigint not null,
  after bigint not null,
  begun_at timestamp with time zone not null,
  constraint reward_simulation_pkey PRIMARY KEY (simulation, member_id, kind)
);
CREATE INDEX reward_simulation_by_time ON public.reward_simulation USING btree (begun_at);

create table reward_source (
  id bigint not null generated always as identity,
  stream smallint not null,
  public_id text not null,
  label text not null,
  member_id bigint not null,
  principal bigint not null,
  percent bigint not null,
  amount bigint not null,
  bounty bigint not null,
  steps integer not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null generated always as ((((starts_at AT TIME ZONE 'UTC'::text) + ((steps)::double precision *
CASE
    WHEN (stream = 2) THEN '1 mon'::interval
    ELSE '1 day'::interval
END)) AT TIME ZONE 'UTC'::text)) stored,
  programme_version integer not null,
  processed integer not null default 0,
  distributed bigint not null default 0,
  distributed_at timestamp with time zone,
  reversed_at timestamp with time zone,
  rank_budget bigint not null default 0,
  rank_settled_at timestamp with time zone,
  is_imported boolean not null default false,
  constraint reward_source_amount_check CHECK ((amount >= 0)),
  constraint reward_source_bounty_check CHECK ((bounty >= 0)),
  constraint reward_source_check CHECK (((rank_budget >= 0) AND ((stream < 2) OR (rank_budget = 0)))),
  constraint reward_source_check1 CHECK (((NOT is_imported) OR (rank_budget = 0))),
  constraint reward_source_check2 CHECK (((rank_settled_at IS NULL) OR ((rank_budget > 0) AND (reversed_at IS NULL)))),
  constraint reward_source_check3 CHECK (((processed >= 0) AND (processed <= steps))),
  constraint reward_source_check4 CHECK (((stream = 2) OR ((distributed = 0) AND (distributed_at IS NULL)))),
  constraint reward_source_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint reward_source_percent_check CHECK ((percent >= 0)),
  constraint reward_source_pkey PRIMARY KEY (id),
  constraint reward_source_principal_check CHECK ((principal > 0)),
  constraint reward_source_programme_version_fkey FOREIGN KEY (programme_version) REFERENCES reward_programme(version),
  constraint reward_source_public_id_key UNIQUE (public_id),
  constraint reward_source_steps_check CHECK ((steps > 0)),
  constraint reward_source_stream_check CHECK ((stream = ANY (ARRAY[0, 1, 2])))
) with (fillfactor=48);
CREATE INDEX reward_source_by_member ON public.reward_source USING btree (member_id, ends_at);
CREATE INDEX reward_source_by_reversal ON public.reward_source USING btree (reversed_at) WHERE (reversed_at IS NOT NULL);
CREATE INDEX reward_source_by_start ON public.reward_source USING brin (starts_at) WITH (autosummarize='on', pages_per_range='16');
CREATE INDEX reward_source_by_time ON public.reward_source USING btree ((((starts_at AT TIME ZONE 'UTC'::text))::time without time zone));

create table reward_watermark (
  one boolean not null default true,
  written_through timestamp with time zone,
  seen_source bigint not null default 0,
  ranked_version integer not null default 1,
  constraint reward_watermark_one_check CHECK (one),
  constraint reward_watermark_pkey PRIMARY KEY (one)
);
-- row {"one": true, "seen_source": 0, "ranked_version": 1, "written_through": null}

create table reward_week (
  member_id bigint not null,
  starts_on date not null,
  kind text not null,
  amount bigint not null,
  constraint reward_week_pkey PRIMARY KEY (member_id, starts_on, kind)
) with (fillfactor=80);

create table saved_reply (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  text text not null,
  tags text[] not null default '{}'::text[],
  uses integer not null default 0,
  written_by bigint not null,
  updated_at timestamp with time zone not null,
  dropped_at timestamp with time zone,
  constraint saved_reply_pkey PRIMARY KEY (id),
  constraint saved_reply_public_id_key UNIQUE (public_id),
  constraint saved_reply_written_by_fkey FOREIGN KEY (written_by) REFERENCES member(id)
);
CREATE INDEX saved_reply_kept ON public.saved_reply USING btree (uses DESC, id) WHERE (dropped_at IS NULL);

create table saved_segment (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  criteria jsonb not null,
  saved_by bigint not null,
  saved_at timestamp with time zone not null,
  constraint saved_segment_name_check CHECK ((name <> ''::text)),
  constraint saved_segment_pkey PRIMARY KEY (id),
  constraint saved_segment_public_id_key UNIQUE (public_id),
  constraint saved_segment_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES member(id)
);
CREATE UNIQUE INDEX saved_segment_by_name ON public.saved_segment USING btree (lower(name));

create table screening_entry (
  list_id bigint not null,
  source text not null,
  reference text not null,
  name text not null,
  listed_on date,
  constraint screening_entry_list_id_fkey FOREIGN KEY (list_id) REFERENCES screening_list(id),
  constraint screening_entry_pkey PRIMARY KEY (list_id, source, reference)
);

create table screening_hit (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  kind text not null,
  key text not null,
  source text not null,
  reference text not null,
  listed_name text not null,
  listed_on date,
  cause text not null,
  found_at timestamp with time zone not null,
  verdict text,
  decided_at timestamp with time zone,
  constraint screening_hit_cause_check CHECK ((cause = ANY (ARRAY['list'::text, 'name'::text, 'address'::text, 'payout'::text]))),
  constraint screening_hit_check CHECK (((verdict IS NULL) = (decided_at IS NULL))),
  constraint screening_hit_kind_check CHECK ((kind = ANY (ARRAY['name'::text, 'address'::text]))),
  constraint screening_hit_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint screening_hit_member_id_kind_key_source_reference_key UNIQUE (member_id, kind, key, source, reference),
  constraint screening_hit_pkey PRIMARY KEY (id),
  constraint screening_hit_public_id_key UNIQUE (public_id),
  constraint screening_hit_verdict_check CHECK ((verdict = ANY (ARRAY['same'::text, 'different'::text])))
);
CREATE INDEX screening_hit_by_verdict ON public.screening_hit USING btree (COALESCE(verdict, 'open'::text), id DESC);

create table screening_key (
  list_id bigint not null,
  kind text not null,
  key text not null,
  source text not null,
  reference text not null,
  constraint screening_key_kind_check CHECK ((kind = ANY (ARRAY['name'::text, 'address'::text]))),
  constraint screening_key_list_id_fkey FOREIGN KEY (list_id) REFERENCES screening_list(id),
  constraint screening_key_pkey PRIMARY KEY (list_id, kind, key, source, reference)
);

create table screening_list (
  id bigint not null generated always as identity,
  hash text not null,
  status text not null,
  entries integer not null,
  staged_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  address_cursor text not null default ''::text,
  member_cursor bigint not null default 0,
  constraint screening_list_check CHECK (((status <> 'ACTIVE'::text) OR (activated_at IS NOT NULL))),
  constraint screening_list_pkey PRIMARY KEY (id),
  constraint screening_list_status_check CHECK ((status = ANY (ARRAY['STAGED'::text, 'ACTIVE'::text, 'REPLACED'::text])))
);
CREATE UNIQUE INDEX screening_list_current ON public.screening_list USING btree (status) WHERE (status <> 'REPLACED'::text);

create table screening_task (
  id bigint not null generated always as identity,
  member_id bigint not null,
  cause text not null,
  address text,
  constraint screening_task_cause_check CHECK ((cause = ANY (ARRAY['name'::text, 'address'::text, 'payout'::text]))),
  constraint screening_task_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint screening_task_pkey PRIMARY KEY (id)
);
CREATE INDEX screening_task_by_member ON public.screening_task USING btree (member_id);

create table second_factor (
  member_id bigint not null,
  encrypted_secret bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint second_factor_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint second_factor_pkey PRIMARY KEY (member_id)
);
CREATE TRIGGER second_factor_ended AFTER DELETE ON public.second_factor FOR EACH ROW WHEN ((old.confirmed_at IS NOT NULL)) EXECUTE FUNCTION record_ended_factor();

create table sell_request (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  amount bigint not null,
  lowest_price bigint not null,
  sold bigint not null default 0,
  received bigint not null default 0,
  status text not null default 'OPEN'::text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint sell_request_amount_check CHECK ((amount > 0)),
  constraint sell_request_check CHECK (((sold >= 0) AND (sold <= amount))),
  constraint sell_request_check1 CHECK ((expires_at > created_at)),
  constraint sell_request_check2 CHECK (((status = 'OPEN'::text) = (closed_at IS NULL))),
  constraint sell_request_check3 CHECK (((status = 'SOLD'::text) = (sold = amount))),
  constraint sell_request_lowest_price_check CHECK ((lowest_price > 0)),
  constraint sell_request_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint sell_request_pkey PRIMARY KEY (id),
  constraint sell_request_public_id_key UNIQUE (public_id),
  constraint sell_request_received_check CHECK ((received >= 0)),
  constraint sell_request_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'SOLD'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])))
);
CREATE INDEX sell_request_by_member ON public.sell_request USING btree (member_id, id DESC);
CREATE INDEX sell_request_open ON public.sell_request USING btree (id) WHERE (status = 'OPEN'::text);
CREATE UNIQUE INDEX sell_request_open_by_member ON public.sell_request USING btree (member_id) WHERE (status = 'OPEN'::text);

create table sell_request_sale (
  transfer_id bigint not null,
  request_id bigint not null,
  constraint sell_request_sale_pkey PRIMARY KEY (transfer_id),
  constraint sell_request_sale_request_id_fkey FOREIGN KEY (request_id) REFERENCES sell_request(id)
);
CREATE INDEX sell_request_sale_by_request ON public.sell_request_sale USING btree (request_id);

create table session (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  idle_seconds integer not null,
  expires_at timestamp with time zone not null,
  ip text not null,
  user_agent text not null,
  device text not null,
  device_id bigint,
  ended_at timestamp with time zone,
  end_reason text,
  second_factor_at timestamp with time zone,
  address_proved boolean not null default false,
  awaits_code boolean not null default false,
  time_zone text,
  network text,
  constraint session_device_id_fkey FOREIGN KEY (device_id) REFERENCES known_device(id) ON DELETE SET NULL,
  constraint session_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint session_pkey PRIMARY KEY (id),
  constraint session_public_id_key UNIQUE (public_id)
);
CREATE INDEX session_by_device ON public.session USING btree (device_id);
CREATE INDEX session_by_end ON public.session USING btree ((
CASE
    WHEN (ended_at < expires_at) THEN ended_at
    ELSE expires_at
END));
CREATE INDEX session_by_member ON public.session USING btree (member_id, id DESC);
CREATE INDEX session_by_network ON public.session USING btree (network, member_id);
CREATE INDEX session_live_by_member ON public.session USING btree (member_id, id) WHERE (ended_at IS NULL);

create table setting (
  version integer not null generated always as identity,
  starts_at timestamp with time zone not null,
  coin_price bigint not null,
  min_coin bigint not null,
  max_coin bigint not null,
  convert_rate bigint not null,
  buy_price bigint not null,
  sell_price bigint not null,
  buy_rate bigint not null,
  exchange_limit bigint not null,
  exchange_cooldown_hours integer not null,
  platform_fee_percent bigint not null,
  network_fee_percent bigint not null,
  bridge_fee_percent bigint not null,
  bridge_minimum bigint not null,
  buy_token_credit_wallet text not null,
  reward_hold_days integer not null,
  four_eyes_above_usd bigint not null,
  four_eyes_above_coin bigint not null,
  allowed_email_domains text[],
  created_at timestamp with time zone not null,
  created_by bigint,
  reason text not null,
  open_invoices integer not null default 5,
  payout_confirm_hours integer not null default 24,
  address_delay_hours integer not null default 24,
  payout_hold_hours integer not null default 24,
  proven_delay_hours integer not null default 720,
  payout_target_hours integer not null default 8,
  deposit_target_hours integer not null default 24,
  change_target_hours integer not null default 48,
  answer_target_hours integer not null default 4,
  payout_day_count integer not null default 20,
  unconfirmed_transfer_day_usd bigint not null default '10000000000'::bigint,
  payout_day_usd bigint not null default '5000000000000'::bigint,
  payout_day_coin bigint not null default '500000000000000'::bigint,
  proof_above_usd bigint not null default '100000000000000000'::bigint,
  proof_above_coin bigint not null default '100000000000000000'::bigint,
  payout_day_total_usd bigint not null default '25000000000000'::bigint,
  payout_day_total_coin bigint not null default '2500000000000000'::bigint,
  bound_warning_percent bigint not null default 500000000,
  reversal_days integer not null default 30,
  personal_pages_per_hour integer not null default 600,
  reveals_per_hour integer not null default 60,
  constraint setting_address_delay_hours_check CHECK (((address_delay_hours >= 0) AND (address_delay_hours <= 720))),
  constraint setting_answer_target_hours_check CHECK (((answer_target_hours >= 1) AND (answer_target_hours <= 720))),
  constraint setting_bound_warning_percent_check CHECK (((bound_warning_percent >= 0) AND (bound_warning_percent <= '10000000000'::bigint))),
  constraint setting_bridge_fee_percent_check CHECK (((bridge_fee_percent >= 0) AND (bridge_fee_percent <= '10000000000'::bigint))),
  constraint setting_bridge_minimum_check CHECK ((bridge_minimum >= 0)),
  constraint setting_buy_token_credit_wallet_check CHECK ((buy_token_credit_wallet = ANY (ARRAY['newIcoWallet'::text, 'icoWallet'::text, 'nativeWallet'::text]))),
  constraint setting_change_target_hours_check CHECK (((change_target_hours >= 1) AND (change_target_hours <= 720))),
  constraint setting_check CHECK ((max_coin >= min_coin)),
  constraint setting_check1 CHECK (((platform_fee_percent + network_fee_percent) <= '10000000000'::bigint)),
  constraint setting_check2 CHECK ((convert_rate >= coin_price)),
  constraint setting_check3 CHECK (((buy_price >= coin_price) AND (sell_price <= coin_price) AND (buy_rate >= convert_rate))),
  constraint setting_coin_price_check CHECK ((coin_price > 0)),
  constraint setting_deposit_target_hours_check CHECK (((deposit_target_hours >= 1) AND (deposit_target_hours <= 720))),
  constraint setting_exchange_cooldown_hours_check CHECK ((exchange_cooldown_hours >= 0)),
  constraint setting_exchange_limit_check CHECK (((exchange_limit >= 0) AND (exchange_limit <= '10000000000'::bigint))),
  constraint setting_four_eyes_above_coin_check CHECK ((four_eyes_above_coin >= 0)),
  constraint setting_four_eyes_above_usd_check CHECK ((four_eyes_above_usd >= 0)),
  constraint setting_min_coin_check CHECK ((min_coin > 0)),
  constraint setting_network_fee_percent_check CHECK ((network_fee_percent >= 0)),
  constraint setting_open_invoices_check CHECK (((open_invoices >= 1) AND (open_invoices <= 100))),
  constraint setting_payout_confirm_hours_check CHECK (((payout_confirm_hours >= 1) AND (payout_confirm_hours <= 168))),
  constraint setting_payout_day_coin_check CHECK ((payout_day_coin > 0)),
  constraint setting_payout_day_count_check CHECK (((payout_day_count >= 1) AND (payout_day_count <= 1000))),
  constraint setting_payout_day_total_coin_check CHECK ((payout_day_total_coin > 0)),
  constraint setting_payout_day_total_usd_check CHECK ((payout_day_total_usd > 0)),
  constraint setting_payout_day_usd_check CHECK ((payout_day_usd > 0)),
  constraint setting_payout_hold_hours_check CHECK (((payout_hold_hours >= 0) AND (payout_hold_hours <= 720))),
  constraint setting_payout_target_hours_check CHECK (((payout_target_hours >= 1) AND (payout_target_hours <= 720))),
  constraint setting_personal_pages_per_hour_check CHECK (((personal_pages_per_hour >= 1) AND (personal_pages_per_hour <= 100000))),
  constraint setting_pkey PRIMARY KEY (version),
  constraint setting_platform_fee_percent_check CHECK ((platform_fee_percent >= 0)),
  constraint setting_proof_above_coin_check CHECK ((proof_above_coin >= 0)),
  constraint setting_proof_above_usd_check CHECK ((proof_above_usd >= 0)),
  constraint setting_proven_delay_hours_check CHECK (((proven_delay_hours >= 0) AND (proven_delay_hours <= 720))),
  constraint setting_reveals_per_hour_check CHECK (((reveals_per_hour >= 1) AND (reveals_per_hour <= 10000))),
  constraint setting_reversal_days_check CHECK (((reversal_days >= 0) AND (reversal_days <= 365))),
  constraint setting_reward_hold_days_check CHECK (((reward_hold_days >= 0) AND (reward_hold_days <= 365))),
  constraint setting_sell_price_check CHECK ((sell_price > 0)),
  constraint setting_unconfirmed_transfer_day_usd_check CHECK ((unconfirmed_transfer_day_usd >= 0))
);
comment on column setting.allowed_email_domains is 'null: those of the configuration';
comment on column setting.coin_price is 'USD units for one coin';
comment on column setting.exchange_limit is 'percent units';
CREATE INDEX setting_in_force ON public.setting USING btree (starts_at DESC, version DESC);
CREATE TRIGGER setting_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.setting FOR EACH STATEMENT EXECUTE FUNCTION reject_change();
-- row {"reason": "documented defaults", "version": 1, "buy_rate": 800000, "max_coin": 1000000000000000, "min_coin": 100000000, "buy_price": 800000, "starts_at": "2020-01-01T00:00:00+00:00", "coin_price": 800000, "created_at": "2020-01-01T00:00:00+00:00", "created_by": null, "sell_price": 800000, "convert_rate": 800000, "open_invoices": 5, "reversal_days": 30, "bridge_minimum": 0, "exchange_limit": 10000000000, "payout_day_usd": 5000000000000, "payout_day_coin": 500000000000000, "proof_above_usd": 100000000000000000, "payout_day_count": 20, "proof_above_coin": 100000000000000000, "reveals_per_hour": 60, "reward_hold_days": 30, "payout_hold_hours": 24, "bridge_fee_percent": 0, "proven_delay_hours": 720, "address_delay_hours": 24, "answer_target_hours": 4, "change_target_hours": 48, "four_eyes_above_usd": 100000000000, "network_fee_percent": 200000000, "payout_target_hours": 8, "deposit_target_hours": 24, "four_eyes_above_coin": 10000000000000, "payout_confirm_hours": 24, "payout_day_total_usd": 25000000000000, "platform_fee_percent": 500000000, "allowed_email_domains": null, "bound_warning_percent": 500000000, "payout_day_total_coin": 2500000000000000, "buy_token_credit_wallet": "newIcoWallet", "exchange_cooldown_hours": 0, "personal_pages_per_hour": 600, "unconfirmed_transfer_day_usd": 10000000000}

create table setup_end (
  one boolean not null default true,
  at timestamp with time zone not null,
  constraint setup_end_one_check CHECK (one),
  constraint setup_end_pkey PRIMARY KEY (one)
);
CREATE TRIGGER setup_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.setup_end FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table sign_in_failure (
  budget_digest text not null,
  account_digest text not null,
  failures integer not null,
  window_start timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_failure_pkey PRIMARY KEY (budget_digest)
);
CREATE INDEX sign_in_failure_by_account ON public.sign_in_failure USING btree (account_digest);
CREATE INDEX sign_in_failure_by_age ON public.sign_in_failure USING btree (window_start);

create table signed_transaction (
  hash text not null,
  move_id bigint,
  request_id bigint,
  purpose text not null default 'PAYMENT'::text,
  raw text not null,
  gas_price numeric(78,0) not null,
  made_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  block bigint,
  block_hash text,
  gas_used bigint,
  gas_paid numeric(78,0),
  constraint signed_transaction_check CHECK ((num_nonnulls(move_id, request_id) = 1)),
  constraint signed_transaction_check1 CHECK (((block IS NULL) = (block_hash IS NULL))),
  constraint signed_transaction_gas_price_check CHECK ((gas_price >= (0)::numeric)),
  constraint signed_transaction_move_id_fkey FOREIGN KEY (move_id) REFERENCES chain_move(id),
  constraint signed_transaction_pkey PRIMARY KEY (hash),
  constraint signed_transaction_purpose_check CHECK ((purpose = ANY (ARRAY['PAYMENT'::text, 'CANCEL'::text]))),
  constraint signed_transaction_request_id_fkey FOREIGN KEY (request_id) REFERENCES payout_sending(request_id)
);
CREATE INDEX signed_transaction_mined ON public.signed_transaction USING btree (made_at) WHERE (block IS NOT NULL);
CREATE INDEX signed_transaction_of_move ON public.signed_transaction USING btree (move_id) WHERE (move_id IS NOT NULL);
CREATE INDEX signed_transaction_of_request ON public.signed_transaction USING btree (request_id, made_at) WHERE (request_id IS NOT NULL);
CREATE TRIGGER signed_transaction_raw_stays BEFORE UPDATE OF raw ON public.signed_transaction FOR EACH ROW EXECUTE FUNCTION keep_transaction_bytes();
CREATE TRIGGER signed_transaction_stays BEFORE DELETE OR UPDATE OF hash, move_id, request_id, purpose ON public.signed_transaction FOR EACH ROW EXECUTE FUNCTION reject_change();

create table staff_case (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  title text not null,
  reason text not null,
  owner_id bigint,
  opened_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  reminded_at timestamp with time zone,
  outcome text,
  outcome_reason text,
  closed_by bigint,
  closed_at timestamp with time zone,
  constraint staff_case_check CHECK ((due_at > opened_at)),
  constraint staff_case_check1 CHECK ((num_nonnulls(outcome, outcome_reason, closed_by, closed_at) = ANY (ARRAY[0, 4]))),
  constraint staff_case_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES member(id),
  constraint staff_case_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint staff_case_outcome_check CHECK ((outcome = ANY (ARRAY['cleared'::text, 'acted'::text, 'reported'::text]))),
  constraint staff_case_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES member(id),
  constraint staff_case_pkey PRIMARY KEY (id),
  constraint staff_case_public_id_key UNIQUE (public_id),
  constraint staff_case_reason_check CHECK ((reason <> ''::text)),
  constraint staff_case_title_check CHECK ((title <> ''::text))
);
CREATE INDEX staff_case_by_member ON public.staff_case USING btree (member_id, id);
CREATE INDEX staff_case_closed ON public.staff_case USING btree (closed_at DESC, id DESC) WHERE (closed_at IS NOT NULL);
CREATE INDEX staff_case_open ON public.staff_case USING btree (due_at, id) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX staff_case_open_of ON public.staff_case USING btree (member_id) WHERE (closed_at IS NULL);
CREATE INDEX staff_case_to_remind ON public.staff_case USING btree (due_at) WHERE ((closed_at IS NULL) AND (reminded_at IS NULL));

create table staff_incident (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  level text not null,
  text text not null,
  since timestamp with time zone not null,
  taken_by bigint,
  taken_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint staff_incident_check CHECK (((taken_by IS NULL) = (taken_at IS NULL))),
  constraint staff_incident_level_check CHECK ((level = ANY (ARRAY['amber'::text, 'red'::text]))),
  constraint staff_incident_pkey PRIMARY KEY (id),
  constraint staff_incident_public_id_key UNIQUE (public_id),
  constraint staff_incident_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES member(id)
);
CREATE UNIQUE INDEX staff_incident_open ON public.staff_incident USING btree (name) WHERE (ended_at IS NULL);
CREATE TRIGGER staff_incident_ended_event AFTER UPDATE OF ended_at ON public.staff_incident FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION record_incident_event('incident.ended');
CREATE TRIGGER staff_incident_event AFTER INSERT ON public.staff_incident FOR EACH ROW EXECUTE FUNCTION record_incident_event('incident.opened');

create table staff_link (
  id bigint not null generated always as identity,
  one_id bigint not null,
  other_id bigint not null,
  found_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint staff_link_check CHECK ((one_id < other_id)),
  constraint staff_link_one_id_fkey FOREIGN KEY (one_id) REFERENCES member(id),
  constraint staff_link_one_id_other_id_key UNIQUE (one_id, other_id),
  constraint staff_link_other_id_fkey FOREIGN KEY (other_id) REFERENCES member(id),
  constraint staff_link_pkey PRIMARY KEY (id)
);
CREATE INDEX staff_link_by_other ON public.staff_link USING btree (other_id);

create table staff_note (
  id bigint not null generated always as identity,
  ticket_id bigint,
  member_id bigint,
  author_id bigint not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint staff_note_author_id_fkey FOREIGN KEY (author_id) REFERENCES member(id),
  constraint staff_note_check CHECK ((num_nonnulls(ticket_id, member_id) = 1)),
  constraint staff_note_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint staff_note_pkey PRIMARY KEY (id),
  constraint staff_note_text_check CHECK ((text <> ''::text)),
  constraint staff_note_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES ticket(id)
);
CREATE INDEX staff_note_by_member ON public.staff_note USING btree (member_id, id DESC) WHERE (member_id IS NOT NULL);
CREATE INDEX staff_note_by_ticket ON public.staff_note USING btree (ticket_id, id DESC) WHERE (ticket_id IS NOT NULL);
CREATE TRIGGER staff_note_append_only BEFORE DELETE OR UPDATE ON public.staff_note FOR EACH ROW EXECUTE FUNCTION keep_staff_note();

create table staff_presence (
  member_id bigint not null,
  location text not null,
  activity text not null,
  at timestamp with time zone not null,
  constraint staff_presence_activity_check CHECK ((activity = ANY (ARRAY['viewing'::text, 'writing'::text, 'noting'::text]))),
  constraint staff_presence_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint staff_presence_pkey PRIMARY KEY (member_id, location)
);

create table staff_proposal (
  id bigint not null generated always as identity,
  public_id text not null,
  subject text not null,
  value jsonb not null,
  base jsonb not null,
  reason text not null,
  status text not null default 'PENDING'::text,
  proposed_by bigint not null,
  created_at timestamp with time zone not null,
  decided_by bigint,
  decision_reason text,
  decided_at timestamp with time zone,
  starts_at timestamp with time zone,
  effect jsonb,
  ended_at timestamp with time zone,
  ended_by bigint,
  end_reason text,
  simulation text,
  proposer_mac bytea not null,
  constraint staff_proposal_check CHECK ((starts_at > created_at)),
  constraint staff_proposal_check1 CHECK (((subject = 'programme'::text) = (simulation IS NOT NULL))),
  constraint staff_proposal_check2 CHECK (((status <> ALL (ARRAY['PENDING'::text, 'OUTDATED'::text])) OR (decided_at IS NULL) OR (starts_at IS NOT NULL))),
  constraint staff_proposal_check3 CHECK (((status <> 'PENDING'::text) OR (decided_at IS NULL))),
  constraint staff_proposal_check4 CHECK (((status <> ALL (ARRAY['APPROVED'::text, 'REFUSED'::text, 'CANCELLED'::text])) OR (decided_at IS NOT NULL))),
  constraint staff_proposal_check5 CHECK (((decided_by IS NULL) = (decided_at IS NULL))),
  constraint staff_proposal_check6 CHECK (((status = ANY (ARRAY['CANCELLED'::text, 'OUTDATED'::text])) = (ended_at IS NOT NULL))),
  constraint staff_proposal_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES member(id),
  constraint staff_proposal_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES member(id),
  constraint staff_proposal_ends_before_its_start CHECK (((decided_at IS NULL) OR (ended_at < starts_at))),
  constraint staff_proposal_pkey PRIMARY KEY (id),
  constraint staff_proposal_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES member(id),
  constraint staff_proposal_proposer_is_not_approver CHECK (((status = ANY (ARRAY['PENDING'::text, 'REFUSED'::text])) OR (decided_by IS DISTINCT FROM proposed_by))),
  constraint staff_proposal_public_id_key UNIQUE (public_id),
  constraint staff_proposal_reason_check CHECK ((reason <> ''::text)),
  constraint staff_proposal_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REFUSED'::text, 'CANCELLED'::text, 'OUTDATED'::text])))
);
CREATE INDEX staff_proposal_of ON public.staff_proposal USING btree (subject, id DESC) WHERE (status = 'APPROVED'::text);
CREATE INDEX staff_proposal_pending ON public.staff_proposal USING btree (id) WHERE (status = 'PENDING'::text);
CREATE INDEX staff_proposal_planned ON public.staff_proposal USING btree (starts_at, id) WHERE ((status = 'APPROVED'::text) AND (starts_at IS NOT NULL));
CREATE TRIGGER staff_proposal_fixed BEFORE DELETE OR UPDATE ON public.staff_proposal FOR EACH ROW EXECUTE FUNCTION keep_staff_proposal();

create table staff_view (
  member_id bigint not null,
  page text not null,
  pages integer not null,
  is_reveal boolean not null,
  at timestamp with time zone not null,
  constraint staff_view_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint staff_view_pages_check CHECK ((pages > 0)),
  constraint staff_view_pkey PRIMARY KEY (member_id, page)
);
CREATE INDEX staff_view_by_age ON public.staff_view USING btree (at);

create table staff_view_limit (
  member_id bigint not null,
  reached_at timestamp with time zone not null,
  allowed_at timestamp with time zone,
  allowed_by bigint,
  constraint staff_view_limit_allowed_by_fkey FOREIGN KEY (allowed_by) REFERENCES member(id),
  constraint staff_view_limit_check CHECK (((allowed_at IS NULL) = (allowed_by IS NULL))),
  constraint staff_view_limit_check1 CHECK ((allowed_by <> member_id)),
  constraint staff_view_limit_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint staff_view_limit_pkey PRIMARY KEY (member_id)
);

create table stake (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  plan_id bigint not null,
  plan_name text not null,
  is_omega boolean not null,
  wallet text not null,
  amount bigint not null,
  apy bigint not null,
  duration_days integer not null,
  daily_reward bigint not null,
  programme_version integer not null,
  started_at timestamp with time zone not null,
  matures_at timestamp with time zone generated always as ((((started_at AT TIME ZONE 'UTC'::text) + ((duration_days)::double precision * '1 day'::interval)) AT TIME ZONE 'UTC'::text)) stored,
  status text not null default 'ACTIVE'::text,
  transfer_id bigint,
  matured_at timestamp with time zone,
  reversed_at timestamp with time zone,
  imported_at timestamp with time zone,
  constraint stake_amount_check CHECK ((amount > 100000000)),
  constraint stake_apy_check CHECK ((apy > 0)),
  constraint stake_check CHECK (((status = 'COMPLETED'::text) = (matured_at IS NOT NULL))),
  constraint stake_daily_reward_check CHECK ((daily_reward >= 0)),
  constraint stake_duration_days_check CHECK ((duration_days > 0)),
  constraint stake_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint stake_pkey PRIMARY KEY (id),
  constraint stake_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES stake_plan(id),
  constraint stake_public_id_key UNIQUE (public_id),
  constraint stake_reversed CHECK (((status = 'REVERSED'::text) = (reversed_at IS NOT NULL))),
  constraint stake_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'COMPLETED'::text, 'REVERSED'::text]))),
  constraint stake_wallet_check CHECK ((wallet = ANY (ARRAY['nativewallet'::text, 'mywallet'::text])))
);
CREATE INDEX stake_by_end ON public.stake USING btree (COALESCE(reversed_at, matured_at)) WHERE (COALESCE(reversed_at, matured_at) IS NOT NULL);
CREATE INDEX stake_by_member ON public.stake USING btree (member_id, is_omega, id DESC);
CREATE INDEX stake_by_time ON public.stake USING brin (started_at) WITH (autosummarize='on');
CREATE INDEX stake_newest_by_member ON public.stake USING btree (member_id, id DESC);
CREATE INDEX stake_running_by_member ON public.stake USING btree (member_id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX stake_running_of ON public.stake USING btree (plan_id) INCLUDE (amount) WHERE (status = 'ACTIVE'::text);
CREATE INDEX stake_to_mature ON public.stake USING btree (matures_at, id) WHERE (status = 'ACTIVE'::text);
CREATE TRIGGER stake_completed_event AFTER UPDATE OF status ON public.stake FOR EACH ROW WHEN (((old.status <> 'COMPLETED'::text) AND (new.status = 'COMPLETED'::text))) EXECUTE FUNCTION record_event('stake.completed');
CREATE TRIGGER stake_counted AFTER INSERT ON public.stake REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION stake_counted();
CREATE TRIGGER stake_event AFTER INSERT ON public.stake REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION record_sale_events('stake.created');
CREATE TRIGGER stake_recounted AFTER UPDATE OF is_omega, status, amount ON public.stake FOR EACH ROW WHEN (((
        CASE
            WHEN (NOT old.is_omega) THEN 'stake'::text
            WHEN old.is_omega THEN 'stake-log'::text
            ELSE NULL::text
        END IS DISTINCT FROM
        CASE
            WHEN (NOT new.is_omega) THEN 'stake'::text
            WHEN new.is_omega THEN 'stake-log'::text
            ELSE NULL::text
        END) OR (old.status IS DISTINCT FROM new.status) OR (old.amount IS DISTINCT FROM new.amount))) EXECUTE FUNCTION stake_recounted();
CREATE TRIGGER stake_reversed_event AFTER UPDATE OF status ON public.stake FOR EACH ROW WHEN (((old.status <> 'REVERSED'::text) AND (new.status = 'REVERSED'::text))) EXECUTE FUNCTION record_event('stake.reversed');

create table stake_plan (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  duration_days integer not null,
  minimum bigint not null,
  apy bigint not null,
  is_omega boolean not null default false,
  status text not null,
  created_at timestamp with time zone not null,
  starts_at timestamp with time zone,
  constraint stake_plan_apy_check CHECK ((apy > 0)),
  constraint stake_plan_duration_days_check CHECK (((duration_days >= 1) AND (duration_days <= 36500))),
  constraint stake_plan_minimum_check CHECK ((minimum >= 0)),
  constraint stake_plan_name_check CHECK ((name <> ''::text)),
  constraint stake_plan_pkey PRIMARY KEY (id),
  constraint stake_plan_public_id_key UNIQUE (public_id),
  constraint stake_plan_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text])))
);

create table stake_plan_next (
  plan_id bigint not null,
  starts_at timestamp with time zone not null,
  name text not null,
  duration_days integer not null,
  minimum bigint not null,
  apy bigint not null,
  is_omega boolean not null,
  status text not null,
  constraint stake_plan_next_apy_check CHECK ((apy > 0)),
  constraint stake_plan_next_duration_days_check CHECK (((duration_days >= 1) AND (duration_days <= 36500))),
  constraint stake_plan_next_minimum_check CHECK ((minimum >= 0)),
  constraint stake_plan_next_name_check CHECK ((name <> ''::text)),
  constraint stake_plan_next_pkey PRIMARY KEY (plan_id, starts_at),
  constraint stake_plan_next_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES stake_plan(id) ON DELETE CASCADE,
  constraint stake_plan_next_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text])))
);

create table team_member (
  member_id bigint not null,
  sponsor_id bigint,
  depth integer not null,
  jump_id bigint not null,
  jump_depth integer not null,
  constraint team_member_check CHECK ((sponsor_id < member_id)),
  constraint team_member_check1 CHECK (((sponsor_id IS NULL) = (depth = 0))),
  constraint team_member_check2 CHECK ((jump_depth <= depth)),
  constraint team_member_depth_check CHECK ((depth >= 0)),
  constraint team_member_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint team_member_pkey PRIMARY KEY (member_id),
  constraint team_member_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES team_member(member_id)
);
CREATE INDEX team_member_by_sponsor ON public.team_member USING btree (sponsor_id, member_id DESC);
CREATE TRIGGER team_member_fixed BEFORE DELETE OR UPDATE ON public.team_member FOR EACH ROW EXECUTE FUNCTION keep_team_place();

create table team_month (
  member_id bigint not null,
  month date not null,
  stake bigint not null,
  nft bigint not null,
  constraint team_month_pkey PRIMARY KEY (member_id, month)
) with (fillfactor=80);

create table team_pending_delta (
  id bigint not null generated always as identity,
  member_id bigint not null,
  month date not null,
  people integer not null default 0,
  stake bigint not null default 0,
  nft bigint not null default 0,
  running bigint not null default 0,
  constraint team_pending_delta_pkey PRIMARY KEY (id)
);

create table team_total (
  member_id bigint not null,
  people integer not null,
  stake bigint not null,
  running bigint not null default 0,
  own_running bigint not null default 0,
  branch_running bigint not null generated always as ((running + own_running)) stored,
  sponsor_id bigint,
  constraint team_total_pkey PRIMARY KEY (member_id)
) with (fillfactor=80);
CREATE INDEX team_total_by_branch ON public.team_total USING btree (sponsor_id, branch_running DESC) WHERE (branch_running > 0);

create table terms_of_use (
  version integer not null generated always as identity,
  starts_at timestamp with time zone not null,
  text text,
  link text,
  hash text not null,
  created_at timestamp with time zone not null,
  created_by bigint,
  constraint terms_of_use_check CHECK ((starts_at >= created_at)),
  constraint terms_of_use_check1 CHECK (((text IS NULL) <> (link IS NULL))),
  constraint terms_of_use_created_by_fkey FOREIGN KEY (created_by) REFERENCES member(id),
  constraint terms_of_use_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint terms_of_use_link_check CHECK ((link ~~ 'https://%'::text)),
  constraint terms_of_use_pkey PRIMARY KEY (version),
  constraint terms_of_use_text_check CHECK (((length(text) >= 1) AND (length(text) <= 20000)))
);
CREATE INDEX terms_of_use_by_start ON public.terms_of_use USING btree (starts_at DESC, version DESC);
CREATE TRIGGER terms_of_use_fixed BEFORE UPDATE ON public.terms_of_use FOR EACH ROW EXECUTE FUNCTION reject_change();

create table terms_of_use_acceptance (
  member_id bigint not null,
  version integer not null,
  hash text not null,
  accepted_at timestamp with time zone not null,
  how text not null,
  constraint terms_of_use_acceptance_how_check CHECK ((how = ANY (ARRAY['app'::text, 'link'::text]))),
  constraint terms_of_use_acceptance_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint terms_of_use_acceptance_pkey PRIMARY KEY (member_id, version),
  constraint terms_of_use_acceptance_version_fkey FOREIGN KEY (version) REFERENCES terms_of_use(version)
);
CREATE INDEX terms_of_use_acceptance_of_version ON public.terms_of_use_acceptance USING btree (version);
CREATE TRIGGER terms_of_use_acceptance_append_only BEFORE DELETE OR UPDATE ON public.terms_of_use_acceptance FOR EACH ROW EXECUTE FUNCTION reject_change();

create table terms_of_use_mail (
  member_id bigint not null,
  version integer not null,
  mailed_at timestamp with time zone not null,
  constraint terms_of_use_mail_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint terms_of_use_mail_pkey PRIMARY KEY (member_id)
);

create table ticket (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  title text not null,
  description text not null,
  image_id text,
  status text not null default 'OPEN'::text,
  awaits_staff boolean not null default true,
  created_at timestamp with time zone not null,
  last_message_at timestamp with time zone not null,
  first_answered_at timestamp with time zone,
  closed_at timestamp with time zone,
  about_kind text,
  about_id text,
  assignee_id bigint,
  tags text[] not null default '{}'::text[],
  constraint ticket_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES member(id),
  constraint ticket_check CHECK (((about_kind IS NULL) = (about_id IS NULL))),
  constraint ticket_image_id_fkey FOREIGN KEY (image_id) REFERENCES ticket_image(id),
  constraint ticket_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint ticket_pkey PRIMARY KEY (id),
  constraint ticket_public_id_key UNIQUE (public_id),
  constraint ticket_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text])))
);
CREATE INDEX ticket_answered ON public.ticket USING btree (last_message_at DESC, id DESC) WHERE ((status = 'OPEN'::text) AND (NOT awaits_staff));
CREATE INDEX ticket_assigned ON public.ticket USING btree (assignee_id, last_message_at, id) WHERE (status = 'OPEN'::text);
CREATE INDEX ticket_by_day ON public.ticket USING btree (created_at) INCLUDE (first_answered_at, closed_at);
CREATE INDEX ticket_by_member ON public.ticket USING btree (member_id, id DESC);
CREATE INDEX ticket_by_tag ON public.ticket USING gin (tags);
CREATE INDEX ticket_closed ON public.ticket USING btree (closed_at DESC, id DESC) WHERE (status = 'CLOSED'::text);
CREATE INDEX ticket_queue ON public.ticket USING btree (last_message_at, id) WHERE ((status = 'OPEN'::text) AND awaits_staff);
CREATE TRIGGER ticket_closed_event AFTER UPDATE OF status ON public.ticket FOR EACH ROW WHEN (((old.status <> 'CLOSED'::text) AND (new.status = 'CLOSED'::text))) EXECUTE FUNCTION record_event('ticket.closed');
CREATE TRIGGER ticket_counted AFTER INSERT ON public.ticket REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION ticket_counted();
CREATE TRIGGER ticket_event AFTER INSERT ON public.ticket REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION record_new_events('ticket.opened');
CREATE TRIGGER ticket_message_event AFTER UPDATE OF last_message_at ON public.ticket FOR EACH ROW WHEN ((old.last_message_at <> new.last_message_at)) EXECUTE FUNCTION record_event('ticket.message');

create table ticket_image (
  id text not null,
  member_id bigint not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamp with time zone not null,
  constraint ticket_image_pkey PRIMARY KEY (id)
);
CREATE INDEX ticket_image_by_member ON public.ticket_image USING btree (member_id);

create table ticket_message (
  id bigint not null generated always as identity,
  ticket_id bigint not null,
  author_id bigint not null,
  role text not null,
  message text not null,
  image_id text,
  created_at timestamp with time zone not null,
  receipts jsonb not null default '[]'::jsonb,
  constraint ticket_message_author_id_fkey FOREIGN KEY (author_id) REFERENCES member(id),
  constraint ticket_message_image_id_fkey FOREIGN KEY (image_id) REFERENCES ticket_image(id),
  constraint ticket_message_pkey PRIMARY KEY (id),
  constraint ticket_message_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'SUPPORT'::text, 'ADMIN'::text]))),
  constraint ticket_message_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES ticket(id)
);
CREATE INDEX ticket_message_by_ticket ON public.ticket_message USING btree (ticket_id, id);

create table trust_digest_transaction (
  hash text not null,
  number integer not null,
  chain_id integer not null,
  sender text not null,
  nonce integer not null,
  gas_price numeric not null,
  raw text not null,
  signed_at timestamp with time zone not null,
  block integer,
  constraint trust_digest_transaction_number_fkey FOREIGN KEY (number) REFERENCES trust_statement(number),
  constraint trust_digest_transaction_pkey PRIMARY KEY (hash),
  constraint trust_digest_transaction_sender_check CHECK ((sender = lower(sender)))
);
CREATE INDEX trust_digest_transaction_number ON public.trust_digest_transaction USING btree (number);

create table trust_leaf (
  tree_id bigint not null,
  member_id bigint not null,
  owed_usd bigint not null,
  owed_coin bigint not null,
  promised_usd bigint not null,
  promised_coin bigint not null,
  wallet_usd bigint not null,
  wallet_coin bigint not null,
  wallet_version bigint not null,
  seed bytea not null,
  owed_positions integer[] not null,
  promised_positions integer[] not null,
  constraint trust_leaf_owed_coin_check CHECK ((owed_coin >= 0)),
  constraint trust_leaf_owed_positions_check CHECK ((cardinality(owed_positions) = 4)),
  constraint trust_leaf_owed_usd_check CHECK ((owed_usd >= 0)),
  constraint trust_leaf_pkey PRIMARY KEY (tree_id, member_id),
  constraint trust_leaf_promised_coin_check CHECK ((promised_coin >= 0)),
  constraint trust_leaf_promised_positions_check CHECK ((cardinality(promised_positions) = 4)),
  constraint trust_leaf_promised_usd_check CHECK ((promised_usd >= 0)),
  constraint trust_leaf_seed_check CHECK ((length(seed) = 32))
);

create table trust_node (
  tree_id bigint not null,
  tree text not null,
  level integer not null,
  chunk integer not null,
  nodes bytea not null,
  constraint trust_node_pkey PRIMARY KEY (tree_id, tree, level, chunk),
  constraint trust_node_tree_check CHECK ((tree = ANY (ARRAY['owed'::text, 'promised'::text])))
);

create table trust_signature (
  number integer not null,
  signer text not null,
  signature text not null,
  constraint trust_signature_number_fkey FOREIGN KEY (number) REFERENCES trust_statement(number),
  constraint trust_signature_pkey PRIMARY KEY (number),
  constraint trust_signature_signer_check CHECK ((signer = lower(signer)))
);
CREATE TRIGGER trust_signature_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.trust_signature FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table trust_statement (
  number integer not null,
  day date not null,
  at timestamp with time zone not null,
  tree_id bigint not null,
  text text not null,
  digest text not null,
  balanced boolean not null,
  transfers bigint not null,
  constraint trust_statement_check CHECK ((digest = encode(sha256(convert_to(text, 'UTF8'::name)), 'hex'::text))),
  constraint trust_statement_day_key UNIQUE (day),
  constraint trust_statement_digest_key UNIQUE (digest),
  constraint trust_statement_number_check CHECK ((number > 0)),
  constraint trust_statement_pkey PRIMARY KEY (number),
  constraint trust_statement_tree_id_key UNIQUE (tree_id)
);
CREATE TRIGGER trust_statement_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.trust_statement FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

create table trust_tree (
  id bigint not null generated always as identity,
  begun_at timestamp with time zone not null,
  newest_member bigint not null,
  constraint trust_tree_pkey PRIMARY KEY (id)
);

create table unconfirmed_transfer (
  member_id bigint not null,
  times timestamp with time zone[] not null,
  amounts bigint[] not null,
  constraint unconfirmed_transfer_check CHECK ((cardinality(amounts) = cardinality(times))),
  constraint unconfirmed_transfer_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint unconfirmed_transfer_pkey PRIMARY KEY (member_id)
) with (fillfactor=70);

create table wallet_day (
  day date not null,
  last_transfer_id bigint not null,
  marked_at timestamp with time zone not null,
  constraint wallet_day_pkey PRIMARY KEY (day)
);

create table wallet_exchange (
  id bigint not null generated always as identity,
  public_id text not null,
  member_id bigint not null,
  amount bigint not null,
  settings_version integer not null,
  posting_id bigint not null,
  created_at timestamp with time zone not null,
  constraint wallet_exchange_amount_check CHECK ((amount > 0)),
  constraint wallet_exchange_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint wallet_exchange_pkey PRIMARY KEY (id),
  constraint wallet_exchange_public_id_key UNIQUE (public_id),
  constraint wallet_exchange_settings_version_fkey FOREIGN KEY (settings_version) REFERENCES setting(version)
);
CREATE INDEX wallet_exchange_by_member ON public.wallet_exchange USING btree (member_id, id DESC);
CREATE INDEX wallet_exchange_by_time ON public.wallet_exchange USING brin (created_at) WITH (autosummarize='on', pages_per_range='16');
CREATE TRIGGER wallet_exchange_counted AFTER INSERT ON public.wallet_exchange REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION wallet_exchange_counted();
CREATE TRIGGER wallet_exchange_recounted AFTER UPDATE OF amount ON public.wallet_exchange FOR EACH ROW WHEN ((old.amount IS DISTINCT FROM new.amount)) EXECUTE FUNCTION wallet_exchange_recounted();

create table webhook_delivery (
  id bigint not null generated always as identity,
  endpoint_id bigint not null,
  event_id uuid not null,
  kind text not null,
  subject text not null,
  body text not null,
  state text not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  attempted_at timestamp with time zone,
  status integer,
  answer text,
  duration_ms integer,
  error text,
  constraint webhook_delivery_body_check CHECK ((octet_length(body) <= 20000)),
  constraint webhook_delivery_check CHECK (((next_attempt_at IS NULL) OR (state = 'PENDING'::text))),
  constraint webhook_delivery_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id),
  constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id),
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
);
CREATE INDEX webhook_delivery_by_age ON public.webhook_delivery USING btree (created_at);
CREATE INDEX webhook_delivery_by_endpoint ON public.webhook_delivery USING btree (endpoint_id, id DESC);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (endpoint_id, next_attempt_at, id) WHERE ((state = 'PENDING'::text) AND (next_attempt_at IS NOT NULL));
CREATE INDEX webhook_delivery_of_object ON public.webhook_delivery USING btree (endpoint_id, subject, id) WHERE (state = 'PENDING'::text);

create table webhook_endpoint (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  url text not null,
  kinds text[] not null,
  state text not null,
  off_reason text,
  secret bytea,
  previous_secret bytea,
  previous_until timestamp with time zone,
  last_event_id bigint not null,
  failing_since timestamp with time zone,
  fault text,
  failures integer not null default 0,
  rests_until timestamp with time zone,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  constraint webhook_endpoint_check CHECK (((off_reason IS NULL) = (state = 'ON'::text))),
  constraint webhook_endpoint_name_check CHECK ((name <> ''::text)),
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_public_id_key UNIQUE (public_id),
  constraint webhook_endpoint_state_check CHECK ((state = ANY (ARRAY['ON'::text, 'OFF'::text, 'ENDED'::text])))
);
CREATE INDEX webhook_endpoint_by_end ON public.webhook_endpoint USING btree ((
CASE
    WHEN (state = 'ENDED'::text) THEN changed_at
    ELSE NULL::timestamp with time zone
END));

create table wrong_password_hour (
  account_digest text not null,
  hour timestamp with time zone not null,
  failures integer not null,
  constraint wrong_password_hour_failures_check CHECK ((failures > 0)),
  constraint wrong_password_hour_pkey PRIMARY KEY (account_digest, hour)
);
CREATE INDEX wrong_password_hour_by_age ON public.wrong_password_hour USING btree (hour);

create view ledger_entry as
 SELECT ledger_transfer.id AS transfer_id,
    ledger_transfer.posting_id,
    ledger_transfer.debit_account AS account_id,
    - ledger_transfer.amount AS amount,
    ledger_transfer.debit_balance_after AS balance_after,
    ledger_transfer.credit_account AS other_account_id,
    ledger_transfer.asset,
    ledger_transfer.kind,
    ledger_transfer.cause_type,
    ledger_transfer.cause_id,
    ledger_transfer.rule_version,
    ledger_transfer.pending,
    ledger_transfer.created_at
   FROM ledger_transfer
UNION ALL
 SELECT ledger_transfer.id AS transfer_id,
    ledger_transfer.posting_id,
    ledger_transfer.credit_account AS account_id,
    ledger_transfer.amount,
    ledger_transfer.credit_balance_after AS balance_after,
    ledger_transfer.debit_account AS other_account_id,
    ledger_transfer.asset,
    ledger_transfer.kind,
    ledger_transfer.cause_type,
    ledger_transfer.cause_id,
    ledger_transfer.rule_version,
    ledger_transfer.pending,
    ledger_transfer.created_at
   FROM ledger_transfer;

create view reward_progress as
 SELECT public_id,
    processed,
    steps,
    distributed,
    distributed_at
   FROM reward_source;

create view sent_order as
 SELECT payout_request.id,
    payout_request.public_id
   FROM payout_request
UNION ALL
 SELECT cold_move.id,
    cold_move.public_id
   FROM cold_move
UNION ALL
 SELECT payment_return.id,
    payment_return.public_id
   FROM payment_return
UNION ALL
 SELECT proceeds_payout.id,
    proceeds_payout.public_id
   FROM proceeds_payout;

create view team_rank_stake as
 SELECT t.member_id,
    t.running,
    LEAST(t.running, 2 * (t.running - COALESCE(largest.branch_running, 0::bigint))) AS counted
   FROM team_total t
     LEFT JOIN LATERAL ( SELECT b.branch_running
           FROM team_total b
          WHERE b.sponsor_id = t.member_id AND b.branch_running > 0
          ORDER BY b.branch_running DESC
         LIMIT 1) largest ON true;

CREATE OR REPLACE FUNCTION public.add_imported_members(members json, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into member (id, public_id, name, email, phone, password_hash, is_verified, is_active, is_special_rcm, rank, rank_by_staff,
    referral_code, sponsor_id, created_at, updated_at)
  overriding system value
  select id, public_id, name, email, phone, password_hash, is_verified, is_active, is_special_rcm, rank, rank is not null,
    referral_code, sponsor_id, created_at, at
  from json_populate_recordset(null::member, members) order by id
$function$;

CREATE OR REPLACE FUNCTION public.address_entry(id text, confirmed_at timestamp with time zone, usable_from timestamp with time zone, proven_by text, proven_at timestamp with time zone, mac bytea)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select case when coalesce(confirmed_at, usable_from, proven_at) is not null then jsonb_build_object('id', id,
    'confirmedAt', (extract(epoch from confirmed_at) * 1000)::bigint, 'usableFrom', (extract(epoch from usable_from) * 1000)::bigint,
    'by', proven_by, 'at', (extract(epoch from proven_at) * 1000)::bigint, 'mac', encode(mac, 'hex')) end
$function$;

CREATE OR REPLACE FUNCTION public.address_users(wanted text)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
  select member_id from payout_request where lower(address) = lower(wanted)
  union select member_id from payout_address where address_key in (wanted, lower(wanted))
$function$;

CREATE OR REPLACE FUNCTION public.audit_digest(salt bytea, value text)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when salt is null and value is null then null
    when octet_length(salt) = 16 and value is not null then sha256(salt || convert_to(value, 'UTF8'))
    when octet_length(salt) = 32 and value is null then salt
    else ''::bytea end
$function$;

CREATE OR REPLACE FUNCTION public.audit_hash(previous_hash text, at timestamp with time zone, actor_id bigint, actor_role text, action text, subject_type text, subject_id text, reason text, reason_salt bytea, outcome text, ip text, ip_salt bytea, request_id text, detail jsonb, detail_salt bytea)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select encode(sha256(convert_to(jsonb_build_array(
    previous_hash, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_id, actor_role, action, subject_type, subject_id,
    audit_digest(reason_salt, reason), outcome, audit_digest(ip_salt, ip), request_id, audit_digest(detail_salt, nullif(detail::text, '{}')))::text,
    'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION public.audit_salt(value text)
 RETURNS bytea
 LANGUAGE sql
AS $function$
  select case when value is not null then uuid_send(gen_random_uuid()) end
$function$;

CREATE OR REPLACE FUNCTION public.coin_purchase_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'buy-token', case when r.reversed_at is null then '' else 'REVERSED' end, count(*), sum(r.coin_amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.coin_purchase_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'buy-token' as list, case when new.reversed_at is null then '' else 'REVERSED' end as bucket, 1 as rows, new.coin_amount as amount
    union all select old.member_id, 'buy-token', case when old.reversed_at is null then '' else 'REVERSED' end, -1, -old.coin_amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_in_team()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into team_pending_delta (member_id, month, people)
  values (new.id, date_trunc('month', new.updated_at at time zone 'UTC')::date, new.is_verified::int * 2 - 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_referral()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_referrals as existing (member_id, direct_count) values (new.sponsor_id, new.is_verified::int * 2 - 1)
  on conflict (member_id) do update set direct_count = existing.direct_count + excluded.direct_count;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.deposit_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'deposit', r.status, count(*), sum(r.usd_amount - r.reversed_usd) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.deposit_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'deposit' as list, new.status as bucket, 1 as rows, new.usd_amount - new.reversed_usd as amount
    union all select old.member_id, 'deposit', old.status, -1, -old.usd_amount - old.reversed_usd) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.idempotency_claim(members bigint[], operations text[], keys text[])
 RETURNS TABLE(locked boolean, request_digest text, status integer, answer text, headers jsonb)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  locks boolean[];
begin
  select array_agg(pg_try_advisory_xact_lock(hashtextextended(c.member_id || ':' || c.operation || ':' || c.key, 5)) order by c.ordinal) into locks
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, ordinal);
  return query select locks[c.ordinal], i.request_digest, i.status, i.answer, i.headers
    from unnest(members, operations, keys) with ordinality c (member_id, operation, key, ordinal)
    left join lateral (select * from idempotency i
      where locks[c.ordinal] and i.member_id = c.member_id and i.operation = c.operation and i.key = c.key limit 1) i on true
    order by c.ordinal;
end $function$;

CREATE OR REPLACE FUNCTION public.import_digests(batch bigint)
 RETURNS TABLE(name text, digest text)
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO, YMD'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.is_screening_match(member bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from screening_matches(array[member]))
$function$;

CREATE OR REPLACE FUNCTION public.journal_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '')
$function$;

CREATE OR REPLACE FUNCTION public.keep_audit_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.ip, new.ip_salt) is not distinct from (old.ip, old.ip_salt)
      or new.ip is null and new.ip_salt = audit_digest(old.ip_salt, old.ip) then
    if (new.reason, new.reason_salt) is not distinct from (old.reason, old.reason_salt)
        or new.reason is null and new.reason_salt = audit_digest(old.reason_salt, old.reason) then
      if (new.detail, new.detail_salt) is not distinct from (old.detail, old.detail_salt)
          or new.detail = '{}' and new.detail_salt = audit_digest(old.detail_salt, nullif(old.detail::text, '{}')) then
        return new;
      end if;
    end if;
  end if;
  raise exception 'audit_event is append-only' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_payout_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or old.nonce is not null and (new.wallet, new.nonce) is distinct from (old.wallet, old.nonce) then
    raise exception '% of payout_sending is refused: a payout is signed under one number', tg_op using errcode = 'restrict_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_staff_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and exists (
    select from member m where m.erased_at is not null and m.id in (old.member_id, ticket_owner(old.ticket_id))) then
    return old;
  end if;
  raise exception 'staff_note is append-only' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_staff_proposal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_team_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a place in the team is fixed at registration' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_transaction_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from member m where m.erased_at is not null and m.id in (
      select member_id from payout_request where id = old.request_id
      union all select member_id from payment_return where id = old.request_id)) then
    return new;
  end if;
  raise exception 'signed_transaction is append-only' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_account_number(owner_id bigint, kind text, asset text, shard integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when owner_id > 0 and shard = 0 then owner_id * 16 + case kind || ' ' || asset
      when 'depositWallet USD' then 1 when 'nativeWallet COIN' then 2 when 'icoWallet COIN' then 3
      when 'newIcoWallet COIN' then 4 when 'stakeWallet COIN' then 5 when 'nftWallet USD' then 6
      when 'rcmWallet COIN' then 7 end
    when owner_id is null and shard between 0 and 99 then -(shard + case asset when 'USD' then 100 when 'COIN' then 200 end
      + 1000 * case kind when 'SYS-ISSUE' then 1 when 'SYS-DEPOSIT' then 2 when 'SYS-WITHDRAW' then 3
      when 'SYS-BRIDGE' then 4 when 'SYS-FEE' then 5 when 'SYS-SALES' then 6 when 'SYS-COIN' then 7
      when 'SYS-CONVERT' then 8 when 'SYS-REWARD' then 9 when 'SYS-HOLD' then 10 when 'SYS-OPERATOR' then 11 when 'SYS-GAS' then 12
      when 'SYS-LOSS' then 13 when 'SYS-IMPORT' then 14 end)
  end
$function$;

CREATE OR REPLACE FUNCTION public.ledger_balances_hash()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  chain bytea := '';
  part bytea;
  low bigint := -9223372036854775808;
begin
  loop
    select sha256(convert_to(string_agg(row(b.account, balance, version, new_money)::text, E'\n' order by b.account), 'UTF8')), max(b.account) into part, low
    from (select * from ledger_closed_balance where account > low order by account limit 4096) b;
    exit when part is null;
    chain := sha256(chain || part);
  end loop;
  return encode(chain, 'hex');
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_close_month(p_month date, p_last_id bigint, p_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  before ledger_close%rowtype;
  after_id bigint;
  posted bigint;
  made text;
begin
  select * into before from ledger_close order by month desc limit 1;
  after_id := coalesce(before.last_id, 0);
  insert into ledger_closed_balance as b (account, balance, version, new_money)
  select account, sum(amount)::bigint, count(*), case when ledger_keeps_new_money(account) then coalesce(sum(new_money), 0) else 0 end from (
    select debit_account as account, -amount as amount, -new_money as new_money from ledger_transfer where id > after_id and id <= p_last_id
    union all select t.credit_account, t.amount, coalesce(t.new_money, 0) + coalesce(r.amount, 0) from ledger_transfer t
      left join ledger_new_money_return r on r.transfer_id = t.id where t.id > after_id and t.id <= p_last_id) e
  group by account order by account
  on conflict (account) do update set balance = b.balance + excluded.balance, version = b.version + excluded.version,
    new_money = b.new_money + excluded.new_money;
  select count(*) into posted from ledger_transfer where id > after_id and id <= p_last_id;
  insert into ledger_close (month, after_id, last_id, transfers, transfers_hash, balances_hash, previous, close_hash, closed_at)
  select p_month, after_id, p_last_id, posted, h.transfers, h.balances, coalesce(before.close_hash, ''),
    ledger_close_text(p_month, after_id, p_last_id, posted, h.transfers, h.balances, coalesce(before.close_hash, '')), p_at
  from (select ledger_transfers_hash(after_id, p_last_id) as transfers, ledger_balances_hash() as balances) h
  returning close_hash into made;
  return made;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_close_text(month date, after_id bigint, last_id bigint, transfers bigint, transfers_hash text, balances_hash text, previous text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select encode(sha256(convert_to(row(to_char(month, 'YYYY-MM'), after_id, last_id, transfers, transfers_hash, balances_hash, previous)::text, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION public.ledger_keeps_new_money(account bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select account > 0 and account % 16 = 1
$function$;

CREATE OR REPLACE FUNCTION public.ledger_last_before(after_id bigint, moment timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  low bigint := after_id;
  high bigint := (select coalesce(max(id), after_id) from ledger_transfer);
  middle bigint;
  found record;
  rest bigint;
begin
  while low < high loop
    middle := low + (high - low + 1) / 2;
    select id, created_at into found from ledger_transfer where id > low and id <= middle order by id desc limit 1;
    if found.id is not null and found.created_at >= moment then high := found.id - 1; else low := middle; end if;
  end loop;
  loop
    select max(id) into rest from ledger_transfer where posting_id > low - 100000 and posting_id <= low and posting_id <> id and id > low;
    exit when rest is null;
    low := rest;
  end loop;
  return low;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_open_accounts(owners bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into ledger_account (id, owner_id, kind, asset)
  select ledger_account_number(o.owner, w.kind, w.asset, 0), o.owner, w.kind, w.asset
  from unnest(owners) o (owner),
    (values ('depositWallet', 'USD'), ('nativeWallet', 'COIN'), ('icoWallet', 'COIN'), ('newIcoWallet', 'COIN'),
      ('stakeWallet', 'COIN'), ('nftWallet', 'USD'), ('rcmWallet', 'COIN')) w (kind, asset)
  order by 1
  on conflict (id) do nothing
$function$;

CREATE OR REPLACE FUNCTION public.ledger_owe_new_money(reversal bigint, given_back bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if given_back > 0 then
    insert into ledger_new_money_return (transfer_id, amount) values (reversal, given_back);
  end if;
  insert into ledger_new_money_debt as w (account, owed)
  select t.debit_account, t.amount - coalesce(t.new_money, 0) - given_back from ledger_transfer t
  where t.id = reversal and t.amount - coalesce(t.new_money, 0) > given_back
  on conflict (account) do update set owed = w.owed + excluded.owed;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_owed_by_member()
 RETURNS TABLE(member_id bigint, wallet_usd bigint, wallet_coin bigint, wallet_version bigint, hold_usd bigint, hold_coin bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with wallets as (
    select owner_id, (sum(balance) filter (where asset = 'USD'))::bigint as usd, (sum(balance) filter (where asset = 'COIN'))::bigint as coin,
      sum(version)::bigint as version
    from ledger_account where owner_id is not null group by owner_id
  ), holds as (
    select h.debit_account / 16 as owner_id, (sum(h.amount) filter (where h.asset = 'USD'))::bigint as usd,
      (sum(h.amount) filter (where h.asset = 'COIN'))::bigint as coin
    from ledger_transfer h where h.pending and not exists (select from ledger_transfer e where e.resolves = h.id) group by 1
  )
  select owner_id, coalesce(w.usd, 0), coalesce(w.coin, 0), coalesce(w.version, 0), coalesce(h.usd, 0), coalesce(h.coin, 0)
  from wallets w full join holds h using (owner_id)
$function$;

CREATE OR REPLACE FUNCTION public.ledger_party(account bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when account < 0 then account / 100 else account end
$function$;

CREATE OR REPLACE FUNCTION public.ledger_post(accounts bigint[], t_posting integer[], t_debit integer[], t_credit integer[], t_amount bigint[], t_kind text[], t_new bigint[], p_cause_type text[], p_cause_id text[], p_rule_version integer[], p_at timestamp with time zone[], p_key text[], p_pending boolean[], p_resolves bigint[])
 RETURNS TABLE(posting integer, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint, new_money bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  ids bigint[];          -- account numbers; the arrays below have the same order
  balances bigint[];
  news bigint[];
  debts bigint[];        -- new-money debts of wallets, once loaded
  floors bigint[];
  assets text[];
  hits int[];            -- transfers on each account
  earlier bigint[];      -- posting id under each key, if any
  known int;             -- number of locked accounts
  -- Accepted transfers.
  o_posting int[] := '{}'; o_posting_id bigint[] := '{}'; o_id bigint[] := '{}'; o_debit int[] := '{}'; o_credit int[] := '{}';
  o_amount bigint[] := '{}'; o_kind text[] := '{}'; o_debit_after bigint[] := '{}'; o_credit_after bigint[] := '{}'; o_asked boolean[] := '{}';
  o_new bigint[] := '{}'; o_filled bigint[] := '{}';
  o_count int := 0;
  at_work int := 0;      -- current posting; `mark`: accepted transfers before this posting; `given_up`: the posting is finished
  mark int := 0;
  given_up boolean := false;
  first_id bigint;
  d int; c int; amount bigint; lacking bigint; next_id bigint; carried bigint; filled bigint;
  sibling record; ordinal int; move bigint; was_locked boolean; written int;
begin
  if p_key is not null then
    perform pg_advisory_xact_lock(k.h) from (select distinct hashtextextended(key, 7) as h from unnest(p_key) key where key is not null order by 1) k;
    select array_agg(t.posting_id order by k.ordinal) into earlier
      from unnest(p_key) with ordinality k (key, ordinal) left join ledger_transfer t on t.key = k.key;
  end if;

  select array_agg(l.id), array_agg(l.balance), array_agg(l.new_money), array_agg(l.min_balance), array_agg(l.asset), array_agg(0)
    into ids, balances, news, floors, assets, hits
    from (select a.id, a.balance, a.new_money, a.min_balance, a.asset from ledger_account a
      where a.id = any (accounts) order by a.id for no key update) l;
  if ids is distinct from accounts then
    raise exception 'ledger_post: no such account, or accounts out of order: %', accounts using errcode = 'foreign_key_violation';
  end if;
  known := cardinality(ids);

  for i in 1 .. cardinality(t_posting) loop
    if t_posting[i] <> at_work then
      at_work := t_posting[i];
      mark := o_count;
      first_id := null;
      given_up := earlier[at_work] is not null;
      if given_up then
        return query select * from ledger_repeated(at_work, earlier[at_work],
          (select array_agg(array[t_amount[j], ledger_party(accounts[t_debit[j]]), ledger_party(accounts[t_credit[j]])] order by j)
            from generate_subscripts(t_posting, 1) j where t_posting[j] = at_work));
      end if;
    end if;
    continue when given_up;

    d := t_debit[i]; c := t_credit[i]; amount := t_amount[i];
    if amount <= 0 or d = c or assets[d] <> assets[c] then
      raise exception 'ledger_post: % from % to % is no transfer', amount, ids[d], ids[c] using errcode = 'check_violation';
    end if;

    lacking := 0;
    if balances[d] - amount < floors[d] then
      lacking := floors[d] - (balances[d] - amount);
      was_locked := false;
      -- Moves money from other shards of the system account, largest balance first. The reward pool is excluded, because each of
      -- its shards holds the money of one reward worker.
      if ids[d] < 0 and ids[d] / 1000 <> -9 then
        for sibling in
          select a.id, a.balance, a.min_balance, a.asset from ledger_account a
          where a.id between -((-ids[d] / 100) * 100 + 99) and -((-ids[d] / 100) * 100) and a.id <> all (ids)
          order by a.balance desc for no key update skip locked
        loop
          ids := ids || sibling.id; balances := balances || sibling.balance; news := news || 0::bigint; floors := floors || sibling.min_balance;
          assets := assets || sibling.asset; hits := hits || 0; known := known + 1;
        end loop;
        for sibling in
          select s.ordinal::int as ordinal from unnest(ids) with ordinality s (id, ordinal)
          where s.id / 100 = ids[d] / 100 and s.id <> ids[d] order by balances[s.ordinal] desc
        loop
          exit when lacking <= 0;
          ordinal := sibling.ordinal;
          -- Moves at least half of the shard's balance, so that the next transfers find money here.
          move := least(balances[ordinal], greatest(lacking, balances[ordinal] / 2));
          continue when move <= 0;
          next_id := nextval('ledger_transfer_id_seq');
          first_id := coalesce(first_id, next_id);
          balances[ordinal] := balances[ordinal] - move; balances[d] := balances[d] + move;
          hits[ordinal] := hits[ordinal] + 1; hits[d] := hits[d] + 1;
          o_count := o_count + 1;
          o_posting[o_count] := at_work; o_posting_id[o_count] := first_id; o_id[o_count] := next_id;
          o_debit[o_count] := ordinal; o_credit[o_count] := d; o_amount[o_count] := move; o_kind[o_count] := 'shardMove';
          o_debit_after[o_count] := balances[ordinal]; o_credit_after[o_count] := balances[d]; o_asked[o_count] := false;
          o_new[o_count] := 0; o_filled[o_count] := 0;
          lacking := lacking - move;
        end loop;
        if lacking > 0 then
          select count(*) > (select count(*) from unnest(ids) s (id) where s.id / 100 = ids[d] / 100) into was_locked
            from ledger_account a where a.id between -((-ids[d] / 100) * 100 + 99) and -((-ids[d] / 100) * 100);
        end if;
      end if;
    end if;

    if lacking > 0 then
      -- Reverts the accepted transfers of this posting.
      given_up := true;
      for j in reverse o_count .. mark + 1 loop
        balances[o_debit[j]] := balances[o_debit[j]] + o_amount[j]; balances[o_credit[j]] := balances[o_credit[j]] - o_amount[j];
        hits[o_debit[j]] := hits[o_debit[j]] - 1; hits[o_credit[j]] := hits[o_credit[j]] - 1;
        if ids[o_debit[j]] > 0 then news[o_debit[j]] := news[o_debit[j]] + o_new[j]; end if;
        if ledger_keeps_new_money(ids[o_credit[j]]) then news[o_credit[j]] := news[o_credit[j]] - o_new[j]; end if;
        if o_filled[j] > 0 then debts[o_credit[j]] := debts[o_credit[j]] + o_filled[j]; end if;
      end loop;
      o_count := mark;
      posting := at_work; outcome := case when was_locked then 'busy' else 'short' end; account := ids[d];
      debit_after := (select sum(s.balance) from unnest(ids, balances) s (id, balance) where s.id < 0 and s.id / 100 = ids[d] / 100);
      return next;
      continue;
    end if;

    carried := least(coalesce(t_new[i], 0), amount);
    filled := 0;
    if ids[d] > 0 then
      carried := greatest(least(carried, news[d]), news[d] - (balances[d] - amount));
      news[d] := news[d] - carried;
    elsif carried > 0 and ids[d] / 1000 = -2 then
      -- From SYS-DEPOSIT.
      debts := coalesce(debts, array_fill(null::bigint, array[cardinality(ids)]));
      if debts[c] is null then
        debts[c] := coalesce((select w.owed from ledger_new_money_debt w where w.account = ids[c]), 0);
      end if;
      filled := least(carried, debts[c]);
      debts[c] := debts[c] - filled;
      carried := carried - filled;
    end if;
    if ledger_keeps_new_money(ids[c]) then news[c] := news[c] + carried; end if;

    next_id := nextval('ledger_transfer_id_seq');
    first_id := coalesce(first_id, next_id);
    balances[d] := balances[d] - amount; balances[c] := balances[c] + amount;
    hits[d] := hits[d] + 1; hits[c] := hits[c] + 1;
    o_count := o_count + 1;
    o_posting[o_count] := at_work; o_posting_id[o_count] := first_id; o_id[o_count] := next_id;
    o_debit[o_count] := d; o_credit[o_count] := c; o_amount[o_count] := amount; o_kind[o_count] := t_kind[i];
    o_debit_after[o_count] := balances[d]; o_credit_after[o_count] := balances[c]; o_asked[o_count] := true;
    o_new[o_count] := carried; o_filled[o_count] := filled;
  end loop;

  if o_count = 0 then return; end if;

  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, resolves, rule_version, pending, asset, kind, cause_type, cause_id, key, new_money)
  select o.id, o.posting_id, ids[o.debit], ids[o.credit], o.amount, o.debit_after, o.credit_after,
    p_at[o.posting], p_resolves[o.posting], p_rule_version[o.posting], p_pending[o.posting] and o.asked, assets[o.debit], o.kind,
    p_cause_type[o.posting], p_cause_id[o.posting], case when o.id = o.posting_id then p_key[o.posting] end, nullif(o.carried, 0)
  from unnest(o_posting[1:o_count], o_posting_id[1:o_count], o_id[1:o_count], o_debit[1:o_count], o_credit[1:o_count], o_amount[1:o_count],
    o_kind[1:o_count], o_debit_after[1:o_count], o_credit_after[1:o_count], o_asked[1:o_count], o_new[1:o_count])
    o (posting, posting_id, id, debit, credit, amount, kind, debit_after, credit_after, asked, carried);

  -- Writes the balances. The row's CHECK enforces the floor again.
  update ledger_account a set balance = n.balance, version = a.version + n.hits, new_money = n.new_money
  from unnest(ids, balances, hits, news) n (id, balance, hits, new_money) where a.id = n.id and n.hits > 0;
  get diagnostics written = row_count;
  if written <> (select count(*) from unnest(hits) h where h > 0) then
    raise exception 'ledger_post: % accounts written', written;
  end if;

  if debts is not null then
    update ledger_new_money_debt w set owed = n.owed from unnest(ids, debts) n (id, owed) where w.account = n.id and w.owed <> n.owed;
  end if;

  return query select o.posting, 'posted', o.posting_id, o.id, o.debit_after, o.credit_after, null::bigint, o.carried
  from unnest(o_posting[1:o_count], o_posting_id[1:o_count], o_id[1:o_count], o_debit_after[1:o_count], o_credit_after[1:o_count], o_asked[1:o_count],
    o_new[1:o_count]) o (posting, posting_id, id, debit_after, credit_after, asked, carried) where o.asked;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_post_bulk(p_pool bigint, p_wallet bigint, p_total bigint, p_kind text, p_cause_type text, p_rule_version integer, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  pool ledger_account%rowtype;
  sum_found numeric;
  rows_found bigint;
  members bigint;
  credited bigint;
begin
  select coalesce(sum(amount), 0), count(*), count(distinct owner_id) into sum_found, rows_found, members from ledger_bulk;
  if sum_found <> p_total or rows_found <> members then
    raise exception 'ledger_post_bulk: % rows of % members add up to %, not to %', rows_found, members, sum_found, p_total
      using errcode = 'check_violation';
  end if;
  if rows_found = 0 then return 0; end if;
  select * into strict pool from ledger_account a where a.id = p_pool and a.id < 0 for no key update;
  if pool.balance - p_total < pool.min_balance then
    raise exception 'ledger_post_bulk: account % holds less than %', p_pool, p_total using errcode = 'TZ001';
  end if;
  with credit as (
    update ledger_account a set balance = a.balance + b.amount, version = a.version + 1
    from ledger_bulk b where a.id = b.owner_id * 16 + p_wallet and a.asset = pool.asset
    returning a.id, a.balance, b.amount, b.cause_id, b.key
  ), running as (
    select c.*, sum(c.amount) over (order by c.id rows unbounded preceding)::bigint as paid from credit c order by c.id
  ), numbered as (
    select nextval('ledger_transfer_id_seq') as transfer_id, r.* from running r
  )
  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, rule_version, asset, kind, cause_type, cause_id, key)
  select n.transfer_id, n.transfer_id, p_pool, n.id, n.amount, pool.balance - n.paid, n.balance,
    p_at, p_rule_version, pool.asset, p_kind, p_cause_type, n.cause_id, n.key
  from numbered n;
  get diagnostics credited = row_count;
  if credited <> rows_found then
    raise exception 'ledger_post_bulk: % of % members have the wallet', credited, rows_found using errcode = 'foreign_key_violation';
  end if;
  update ledger_account a set balance = a.balance - p_total, version = a.version + rows_found where a.id = p_pool;
  truncate ledger_bulk;
  return credited;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_post_one(p_debit bigint, p_credit bigint, p_amount bigint, p_kind text, p_cause_type text, p_cause_id text, p_rule_version integer, p_at timestamp with time zone)
 RETURNS TABLE(posting integer, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint, new_money bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  debit_asset text;
  credit_asset text;
begin
  if p_amount <= 0 or p_debit = p_credit then
    raise exception 'ledger_post_one: % from % to % is no transfer', p_amount, p_debit, p_credit using errcode = 'check_violation';
  end if;
  -- Updates the accounts in order of number, to prevent deadlocks. The guarded update checks and writes in one statement.
  if p_credit < p_debit then
    update ledger_account a set balance = a.balance + p_amount, version = a.version + 1 where a.id = p_credit
    returning a.balance, a.asset into credit_after, credit_asset;
  end if;
  update ledger_account a set balance = a.balance - p_amount, version = a.version + 1
  where a.id = p_debit and a.balance >= a.min_balance + p_amount and (a.new_money = 0 or a.new_money <= a.balance - p_amount)
  returning a.balance, a.asset into debit_after, debit_asset;
  if not found then
    if p_credit < p_debit then
      update ledger_account a set balance = a.balance - p_amount, version = a.version - 1 where a.id = p_credit;
    end if;
    return query select * from ledger_post(array[least(p_debit, p_credit), greatest(p_debit, p_credit)], array[1],
      array[case when p_debit < p_credit then 1 else 2 end], array[case when p_debit < p_credit then 2 else 1 end], array[p_amount], array[p_kind],
      null, array[p_cause_type], array[p_cause_id], array[p_rule_version], array[p_at], null, array[false], array[null::bigint]);
    return;
  end if;
  if p_debit < p_credit then
    update ledger_account a set balance = a.balance + p_amount, version = a.version + 1 where a.id = p_credit
    returning a.balance, a.asset into credit_after, credit_asset;
  end if;
  if credit_asset is distinct from debit_asset then
    raise exception 'ledger_post_one: % from % to % is no transfer', p_amount, p_debit, p_credit using errcode = 'check_violation';
  end if;
  transfer_id := nextval('ledger_transfer_id_seq');
  insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
    created_at, rule_version, asset, kind, cause_type, cause_id)
  values (transfer_id, transfer_id, p_debit, p_credit, p_amount, debit_after, credit_after,
    p_at, p_rule_version, debit_asset, p_kind, p_cause_type, p_cause_id);
  posting := 1; outcome := 'posted'; posting_id := transfer_id;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_reject_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% on % is refused: the ledger is append-only', tg_op, tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_repeated(p_posting integer, p_earlier bigint, p_shape bigint[])
 RETURNS TABLE(posting integer, outcome text, posting_id bigint, transfer_id bigint, debit_after bigint, credit_after bigint, account bigint, new_money bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
declare
  shape bigint[];
begin
  select array_agg(array[t.amount, ledger_party(t.debit_account), ledger_party(t.credit_account)] order by t.id) into shape
  from (select * from ledger_transfer where id = p_earlier
    union all select * from ledger_transfer where posting_id = p_earlier and posting_id <> id) t where t.kind <> 'shardMove';
  if shape is distinct from p_shape then
    return query select p_posting, 'key_reused', null::bigint, null::bigint, null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  return query select p_posting, 'repeated', t.posting_id, t.id, t.debit_balance_after, t.credit_balance_after, null::bigint, t.new_money
  from (select * from ledger_transfer where id = p_earlier
    union all select * from ledger_transfer where posting_id = p_earlier and posting_id <> id) t where t.kind <> 'shardMove' order by t.id;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_return_new_money(transfers bigint[], amounts bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into ledger_new_money_return (transfer_id, amount) select t.id, t.amount from unnest(transfers, amounts) t (id, amount) order by t.id;
  update ledger_account a set new_money = a.new_money + r.amount
  from (select t.credit_account, sum(n.amount)::bigint as amount from unnest(transfers, amounts) n (id, amount)
    join ledger_transfer t on t.id = n.id group by 1) r
  where a.id = r.credit_account;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_transfers_hash(after_id bigint, last_id bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  chain bytea := '';
  part bytea;
  low bigint := after_id;
begin
  loop
    select sha256(convert_to(string_agg(row(t.id, posting_id, debit_account, credit_account, amount, debit_balance_after, credit_balance_after,
        (extract(epoch from created_at) * 1000000)::bigint, resolves, rule_version, pending, asset, kind, cause_type, cause_id, key, new_money)::text,
        E'\n' order by t.id), 'UTF8')), max(t.id) into part, low
    from (select * from ledger_transfer where id > low and id <= last_id order by id limit 4096) t;
    exit when part is null;
    chain := sha256(chain || part);
  end loop;
  return encode(chain, 'hex');
end $function$;

CREATE OR REPLACE FUNCTION public.nft_purchase_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'nft-purchase', case when r.status = 'REVERSED' then r.status else r.kind end, count(*), sum(r.price) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.nft_purchase_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'nft-purchase' as list, case when new.status = 'REVERSED' then new.status else new.kind end as bucket, 1 as rows, new.price as amount
    union all select old.member_id, 'nft-purchase', case when old.status = 'REVERSED' then old.status else old.kind end, -1, -old.price) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.nft_take_supply(kinds text[], units integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  taken int;
begin
  update nft_supply s set sold = s.sold + held.units from (
    select n.kind, w.units from nft_supply n join unnest(kinds, units) w (kind, units) on w.kind = n.kind order by n.kind for no key update of n
  ) held where s.kind = held.kind and s.sold + held.units <= s.cap;
  get diagnostics taken = row_count;
  if taken < cardinality(kinds) then
    raise exception 'nft_take_supply: sold out' using errcode = 'TZ002';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.nfts_at(at timestamp with time zone)
 RETURNS TABLE(id bigint, public_id text, kind text, name text, title text, price bigint, duration_months integer, total_percent bigint, status text, created_at timestamp with time zone, starts_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p.id, p.public_id, coalesce(n.kind, p.kind), coalesce(n.name, p.name), coalesce(n.title, p.title), coalesce(n.price, p.price),
    coalesce(n.duration_months, p.duration_months), coalesce(n.total_percent, p.total_percent), coalesce(n.status, p.status), p.created_at, p.starts_at
  from nft p
  left join lateral (select * from nft_next n where n.nft_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$function$;

CREATE OR REPLACE FUNCTION public.nfts_for_sale(ids text[], at timestamp with time zone)
 RETURNS TABLE(id bigint, public_id text, kind text, name text, title text, price bigint, duration_months integer, total_percent bigint, status text, created_at timestamp with time zone, starts_at timestamp with time zone)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  perform from nft n where n.public_id = any (ids) order by n.id for share;
  return query select n.* from nfts_at(at) n where n.public_id = any (ids);
end $function$;

CREATE OR REPLACE FUNCTION public.outflow_checks(members bigint[], networks integer[], keys text[], since timestamp with time zone, at timestamp with time zone)
 RETURNS TABLE(count integer, withdrawal bigint, bridge bigint, transfer bigint, unconfirmed bigint, entry jsonb, stopped boolean, "frozenUntil" timestamp with time zone, "frozenFor" text, screened boolean)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
#variable_conflict use_column
begin
  perform from member where id = any(members) order by id for no key update;
  return query select d.count, d.withdrawal, d.bridge, d.transfer,
      (select coalesce(sum(t.amount), 0)::bigint from (
        select unnest(u.times) as at, unnest(u.amounts) as amount from unconfirmed_transfer u where u.member_id = w.member_id) t where t.at > since),
      b.entry, m.payouts_stopped_at is not null, m.payouts_frozen_until, m.payouts_frozen_for,
      w.member_id = any(array(select match from screening_matches(members) match))
    from unnest(members, networks, keys) with ordinality w (member_id, network, address_key, ordinal)
    left join member m on m.id = w.member_id
    left join lateral (select address_entry(a.public_id, a.confirmed_at, a.usable_from, a.proven_by, a.proven_at, a.entry_mac) as entry from payout_address a
      where a.member_id = w.member_id and a.network = w.network and a.address_key = w.address_key and a.removed_at is null) b on true
    cross join lateral (select count(*)::int as count,
        coalesce(sum(r.amount) filter (where r.kind = 'withdrawal' and r.status <> 'REJECTED'), 0)::bigint as withdrawal,
        coalesce(sum(r.amount) filter (where r.kind = 'bridge' and r.status <> 'REJECTED'), 0)::bigint as bridge,
        coalesce(sum(r.amount) filter (where r.kind = 'transfer' and r.status <> 'REJECTED'), 0)::bigint as transfer
      from payout_request r where r.member_id = w.member_id and r.created_at > since) d
    order by w.ordinal;
end $function$;

CREATE OR REPLACE FUNCTION public.payout_request_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, case when r.kind = 'withdrawal' then 'withdrawal' when r.kind = 'bridge' then 'bridge' end, r.status, count(*), sum(r.amount) from fresh r where case when r.kind = 'withdrawal' then 'withdrawal' when r.kind = 'bridge' then 'bridge' end is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payout_request_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, case when new.kind = 'withdrawal' then 'withdrawal' when new.kind = 'bridge' then 'bridge' end as list, new.status as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, case when old.kind = 'withdrawal' then 'withdrawal' when old.kind = 'bridge' then 'bridge' end, old.status, -1, -old.amount) changes where list is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.place_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform team_place(new.id, new.sponsor_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_address_screening()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into screening_task (member_id, cause, address)
    select new.member_id, 'address', new.address where exists (select from screening_list where status = 'ACTIVE');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_name_screening()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into screening_task (member_id, cause) select new.id, 'name' where exists (select from screening_list where status = 'ACTIVE');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_payout_screening()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into screening_task (member_id, cause, address)
    select member_id, 'payout', address from fresh where kind <> 'transfer' and exists (select from screening_list where status = 'ACTIVE');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_day_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.day::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_ended_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into access_journal (kind, subject, value) values (tg_argv[0], old.public_id, '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_ended_factor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into access_journal (kind, subject, value)
  select 'second-factor', m.public_id, journal_time(old.created_at) from member m where m.id = old.member_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.public_id || ' ' || new.member_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_incident_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.public_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_member_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.role <> new.role then
    insert into access_journal (kind, subject, value) values ('role', new.public_id, new.role);
  end if;
  if old.is_active <> new.is_active then
    insert into access_journal (kind, subject, value) values ('active', new.public_id, new.is_active::text);
  end if;
  if old.suspended_until is distinct from new.suspended_until then
    insert into access_journal (kind, subject, value) values ('suspension', new.public_id, journal_time(new.suspended_until));
  end if;
  if old.password_changed_at is distinct from new.password_changed_at then
    insert into access_journal (kind, subject, value) values ('password', new.public_id, '');
  end if;
  if old.payouts_stopped_at is distinct from new.payouts_stopped_at then
    insert into access_journal (kind, subject, value) values ('payout-stop', new.public_id, journal_time(new.payouts_stopped_at));
  end if;
  if new.erased_at is not null then
    insert into access_journal (kind, subject, value) values ('erased', new.public_id, '');
  elsif old.email <> new.email and new.is_verified then
    insert into access_journal (kind, subject, value) values ('email', new.public_id, '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_member_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_outbox (kind, objects) values (tg_argv[0], new.public_id || ' ' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_new_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_outbox (kind, objects)
    select tg_argv[0], string_agg(public_id || ' ' || member_id, ',') from fresh having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_sale_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_outbox (kind, objects)
    select tg_argv[0], string_agg(public_id || ' ' || member_id, ',') from fresh where imported_at is null having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_unconfirmed(senders bigint[], sums bigint[], at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare added bigint[];
begin
  with short as (
    update unconfirmed_transfer u set
      times[cardinality(u.times) + (u.times[cardinality(u.times)] < date_trunc('minute', at))::int] = greatest(at, u.times[cardinality(u.times)]),
      amounts[cardinality(u.times) + (u.times[cardinality(u.times)] < date_trunc('minute', at))::int] =
        s.amount + case when u.times[cardinality(u.times)] < date_trunc('minute', at) then 0 else u.amounts[cardinality(u.times)] end
    from unnest(senders, sums) s (member_id, amount)
    where u.member_id = s.member_id and cardinality(u.times) < 60 and u.times[1] > at - interval '24 hours' returning u.member_id)
  select array_agg(member_id) into added from short;
  if cardinality(added) = cardinality(senders) then return; end if;
  insert into unconfirmed_transfer as u (member_id, times, amounts)
    select s.member_id, array[at], array[s.amount] from unnest(senders, sums) s (member_id, amount)
    where s.member_id <> all(coalesce(added, '{}'))
    on conflict (member_id) do update set (times, amounts) = (
      select array_agg(g.at order by g.at), array_agg(g.amount order by g.at) from (
        select max(e.at) as at, sum(e.amount)::bigint as amount
        from unnest(u.times || excluded.times, u.amounts || excluded.amounts) e (at, amount)
        where e.at > excluded.times[1] - interval '24 hours'
        group by date_trunc(case when cardinality(u.times) < 60 then 'minute' else 'hour' end, e.at)) g);
end $function$;

CREATE OR REPLACE FUNCTION public.reject_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.reject_sponsor_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a sponsor is fixed at registration' using errcode = 'restrict_violation';
end $function$;

create aggregate reward_add(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = s);

CREATE OR REPLACE FUNCTION public.reward_confirm_coverage(of_asset text, seen_version bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  update reward_coverage_version set version = version + 1 where asset = of_asset and version = seen_version;
  if found then return null; end if;
  update reward_coverage_version set version = version + 1 where asset = of_asset;
  return (select c.pool + c.committed - c.promised - c.owed from reward_coverage(of_asset) c);
end $function$;

CREATE OR REPLACE FUNCTION public.reward_coverage(of_asset text)
 RETURNS TABLE(committed bigint, pool bigint, promised bigint, owed bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  kinds constant text[] := case of_asset when 'USD' then array['nft-monthly', 'nft-profit-bounty', 'nft-level']
    else array['daily', 'profit-bounty', 'stake-log', 'stake-log-bounty', 'referral', 'level', 'rank'] end;
  account constant bigint := ledger_account_number(null, 'SYS-REWARD', of_asset, 0);
begin
  return query select case of_asset when 'COIN' then p.committed_coin else p.committed_usd end,
    (select coalesce(sum(a.balance), 0)::bigint from ledger_account a where a.id between account - 99 and account),
    ((select coalesce(sum(r.amount), 0) from reward_liability r where r.kind = any (kinds))
      + (select coalesce(sum(r.amount::numeric * r.steps), 0) from reward_liability_pending r where r.run_id is null and r.kind = any (kinds)))::bigint,
    ((select coalesce(sum(r.total - r.paid), 0) from reward_payment r where r.paid < r.total and (r.stream = 2) = (of_asset = 'USD'))
      + (select coalesce(sum(r.amount - r.reversed), 0) from reward_instant r where r.status = 'owed' and r.asset = of_asset))::bigint
  from reward_policy p order by p.id desc limit 1;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_fingerprint(run bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  with line as (
    select hashint8extended(source_id, hashint8extended(member_id, hashint8extended(amount,
      hashint8extended(ordinal::bigint * 4 + stream, programme_version)))) as h, amount
    from reward_accrual where run_id = run
    union all
    select hashint8extended(member_id, hashint8extended(daily, hashint8extended(b1, hashint8extended(b2, hashint8extended(b3,
      hashint8extended(b4, hashint8extended(b5, stream))))))), amount
    from reward_credit where run_id = run
  )
  select encode(sha256(convert_to(count(*) || ':' || coalesce(sum(h), 0) || ':' || coalesce(sum(amount), 0), 'UTF8')), 'hex') from line
$function$;

CREATE OR REPLACE FUNCTION public.reward_liability_by_member()
 RETURNS TABLE(member_id bigint, usd bigint, coin bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with rate as (
    select version, v.stream, v.b from reward_programme
    cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
  ), open as materialized (
    select s.member_id, s.stream = 2 as in_usd, sum(s.amount::numeric * (s.steps - s.processed)) as own,
      sum(reward_share(s.amount, r.b[1])::numeric * (s.steps - s.processed)) as b1, sum(reward_share(s.amount, r.b[2])::numeric * (s.steps - s.processed)) as b2,
      sum(reward_share(s.amount, r.b[3])::numeric * (s.steps - s.processed)) as b3, sum(reward_share(s.amount, r.b[4])::numeric * (s.steps - s.processed)) as b4,
      sum(reward_share(s.amount, r.b[5])::numeric * (s.steps - s.processed)) as b5
    from reward_source s join rate r on r.version = s.programme_version and r.stream = s.stream
    where s.reversed_at is null and s.processed < s.steps group by 1, 2
  ), level_1 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b1) as b, sum(b2) as b2, sum(b3) as b3, sum(b4) as b4, sum(b5) as b5
    from open o join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_2 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b2) as b, sum(b3) as b3, sum(b4) as b4, sum(b5) as b5
    from level_1 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_3 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b3) as b, sum(b4) as b4, sum(b5) as b5
    from level_2 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_4 as materialized (
    select t.sponsor_id as member_id, in_usd, sum(b4) as b, sum(b5) as b5
    from level_3 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), level_5 as (
    select t.sponsor_id as member_id, in_usd, sum(b5) as b
    from level_4 l join team_member t using (member_id) where t.sponsor_id is not null group by 1, 2
  ), bounty as (
    select b.member_id, b.in_usd, b.b from (
      select member_id, in_usd, b from level_1 union all select member_id, in_usd, b from level_2 union all select member_id, in_usd, b from level_3
      union all select member_id, in_usd, b from level_4 union all select member_id, in_usd, b from level_5
    ) b join member m on m.id = b.member_id and m.is_verified and m.is_active
  )
  select p.member_id, coalesce(sum(p.amount) filter (where p.in_usd), 0)::bigint, coalesce(sum(p.amount) filter (where not p.in_usd), 0)::bigint
  from (
    select o.member_id, o.in_usd, o.own as amount from open o
    union all select b.member_id, b.in_usd, b.b from bounty b
    union all select i.beneficiary_id, i.asset = 'USD', i.amount - i.reversed from reward_instant i where i.status = 'held' and i.is_liability
    union all select f.member_id, false, f.filled from reward_rank_bonus f where f.completed_at is null
  ) p group by p.member_id having sum(p.amount) > 0
$function$;

CREATE OR REPLACE FUNCTION public.reward_newest_held(members bigint[], coins bigint[], at timestamp with time zone)
 RETURNS TABLE(id bigint, given bigint, before bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  place int;
  found record;
  taken bigint;
begin
  for place in 1 .. cardinality(members) loop
    taken := 0;
    for found in select r.id, r.base - r.base_returned as rest from reward_instant r
      where r.source_member_id = members[place] and r.kind = 'referral' and r.status = 'held' and r.release_at > at
      order by r.id desc
    loop
      exit when taken >= coins[place];
      id := found.id;
      given := coins[place];
      before := taken;
      return next;
      taken := taken + found.rest;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_open_sources(sales json, held_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  with recursive written as (
    insert into reward_source (stream, public_id, label, member_id, principal, percent, amount, bounty, steps, starts_at, programme_version,
      rank_budget)
    select stream, public_id, label, member_id, principal, percent, amount, bounty, steps, starts_at, programme_version, rank_budget
    from json_populate_recordset(null::reward_source, sales)
    returning id, stream, public_id, member_id, principal, steps, programme_version, starts_at, ends_at
  ), sold as materialized (
    select s.id, s.public_id, s.member_id, s.principal, s.programme_version, s.stream = 2 as is_nft,
      case s.stream when 2 then reward_step(true, s.starts_at, 1) else s.ends_at end as release_at,
      case s.stream when 0 then p.level_percents when 1 then p.stake_log_level_percents else p.nft_level_percents end as percents,
      case s.stream when 2 then 1 else least(s.steps, p.full_level_share_days) end as days, case s.stream when 2 then 1 else p.full_level_share_days end as full_days
    from written s join reward_programme p on p.version = s.programme_version
  ), line as (
    select distinct member_id as below, member_id as place, 0 as level from sold
    union all
    select line.below, t.sponsor_id, line.level + 1 from line
    -- Looks up one row at a time: for some hundred members a join would read the whole table.
    cross join lateral (select sponsor_id from team_member where member_id = line.place limit 1) t
    where t.sponsor_id is not null and line.level < 5
  ), held as (
    insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, percent,
      amount, asset, programme_version, status, created_at, release_at)
    select case when s.is_nft then 'nft-level' else 'level' end, line.place, s.member_id, 'source', s.id, s.public_id, s.principal, line.level,
      s.principal, s.percents[line.level], share.amount, case when s.is_nft then 'USD' else 'COIN' end, s.programme_version, 'held', held_at, s.release_at
    from sold s join line on line.below = s.member_id and line.level > 0
    cross join lateral (select is_verified and is_active as ok from member where id = line.place limit 1) earns
    cross join lateral (select div(s.principal::numeric * s.percents[line.level] * s.days, 10000000000::numeric * s.full_days)::bigint as amount) share
    where earns.ok and share.amount > 0 order by s.id, line.level
    returning kind, amount, release_at as due_at
  )
  insert into reward_liability_pending (kind, step, starts_at, steps, amount)
  select kind, 'day', due_at - interval '24 hours', 1, sum(amount)::bigint from held group by kind, due_at;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_rank_leaders(members bigint[], lowest bigint)
 RETURNS TABLE("leaderId" bigint, counted bigint, below bigint[])
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query with recursive line as (
    select t.sponsor_id as id from unnest(members) b (id) join team_member t on t.member_id = b.id where t.sponsor_id is not null
    union
    select t.sponsor_id from line join team_member t on t.member_id = line.id where t.sponsor_id is not null
  ), leader as materialized (
    select line.id, s.counted from line join team_rank_stake s on s.member_id = line.id where s.running >= lowest and s.counted >= lowest
  )
  select l.id, l.counted, array(select distinct b.id from unnest(members) b (id) where b.id <> l.id and team_is_within(l.id, b.id))
  from leader l join team_member t on t.member_id = l.id join member m on m.id = l.id and m.is_verified and m.is_active
  order by t.depth desc, l.id;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_record_unearned(purchases json)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, percent,
    amount, asset, programme_version, status, unearned_reason, created_at, release_at)
  select 'referral', t.sponsor_id, p.source_member_id, 'coin_purchase', p.cause_id, p.cause_public_id, p.cause_amount, 1, 0, p.percent,
    0, 'COIN', p.programme_version, 'unearned', p.unearned_reason, p.created_at, p.created_at
  from json_populate_recordset(null::reward_instant, purchases) p
  cross join lateral (select sponsor_id from team_member where member_id = p.source_member_id limit 1) t
  where t.sponsor_id is not null on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_restore_sent_coin(payout bigint)
 RETURNS TABLE("beneficiaryId" bigint, back bigint, amount bigint, "createdAt" timestamp with time zone, in_counters boolean, fell boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query with sent as (
    delete from reward_sent_coin s where s.payout_id = payout returning s.reward_id, s.coin
  ), held as (
    select i.id, i.reversed, i.status = 'reversed' as fell, s.coin, m.is_verified and m.is_active as earns
    from sent s join reward_instant i on i.id = s.reward_id join member m on m.id = i.beneficiary_id
    where i.status in ('held', 'reversed') and i.cancel_reason is null order by i.id for update of i
  ), changed as (
    update reward_instant i set base_returned = i.base_returned - h.coin, status = 'held', is_liability = h.earns,
      reversed = ceil(i.amount::numeric * (i.base_returned - h.coin) / i.base)::bigint
    from held h where i.id = h.id
    returning i.id, i.beneficiary_id, h.reversed - i.reversed as back, i.amount, i.created_at, i.in_counters, h.fell, i.release_at, i.is_liability
  ), forecast as (
    insert into reward_liability_pending (kind, step, starts_at, steps, amount)
    select 'referral', 'day', min(c.release_at) - interval '1 day', 1, sum(c.back)::bigint from changed c where c.is_liability and c.back > 0
    group by (c.release_at at time zone 'UTC')::date
  )
  select c.beneficiary_id, c.back, c.amount, c.created_at, c.in_counters, c.fell from changed c;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_reverse_referrals(members bigint[], coins bigint[], at timestamp with time zone, purchase bigint)
 RETURNS TABLE(id bigint, "memberId" bigint, "beneficiaryId" bigint, coin bigint, "baseBefore" bigint, base bigint, "newMoney" bigint, back bigint, amount bigint, "createdAt" timestamp with time zone, in_counters boolean, fell boolean)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  ids bigint[];
  givens bigint[];
  befores bigint[];
begin
  if purchase is null then
    select array_agg(l.id), array_agg(l.given), array_agg(l.before) into ids, givens, befores from reward_newest_held(members, coins, at) l;
  else
    select array_agg(l.id), array_agg(l.given), array_agg(l.before) into ids, givens, befores from (
      select r.id, g.coin as given, (sum(r.base - r.base_returned) over (partition by g.id order by r.id desc) - (r.base - r.base_returned))::bigint as before
      from unnest(members, coins) g (id, coin) join reward_instant r on r.source_member_id = g.id
      where r.kind = 'referral' and r.status = 'held' and r.cause_type = 'coin_purchase' and r.cause_id = purchase) l;
  end if;
  if ids is null then return; end if;
  return query with held as (
    select i.id, i.reversed, i.base_returned, least(i.base - i.base_returned, l.given - l.before)::bigint as coin
    from unnest(ids, givens, befores) l (id, given, before) join reward_instant i on i.id = l.id
    where l.before < l.given and i.status = 'held' order by i.id desc for update of i
  ), changed as (
    update reward_instant i set base_returned = i.base_returned + t.coin,
      reversed = ceil(i.amount::numeric * (i.base_returned + t.coin) / i.base)::bigint,
      status = case when ceil(i.amount::numeric * (i.base_returned + t.coin) / i.base) >= i.amount then 'reversed' else 'held' end
    from held t where i.id = t.id and t.coin > 0
    returning i.id, i.source_member_id, i.beneficiary_id, t.coin, t.base_returned, i.base, i.new_money, i.reversed - t.reversed as back, i.amount,
      i.created_at, i.in_counters, i.release_at, i.is_liability, i.status = 'reversed' as fell
  ), forecast as (
    insert into reward_liability_pending (kind, step, starts_at, steps, amount)
    select 'referral', 'day', min(c.release_at) - interval '1 day', 1, -sum(c.back)::bigint from changed c where c.is_liability and c.back > 0
    group by (c.release_at at time zone 'UTC')::date
  )
  select c.id, c.source_member_id, c.beneficiary_id, c.coin, c.base_returned, c.base, coalesce(c.new_money, 0), c.back, c.amount, c.created_at, c.in_counters,
    c.fell from changed c order by c.id desc;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_rows_below(run bigint, in_stream smallint, top bigint, level integer, first_row bigint, wanted bigint)
 RETURNS TABLE(source_member bigint, first_accrual bigint, accruals bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  below record;
  rows_there bigint;
  skipping bigint := first_row;
  missing bigint := wanted;
  taken bigint;
begin
  for below in select c.member_id, c.n0, c.n1, c.n2, c.n3, c.n4 from reward_credit c
    where c.run_id = run and c.stream = in_stream and c.sponsor_id = top order by c.member_id
  loop
    exit when missing <= 0;
    rows_there := case level when 1 then below.n0 when 2 then below.n1 when 3 then below.n2 when 4 then below.n3 else below.n4 end;
    if skipping >= rows_there then
      skipping := skipping - rows_there;
      continue;
    end if;
    taken := least(rows_there - skipping, missing);
    if level = 1 then
      source_member := below.member_id;
      first_accrual := skipping;
      accruals := taken;
      return next;
    else
      return query select * from reward_rows_below(run, in_stream, below.member_id, level - 1, skipping, taken);
    end if;
    missing := missing - taken;
    skipping := 0;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_share(amount bigint, percent bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (amount / 1000000) * (percent / 10000) + (amount % 1000000) * (percent / 10000) / 1000000
$function$;

CREATE OR REPLACE FUNCTION public.reward_sponsors(members bigint[])
 RETURNS TABLE(id bigint, "sponsorId" bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query select b.id, s.id from unnest(members) b (id)
  -- Looks up one row at a time: for some hundred members a join would read the whole table.
  cross join lateral (select sponsor_id from team_member where member_id = b.id limit 1) t
  cross join lateral (select m.id from member m where m.id = t.sponsor_id and m.is_verified and m.is_active limit 1) s;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_step(monthly boolean, starts_at timestamp with time zone, n integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select ((starts_at at time zone 'UTC') + n * case when monthly then interval '1 month' else interval '1 day' end) at time zone 'UTC'
$function$;

CREATE OR REPLACE FUNCTION public.reward_sum_run(run bigint, share bigint, shares bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_nestloop TO 'on'
 SET enable_hashjoin TO 'on'
 SET enable_mergejoin TO 'on'
AS $function$
begin
  if (select accruals from reward_run where id = run) > 5000 then
    perform set_config('enable_nestloop', 'off', true);
  else
    -- Uses a generic plan, because planning takes longer than a small run. Large runs plan again and do not use this plan.
    perform set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('plan_cache_mode', 'force_generic_plan', true);
  end if;
  insert into reward_credit (run_id, stream, member_id, sponsor_id, eligible, n0, n1, n2, n3, n4, n5, daily, b1, b2, b3, b4, b5, amount)
  with rate as materialized (
    select version, v.stream, v.b[1] as b1, v.b[2] as b2, v.b[3] as b3, v.b[4] as b4, v.b[5] as b5
    from reward_programme cross join lateral (values (0, bounty_percents), (1, stake_log_bounty_percents), (2, nft_bounty_percents)) v (stream, b)
  ), own as materialized (
    select s.*, t.sponsor_id from (
      -- Rounds each share down before the sum (invariant I19).
      select f.member_id, f.stream, count(*)::int as n, reward_add(f.amount) as daily,
        reward_add(reward_share(f.amount, r.b1)) as b1, reward_add(reward_share(f.amount, r.b2)) as b2, reward_add(reward_share(f.amount, r.b3)) as b3,
        reward_add(reward_share(f.amount, r.b4)) as b4, reward_add(reward_share(f.amount, r.b5)) as b5
      from reward_accrual f join rate r on r.version = f.programme_version and r.stream = f.stream
      where f.run_id = run group by 1, 2
    ) s join team_member t on t.member_id = s.member_id
  ), sum_1 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b1) as b1, reward_add(b2) as b2, reward_add(b3) as b3,
      reward_add(b4) as b4, reward_add(b5) as b5 from own where sponsor_id is not null group by 1, 2
  ), level_1 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_1 s
  ), sum_2 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b2) as b2, reward_add(b3) as b3, reward_add(b4) as b4,
      reward_add(b5) as b5 from level_1 where sponsor_id is not null group by 1, 2
  ), level_2 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_2 s
  ), sum_3 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b3) as b3, reward_add(b4) as b4, reward_add(b5) as b5
    from level_2 where sponsor_id is not null group by 1, 2
  ), level_3 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_3 s
  ), sum_4 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b4) as b4, reward_add(b5) as b5
    from level_3 where sponsor_id is not null group by 1, 2
  ), level_4 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_4 s
  ), sum_5 as (
    select stream, sponsor_id as member_id, reward_add(n)::int as n, reward_add(b5) as b5 from level_4 where sponsor_id is not null group by 1, 2
  ), level_5 as materialized (
    select *, (select t.sponsor_id from team_member t where t.member_id = s.member_id) as sponsor_id from sum_5 s
  ), team as materialized (
    select stream, member_id, max(sponsor_id) as sponsor_id, max(n1) as n1, max(n2) as n2, max(n3) as n3, max(n4) as n4, max(n5) as n5,
      max(b1) as b1, max(b2) as b2, max(b3) as b3, max(b4) as b4, max(b5) as b5
    from (
      -- A member has at most one row per level, so that max() returns this row's value.
      select stream, member_id, sponsor_id, n as n1, 0 as n2, 0 as n3, 0 as n4, 0 as n5, b1, 0::bigint as b2, 0::bigint as b3, 0::bigint as b4,
        0::bigint as b5 from level_1
      union all select stream, member_id, sponsor_id, 0, n, 0, 0, 0, 0, b2, 0, 0, 0 from level_2
      union all select stream, member_id, sponsor_id, 0, 0, n, 0, 0, 0, 0, b3, 0, 0 from level_3
      union all select stream, member_id, sponsor_id, 0, 0, 0, n, 0, 0, 0, 0, b4, 0 from level_4
      union all select stream, member_id, sponsor_id, 0, 0, 0, 0, n, 0, 0, 0, 0, b5 from level_5
    ) parts group by 1, 2
  ), line as (
    -- PostgreSQL can only hash or merge a full join. Both sides contain only this run's rows.
    select stream, member_id, coalesce(o.sponsor_id, t.sponsor_id, 0) as sponsor_id, coalesce(o.n, 0) as n0, coalesce(t.n1, 0) as n1,
      coalesce(t.n2, 0) as n2, coalesce(t.n3, 0) as n3, coalesce(t.n4, 0) as n4, coalesce(t.n5, 0) as n5, coalesce(o.daily, 0) as daily,
      coalesce(t.b1, 0) as b1, coalesce(t.b2, 0) as b2, coalesce(t.b3, 0) as b3, coalesce(t.b4, 0) as b4, coalesce(t.b5, 0) as b5
    from (select * from own where member_id / 1024 % shares = share) o
    full join (select * from team where member_id / 1024 % shares = share) t using (member_id, stream)
  )
  select run, l.stream, l.member_id, l.sponsor_id, g.ok, n0, n1, n2, n3, n4, n5, daily, b1 * g.part, b2 * g.part, b3 * g.part, b4 * g.part,
    b5 * g.part, daily + (b1 + b2 + b3 + b4 + b5) * g.part
  from line l left join member m on m.id = l.member_id and not (m.is_verified and m.is_active)
  cross join lateral (select m.id is null as ok, case when m.id is null then 1 else 0 end as part) g
  -- Inserts in the order of the index over all runs, so that each page of the index is read once.
  order by l.member_id;
end $function$;

CREATE OR REPLACE FUNCTION public.reward_unpaid_by_member()
 RETURNS TABLE(member_id bigint, usd bigint, coin bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select u.member_id, coalesce(sum(u.amount) filter (where u.asset = 'USD'), 0)::bigint, coalesce(sum(u.amount) filter (where u.asset = 'COIN'), 0)::bigint
  from (
    select c.member_id, case c.stream when 2 then 'USD' else 'COIN' end as asset, c.amount
    from reward_payment p join reward_credit c on c.run_id = p.run_id and c.stream = p.stream
    where p.paid < p.total and c.amount > 0 and (c.sponsor_id, c.member_id) > (p.cursor_sponsor, p.cursor_member)
    union all
    -- Credits in claims that are not paid yet.
    select c.member_id, case c.stream when 2 then 'USD' else 'COIN' end, c.amount
    from reward_payment_claim t join reward_credit c on c.run_id = t.run_id and c.stream = t.stream
    where c.amount > 0 and (c.sponsor_id, c.member_id) > (t.after_sponsor, t.after_member)
      and (c.sponsor_id, c.member_id) <= (t.last_sponsor, t.last_member)
    union all
    select i.beneficiary_id, i.asset, i.amount - i.reversed from reward_instant i where i.status = 'owed'
  ) u group by u.member_id
$function$;

CREATE OR REPLACE FUNCTION public.reward_update_liability()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with held as (
    select id from reward_instant
    where beneficiary_id = new.id and status = 'held' and is_liability <> (new.is_verified and new.is_active) order by id for update
  ), changed as (
    update reward_instant i set is_liability = not i.is_liability from held where i.id = held.id
    returning i.kind, i.release_at, case when i.is_liability then i.amount - i.reversed else i.reversed - i.amount end as amount
  )
  insert into reward_liability_pending (kind, step, starts_at, steps, amount)
  select kind, 'day', min(release_at) - interval '1 day', 1, sum(amount)::bigint from changed
  group by kind, (release_at at time zone 'UTC')::date;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.screening_hold(member bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when is_screening_match(member) then 'hit'
    when exists (select from screening_task t where t.member_id = member)
      or exists (select from screening_list l where l.status = 'ACTIVE' and l.member_cursor < member) then 'pending'
  end
$function$;

CREATE OR REPLACE FUNCTION public.screening_matches(members bigint[])
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE
AS $function$
  select h.member_id from screening_hit h where h.member_id = any(members) and h.verdict is distinct from 'different'
$function$;

CREATE OR REPLACE FUNCTION public.sessions_by_id(ids bigint[], moment timestamp with time zone)
 RETURNS TABLE("sessionId" bigint, "endedAt" timestamp with time zone, "endReason" text, "lastSeenAt" timestamp with time zone, "idleSeconds" integer, "expiresAt" timestamp with time zone, "memberId" bigint, "publicId" text, email text, "isVerified" boolean, "isActive" boolean, role text, "isSpecialRcm" boolean, "provedFactor" boolean, "suspendedUntil" timestamp with time zone, "termsDue" integer)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query select s.id, s.ended_at, s.end_reason, s.last_seen_at, s.idle_seconds, s.expires_at, m.id, m.public_id, m.email,
    m.is_verified and (s.address_proved or m.password_proved and not s.awaits_code), m.is_active, m.role, m.is_special_rcm,
    m.second_factor and s.second_factor_at is not null, m.suspended_until,
    (select t.version from (select version from terms_of_use where starts_at <= moment order by starts_at desc, version desc limit 1) t
      where m.role = 'MEMBER' and not exists (
        select from terms_of_use_acceptance a where a.member_id = m.id and a.version = t.version))
  from session s join member m on m.id = s.member_id where s.id = any (ids);
end $function$;

CREATE OR REPLACE FUNCTION public.set_verified_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.verified_at := new.updated_at;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stake_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, case when not r.is_omega then 'stake' when r.is_omega then 'stake-log' end, r.status, count(*), sum(r.amount) from fresh r where case when not r.is_omega then 'stake' when r.is_omega then 'stake-log' end is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stake_plans_at(at timestamp with time zone)
 RETURNS TABLE(id bigint, public_id text, name text, duration_days integer, minimum bigint, apy bigint, is_omega boolean, status text, created_at timestamp with time zone, starts_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p.id, p.public_id, coalesce(n.name, p.name), coalesce(n.duration_days, p.duration_days), coalesce(n.minimum, p.minimum),
    coalesce(n.apy, p.apy), coalesce(n.is_omega, p.is_omega), coalesce(n.status, p.status), p.created_at, p.starts_at
  from stake_plan p
  left join lateral (select * from stake_plan_next n where n.plan_id = p.id and n.starts_at <= at order by n.starts_at desc limit 1) n on true
  where coalesce(p.starts_at <= at, true)
$function$;

CREATE OR REPLACE FUNCTION public.stake_plans_for_sale(ids text[], at timestamp with time zone)
 RETURNS TABLE(id bigint, public_id text, name text, duration_days integer, minimum bigint, apy bigint, is_omega boolean, status text, created_at timestamp with time zone, starts_at timestamp with time zone)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  perform from stake_plan p where p.public_id = any (ids) order by p.id for share;
  return query select p.* from stake_plans_at(at) p where p.public_id = any (ids);
end $function$;

CREATE OR REPLACE FUNCTION public.stake_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, case when not new.is_omega then 'stake' when new.is_omega then 'stake-log' end as list, new.status as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, case when not old.is_omega then 'stake' when old.is_omega then 'stake-log' end, old.status, -1, -old.amount) changes where list is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.team_ancestor(person bigint, top_depth integer)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  here team_member%rowtype;
begin
  select * into here from team_member where member_id = person;
  while here.depth > top_depth loop
    if here.jump_depth >= top_depth then
      select * into here from team_member where member_id = here.jump_id;
    else
      select * into here from team_member where member_id = here.sponsor_id;
    end if;
  end loop;
  return case when here.depth = top_depth then here.member_id end;
end $function$;

CREATE OR REPLACE FUNCTION public.team_climb(changes json, top_depth integer)
 RETURNS TABLE(member_id bigint, month date, people bigint, stake bigint, nft bigint, running bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
declare
  levels constant int := 100;
  piece record;
  gain record;
  climbing team_pending_delta[];
  arrived team_pending_delta[] := '{}';
  floor int;
begin
  for piece in
    with own as (
      select (t.depth - 1) / levels as piece, array_agg(c) as changes
      from json_populate_recordset(null::team_pending_delta, changes) c join team_member t on t.member_id = c.member_id where t.depth > top_depth group by 1
    )
    select p.piece, coalesce(own.changes, '{}') as changes
    from generate_series((select max(own.piece) from own), top_depth / levels, -1) p (piece) left join own on own.piece = p.piece
    order by p.piece desc
  loop
    floor := greatest(piece.piece * levels, top_depth);
    -- The changes in these 100 levels, and the sums from the 100 levels below.
    climbing := array_cat(arrived, piece.changes);
    arrived := '{}';
    continue when cardinality(climbing) = 0;
    for gain in
      with recursive up as (
        select t.sponsor_id as member_id, t.depth - 1 as depth, c.month, sum(c.people) as people, sum(c.stake)::bigint as stake,
          sum(c.nft)::bigint as nft, sum(c.running)::bigint as running
        from unnest(climbing) c join team_member t on t.member_id = c.member_id group by c.member_id, t.sponsor_id, t.depth, c.month
        union all
        select t.sponsor_id, t.depth - 1, up.month, up.people, up.stake, up.nft, up.running
        from up join team_member t on t.member_id = up.member_id where up.depth > floor
      )
      select up.member_id, up.depth, up.month, sum(up.people)::bigint as people, sum(up.stake)::bigint as stake, sum(up.nft)::bigint as nft,
        sum(up.running)::bigint as running
      from up group by 1, 2, 3
    loop
      if gain.depth = floor then
        arrived := arrived || row(0, gain.member_id, gain.month, gain.people, gain.stake, gain.nft, gain.running)::team_pending_delta;
      end if;
      member_id := gain.member_id; month := gain.month; people := gain.people; stake := gain.stake; nft := gain.nft; running := gain.running;
      return next;
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.team_fold(batch integer, report_from bigint)
 RETURNS TABLE(folded integer, leader bigint, running bigint)
 LANGUAGE sql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
  with gone as (
    delete from team_pending_delta d where id in (select id from team_pending_delta order by id limit batch) returning d as change
  ), own as (
    select (gone.change).member_id, sum((gone.change).running)::bigint as running from gone group by 1
  ), gain as materialized (
    select c.* from team_climb((select json_agg(gone.change) from gone), 0) c
  ), totals as (
    insert into team_total as existing (member_id, people, stake, running, own_running, sponsor_id)
    select g.member_id, sum(g.people)::int, sum(g.stake)::bigint, sum(g.running)::bigint, sum(g.own_running)::bigint, t.sponsor_id
    from (
      select gain.member_id, gain.people, gain.stake, gain.running, 0::bigint as own_running from gain
      union all select own.member_id, 0, 0, 0, own.running from own where own.running <> 0
    ) g join team_member t on t.member_id = g.member_id group by g.member_id, t.sponsor_id order by 1
    on conflict (member_id) do update
      set people = existing.people + excluded.people, stake = existing.stake + excluded.stake, running = existing.running + excluded.running,
        own_running = existing.own_running + excluded.own_running
    returning member_id, running
  ), changed as (
    -- Unites the two sets, because a join without statistics would compare every pair.
    select e.member_id, sum(e.running)::bigint as running, sum(e.running - e.more)::bigint as was from (
      select totals.member_id, totals.running, 0::bigint as more from totals
      union all select gain.member_id, 0, gain.running from gain
    ) e group by 1 having sum(e.more) <> 0
  ), months as (
    insert into team_month as existing (member_id, month, stake, nft)
    select gain.member_id, gain.month, gain.stake, gain.nft from gain where gain.stake <> 0 or gain.nft <> 0 order by 1, 2
    on conflict (member_id, month) do update set stake = existing.stake + excluded.stake, nft = existing.nft + excluded.nft
  )
  select (select count(*)::int from gone), changed.member_id, changed.running
  from (select 1) one left join changed on greatest(changed.running, changed.was) >= report_from
$function$;

CREATE OR REPLACE FUNCTION public.team_is_within(top bigint, person bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return coalesce(team_ancestor(person, (select depth from team_member where member_id = top)) = top, false);
end $function$;

CREATE OR REPLACE FUNCTION public.team_pending(top_depth integer)
 RETURNS TABLE(member_id bigint, month date, people bigint, stake bigint, nft bigint, running bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select c.* from team_climb((select json_agg(d) from team_pending_delta d), top_depth) c
$function$;

CREATE OR REPLACE FUNCTION public.team_place(person bigint, sponsor bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into team_member (member_id, sponsor_id, depth, jump_id, jump_depth)
  select person, s.member_id, s.depth + 1,
    case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_id else s.member_id end,
    case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_depth else s.depth end
  from team_member s join team_member j on j.member_id = s.jump_id where s.member_id = sponsor
  union all
  select person, null, 0, person, 0 where sponsor is null
  on conflict (member_id) do nothing;
end $function$;

CREATE OR REPLACE FUNCTION public.ticket_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'ticket', '', count(*), sum(0) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ticket_owner(ticket bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select member_id from ticket t where t.id = ticket_owner.ticket
$function$;

CREATE OR REPLACE FUNCTION public.wallet_exchange_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select r.member_id, 'exchange', '', count(*), sum(r.amount) from fresh r group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wallet_exchange_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into member_list_counter as existing (member_id, list, bucket, rows, amount)
  select member_id, list, bucket, sum(rows), sum(amount) from (
    select new.member_id, 'exchange' as list, '' as bucket, 1 as rows, new.amount as amount
    union all select old.member_id, 'exchange', '', -1, -old.amount) changes group by 1, 2, 3 order by 1, 2, 3
  on conflict (member_id, list, bucket) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount;
  return null;
end $function$;
