import { type AuditCheck, factCheck, houseSql, walletSql } from '../../ledger/index.ts'

const byKind = (usd: string, coin: string) => `case p.kind when 'bridge' then ${coin} else ${usd} end`
const WALLET = byKind(walletSql('p.member_id', 'depositWallet'), walletSql('p.member_id', 'icoWallet'))
const HOLD = byKind(houseSql('SYS-HOLD', 'USD'), houseSql('SYS-HOLD', 'COIN'))
const FEE = byKind(houseSql('SYS-FEE', 'USD'), houseSql('SYS-FEE', 'COIN'))
const OUT = byKind(houseSql('SYS-WITHDRAW', 'USD'), houseSql('SYS-BRIDGE', 'COIN'))
const ended = (status: string) => `p.decided_at, p.hold_id from payout_request p where p.status = '${status}'`

/** What `ledger:audit` checks about payouts, written apart from the code that holds and pays them. */
export const auditChecks: readonly AuditCheck[] = [
  factCheck({
    invariant: 'I7',
    title: 'each payout was asked for with one hold of its amount',
    kinds: ['withdrawal', 'bridge'],
    compare: ['created_at', 'rule_version', 'id'],
    facts: `select p.kind, p.public_id, ${WALLET}, ${HOLD}, p.amount, p.created_at, p.settings_version, p.hold_id from payout_request p`,
  }),
  factCheck({
    invariant: 'I7',
    title: 'an approved payout paid out and took its fees once, a rejected one went back whole, the others did nothing',
    kinds: ['payout', 'platformFee', 'networkFee', 'withdrawalRejected', 'bridgeRejected'],
    compare: ['created_at', 'resolves'],
    facts: `
      select 'payout', p.public_id, ${HOLD}, ${OUT}, p.received, ${ended('APPROVED')}
      union all select 'platformFee', p.public_id, ${HOLD}, ${FEE}, p.platform_fee, ${ended('APPROVED')} and p.platform_fee > 0
      union all select 'networkFee', p.public_id, ${HOLD}, ${FEE}, p.network_fee, ${ended('APPROVED')} and p.network_fee > 0
      union all select p.kind || 'Rejected', p.public_id, ${HOLD}, ${WALLET}, p.amount, ${ended('REJECTED')}`,
  }),
  {
    invariant: 'I7',
    title: 'the fees of a payout are those of the settings that it names, rounded up, and a member of staff decided',
    sql: `select p.public_id, p.amount, p.platform_fee, p.network_fee, p.received
      from payout_request p join setting s on s.version = p.settings_version
      where p.platform_fee <> div(p.amount::numeric * ${byKind('s.platform_fee_percent', 's.bridge_fee_percent')} + 9999999999, 10000000000)
        or p.network_fee <> ${byKind('div(p.amount::numeric * s.network_fee_percent + 9999999999, 10000000000)', '0')}
        or p.received <> p.amount - p.platform_fee - p.network_fee or p.created_at < s.starts_at
        or p.kind = 'bridge' and p.amount < s.bridge_minimum
        or p.status in ('APPROVED', 'REJECTED') and p.taken_back is null
          and (p.decided_by is null or p.decided_by in (p.member_id, coalesce(p.first_approved_by, 0)))`,
  },
  {
    invariant: 'I7',
    title: 'a payout was paid only once its owner had confirmed it in time, and went back unseen only when staff had not decided it',
    sql: `select p.public_id from payout_request p
      where p.status = 'APPROVED' and (p.confirmed_at is null or p.confirmed_at > p.decided_at)
        or p.confirmed_at is not null and (p.confirmed_at < p.created_at or p.confirmed_at > p.confirm_by)
        or p.confirmed_how = 'step-up' and p.step_up_digest is null or p.confirmed_how in ('book', 'step-up') and p.confirmed_at <> p.created_at
        or p.taken_back is not null and (p.status <> 'REJECTED' or p.decided_by is not null)
        or p.taken_back = 'expired' and (p.confirmed_at is not null or p.decided_at < p.confirm_by)`,
  },
]
