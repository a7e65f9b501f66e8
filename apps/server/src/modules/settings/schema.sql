-- Settings of the operator. Each change inserts a complete version with a start time. Versions are immutable, so that a purchase can
-- reference the version in force (invariant I13).
create table setting (
  version int generated always as identity primary key,
  starts_at timestamptz not null,
  coin_price bigint not null check (coin_price > 0),
  min_coin bigint not null check (min_coin > 0),
  max_coin bigint not null,
  convert_rate bigint not null,
  -- Prices for members' trades. From the approval of a price change until 24 hours after its start, the less favourable of the old
  -- and the new price applies.
  buy_price bigint not null,
  sell_price bigint not null check (sell_price > 0),
  buy_rate bigint not null,
  exchange_limit bigint not null check (exchange_limit between 0 and 10000000000),
  exchange_cooldown_hours int not null check (exchange_cooldown_hours >= 0),
  platform_fee_percent bigint not null check (platform_fee_percent >= 0),
  network_fee_percent bigint not null check (network_fee_percent >= 0),
  bridge_fee_percent bigint not null check (bridge_fee_percent between 0 and 10000000000),
  bridge_minimum bigint not null check (bridge_minimum >= 0),
  buy_token_credit_wallet text not null check (buy_token_credit_wallet in ('newIcoWallet', 'icoWallet', 'nativeWallet')),
  reward_hold_days int not null check (reward_hold_days between 0 and 365),
  four_eyes_above_usd bigint not null check (four_eyes_above_usd >= 0),
  four_eyes_above_coin bigint not null check (four_eyes_above_coin >= 0),
  allowed_email_domains text[],
  created_at timestamptz not null,
  created_by bigint,
  reason text not null,
  -- Maximum number of open in-app invoices per member.
  open_invoices int not null default 5 check (open_invoices between 1 and 100),
  -- In hours: time to confirm a payout, delay before a new address can be used, and payout freeze after an account event.
  payout_confirm_hours int not null default 24 check (payout_confirm_hours between 1 and 168),
  address_delay_hours int not null default 24 check (address_delay_hours between 0 and 720),
  payout_hold_hours int not null default 24 check (payout_hold_hours between 0 and 720),
  -- Longest delay of a new address that its member has proven, in hours. The default never shortens the delay.
  proven_delay_hours int not null default 720 check (proven_delay_hours between 0 and 720),
  -- Target times in hours, for decisions about a payout, a deposit and a proposal, and for the answer to a ticket.
  payout_target_hours int not null default 8 check (payout_target_hours between 1 and 720),
  deposit_target_hours int not null default 24 check (deposit_target_hours between 1 and 720),
  change_target_hours int not null default 48 check (change_target_hours between 1 and 720),
  answer_target_hours int not null default 4 check (answer_target_hours between 1 and 720),
  -- Payout limits within 24 hours. Maximum number of payouts per member; the maximum amounts are below.
  payout_day_count int not null default 20 check (payout_day_count between 1 and 1000),
  -- USD that a member can send to other members within 24 hours without confirmation.
  unconfirmed_transfer_day_usd bigint not null default 10000000000 check (unconfirmed_transfer_day_usd >= 0),
  payout_day_usd bigint not null default 5000000000000 check (payout_day_usd > 0),
  payout_day_coin bigint not null default 500000000000000 check (payout_day_coin > 0),
  -- Sums of payouts within 24 hours above which the address must be proven. The default is above the 24-hour limits.
  proof_above_usd bigint not null default 100000000000000000 check (proof_above_usd >= 0),
  proof_above_coin bigint not null default 100000000000000000 check (proof_above_coin >= 0),
  payout_day_total_usd bigint not null default 25000000000000 check (payout_day_total_usd > 0),
  payout_day_total_coin bigint not null default 2500000000000000 check (payout_day_total_coin > 0),
  -- Maximum group gain in 30 days (RW-14), in percent units, above which staff see a warning.
  bound_warning_percent bigint not null default 500000000 check (bound_warning_percent between 0 and 10000000000),
  -- Days within which staff can reverse a stake or an NFT purchase.
  reversal_days int not null default 30 check (reversal_days between 0 and 365),
  -- Views of personal data per staff member and hour: pages, and masked fields, images, member views and exports.
  personal_pages_per_hour int not null default 600 check (personal_pages_per_hour between 1 and 100000),
  reveals_per_hour int not null default 60 check (reveals_per_hour between 1 and 10000),
  check (max_coin >= min_coin),
  check (platform_fee_percent + network_fee_percent <= 10000000000),
  -- A member who buys coin for USD and sells the coin must never receive more USD than was paid (CO-15).
  check (convert_rate >= coin_price),
  -- A price for members' trades is never better for the member than the price in force.
  check (buy_price >= coin_price and sell_price <= coin_price and buy_rate >= convert_rate)
);
comment on column setting.coin_price is 'USD units for one coin';
comment on column setting.exchange_limit is 'percent units';
comment on column setting.allowed_email_domains is 'null: those of the configuration';
create index setting_in_force on setting (starts_at desc, version desc);
create trigger setting_append_only before update or delete or truncate on setting for each statement execute function reject_change();

-- Documented defaults (CO-47, CO-15, LS-37).
insert into setting (starts_at, coin_price, min_coin, max_coin, convert_rate, buy_price, sell_price, buy_rate, exchange_limit, exchange_cooldown_hours,
  platform_fee_percent, network_fee_percent, bridge_fee_percent, bridge_minimum, buy_token_credit_wallet, reward_hold_days,
  four_eyes_above_usd, four_eyes_above_coin, created_at, reason)
values ('2020-01-01 00:00:00+00', 800000, 100000000, 1000000000000000, 800000, 800000, 800000, 800000, 10000000000, 0,
  500000000, 200000000, 0, 0, 'newIcoWallet', 30,
  100000000000, 10000000000000, '2020-01-01 00:00:00+00', 'documented defaults');

-- Time at which the initial setup ended. Without this row, members can register only in the sandbox.
create table setup_end (
  one boolean primary key default true check (one),
  at timestamptz not null
);
create trigger setup_end_append_only before update or delete or truncate on setup_end for each statement execute function reject_change();
